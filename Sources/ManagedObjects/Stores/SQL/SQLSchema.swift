import DataModel

/// The names and SQL of a model's tables, columns and indexes, in Core Data's layout.
///
/// Source: the layout of real stores. Columns are always addressed by name, since migrated stores
/// have them in another order.
struct SQLSchema {
  /// A column of a table.
  struct Column: Equatable {
    let name: String
    let type: String
  }

  /// The table of a root entity, which also contains its subentities' rows.
  struct Table {
    let name: String
    var columns: [Column]
  }

  /// A join table and its columns.
  struct Join {
    let table: String
    /// The columns of the first objects' keys and of the second objects' keys.
    let firstKey: String
    let secondKey: String
    /// The columns of the first objects' order keys in a second object's list, and vice versa.
    let firstOrder: String?
    let secondOrder: String?
    /// The key columns in the table's column order.
    let keys: [String]
  }

  private(set) var tables: [Table] = []
  private(set) var joins: [Join] = []
  /// The table of each binding, by the binding's index in the store.
  private(set) var tableNames: [String]
  /// The column of each slot of each binding, by the binding's index in the store.
  private(set) var columnNames: [[String]]

  let bindings: [EntityBinding]
  let offset: Int
  /// The dialect of the SQL.
  let dialect: SQLDialect

  /// Names all tables and columns for a model as a store has bound it.
  ///
  /// - Parameter contents: the store's schema; nil for a new store.
  init(
    _ model: ModelBinding, of contents: StoreContents? = nil, dialect: SQLDialect = .sqlite
  ) throws {
    self.dialect = dialect
    let bindings = model.entities
    self.bindings = bindings
    offset = bindings.first?.index ?? 0
    tableNames = bindings.map { [offset] in
      Self.uppercased(bindings[$0.root - offset].name, behind: "Z")
    }
    columnNames = bindings.map { Array(repeating: "", count: $0.storedSlotCount) }
    for binding in bindings where binding.root == binding.index { nameColumns(ofFamilyOf: binding) }
    joins = try named(model.joins, in: contents)
    if let most = dialect.longestName { shortenNames(to: most) }
  }

  /// The names of all entity and join tables.
  var allTables: [String] { tables.map(\.name) + joins.map(\.table) }

  /// The number of slots that a binding inherits from its superentity; they come first.
  func inheritedSlots(_ binding: EntityBinding) -> Int {
    guard let parent = parent(of: binding) else { return 0 }
    return parent.storedSlotCount
  }

  private func parent(of binding: EntityBinding) -> EntityBinding? {
    binding.description.superentityName.flatMap { name in bindings.first { $0.name == name } }
  }

  // MARK: Columns

  private mutating func nameColumns(ofFamilyOf root: EntityBinding) {
    var columns = [
      Column(name: "Z_PK", type: "INTEGER PRIMARY KEY"), Column(name: "Z_ENT", type: "INTEGER"),
      Column(name: "Z_OPT", type: "INTEGER"),
    ]
    // Computed once: copying a large description out of its slot for each group would be slow.
    let groups = bindings.map { binding in
      binding.root == root.index ? binding.slots.map(Self.group) : []
    }
    for group in 0...8 {
      for index in root.family {
        let binding = bindings[index - offset]
        for slot in inheritedSlots(binding)..<binding.storedSlotCount
        where groups[index - offset][slot] == group {
          // The first three columns count too: a property may be named `_pk`.
          let name = Self.unused(name(of: binding.slots[slot], at: slot, in: binding)) { name in
            columns.contains { $0.name == name }
          }
          columnNames[index - offset][slot] = name
          columns.append(Column(name: name, type: Self.type(of: binding.slots[slot])))
        }
      }
    }
    // A superentity has a smaller number, so its columns already have names.
    for index in root.family {
      let binding = bindings[index - offset]
      guard let parent = parent(of: binding) else { continue }
      columnNames[index - offset].replaceSubrange(
        0..<parent.storedSlotCount, with: columnNames[parent.index - offset])
    }
    tables.append(Table(name: tableNames[root.index - offset], columns: columns))
  }

  /// The columns of derived attributes with their tables.
  var derivedColumns: [(table: String, column: Column)] {
    bindings.filter { $0.writtenSlots.count < $0.storedSlotCount }.flatMap { binding in
      (inheritedSlots(binding)..<binding.storedSlotCount)
        .filter { binding.slots[$0].isDerived }
        .map { slot in
          (
            tableNames[binding.index - offset],
            Column(
              name: columnNames[binding.index - offset][slot],
              type: Self.type(of: binding.slots[slot]))
          )
        }
    }
  }

  private func name(of slot: SlotLayout.Slot, at index: Int, in binding: EntityBinding) -> String {
    switch slot {
    case .attribute, .toOne: return Self.uppercased(slot.name, behind: "Z")
    case .orderKey: return Self.uppercased(slot.name, behind: "Z_FOK_")
    case .toOneEntity(let relationship):
      let number =
        bindings.first { $0.name == relationship.destinationEntityName }?.number ?? 0
      return "Z\(number)_" + columnNames[binding.index - offset][index - 1].dropFirst()
    }
  }

  /// A property's name in upper case, after a prefix.
  ///
  /// The name of a composite's element is its key path, with full stops; in the column's name they
  /// become underscores.
  private static func uppercased(_ name: String, behind prefix: String) -> String {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return prefix + String(name.uppercased().map { $0 == "." ? "_" : $0 })
    }
    let (lead, bytes) = (prefix.utf8, name.utf8)
    return String(unsafeUninitializedCapacity: lead.count + bytes.count) { room in
      var length = 0
      for byte in lead {
        room[length] = byte
        length += 1
      }
      for byte in bytes {
        room[length] =
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF
          case UInt8(ascii: "."): UInt8(ascii: "_")
          default: byte
          }
        length += 1
      }
      return length
    }
  }

  private static func group(of slot: SlotLayout.Slot) -> Int {
    guard case .attribute(let attribute) = slot else { return 0 }
    return switch attribute.type {
    case .integer16, .integer32, .integer64, .boolean: 0
    case .double, .float, .date: 1
    case .decimal: 2
    case .string: 3
    case .uri: 4
    case .uuid: 5
    case .transformable: 6
    case .binaryData: 7
    case .undefined, .composite: 8
    }
  }

  private static func type(of slot: SlotLayout.Slot) -> String {
    guard case .attribute(let attribute) = slot else { return "INTEGER" }
    return switch attribute.type {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .transformable, .binaryData, .undefined, .composite: "BLOB"
    }
  }

  // MARK: Names

  /// Shortens names that exceed the engine's limit, keeping them distinct.
  private mutating func shortenNames(to most: Int) {
    func short(_ name: String) -> String { name.shortened(to: most) }
    tables = tables.map { table in
      Table(
        name: short(table.name),
        columns: table.columns.map { Column(name: short($0.name), type: $0.type) })
    }
    joins = joins.map { join in
      Join(
        table: short(join.table), firstKey: short(join.firstKey), secondKey: short(join.secondKey),
        firstOrder: join.firstOrder.map(short), secondOrder: join.secondOrder.map(short),
        keys: join.keys.map(short))
    }
    tableNames = tableNames.map(short)
    columnNames = columnNames.map { $0.map(short) }
  }

  /// A name, followed by a number if it is already used.
  static func unused(_ wanted: String, isUsed: (String) -> Bool) -> String {
    var name = wanted
    var suffix = 0
    while isUsed(name) {
      suffix += 1
      name = "\(wanted)\(suffix)"
    }
    return name
  }

  func number(_ index: Int) -> Int { bindings[index - offset].number }

  // MARK: Statements

  /// The statements that create the entities' tables and indexes.
  var creation: [String] {
    tables.map { $0.creation(as: $0.name) } + joins.map { $0.creation(as: $0.table) }
      + (indexes + joins.map(\.index)).map(\.statement)
  }
}

extension SQLSchema.Table {
  /// The statement that creates the table under a name.
  func creation(as name: String) -> String {
    let columns = columns.map { "\($0.name.quoted) \($0.type)" }.joined(separator: ", ")
    return "CREATE TABLE \(name.quoted) ( \(columns) )"
  }
}

extension SQLSchema.Join {
  /// The order key columns in the table's column order.
  var orders: [String] {
    (keys[0] == firstKey ? [firstOrder, secondOrder] : [secondOrder, firstOrder]).compactMap { $0 }
  }

  /// `CREATE TABLE Z_1A ( Z_1B INTEGER, Z_2A INTEGER, Z_FOK_2A INTEGER, PRIMARY KEY (Z_1B, Z_2A)
  /// )`.
  func creation(as name: String) -> String {
    let columns = (keys + orders).map { "\($0.quoted) INTEGER" }.joined(separator: ", ")
    let primary = keys.map(\.quoted).joined(separator: ", ")
    return "CREATE TABLE \(name.quoted) ( \(columns), PRIMARY KEY (\(primary)) )"
  }

  var index: SQLSchema.Index {
    SQLSchema.Index(
      name: "\(table)_\(keys[1])_INDEX", table: table, parts: keys.reversed().map(\.quoted))
  }
}

extension StringProtocol {
  /// The text as an SQL identifier; the only place where identifiers are quoted.
  ///
  /// Like Core Data, leaves plain names unquoted, so that a schema looks like Apple's.
  var quoted: String {
    let isPlain = utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    // Core Data's and this library's names are no keywords.
    return isPlain ? String(self) : String(self).quotedAlways
  }
}
