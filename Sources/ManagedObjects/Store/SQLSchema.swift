import DataModel

/// The names and the SQL of a model's tables, columns and indexes, as Core Data gives them.
///
/// Source: the layout of real stores. Columns are always addressed by name, since migrated stores
/// have them in another order.
struct SQLSchema {
  /// A column of a table.
  struct Column {
    let name: String
    let type: String
  }

  /// A root entity's table; its subentities' rows stand in it too.
  struct Table {
    let name: String
    var columns: [Column]
  }

  /// The table of a join and its columns.
  struct Join {
    let table: String
    /// The column of the first objects' keys, and of the second objects'.
    let firstKey: String
    let secondKey: String
    /// The column of the first objects' order in a second one's list, and the other way round.
    let firstOrder: String?
    let secondOrder: String?
    /// The key columns in their order in the table.
    let keys: [String]
  }

  private(set) var tables: [Table] = []
  private(set) var joins: [Join] = []
  /// The table of each binding, by its place in the store.
  private(set) var tableNames: [String]
  /// The column of each slot of each binding, by its place in the store.
  private(set) var columnNames: [[String]]

  let bindings: [EntityBinding]
  let offset: Int

  /// Names everything for a store's bindings.
  ///
  /// - Parameter exists: whether the store has a table of a name; of a new store none is asked for.
  init(
    bindings: [EntityBinding], joins: [JoinBinding], exists: (String) -> Bool = { _ in true }
  ) {
    self.bindings = bindings
    offset = bindings.first?.index ?? 0
    tableNames = bindings.map { [offset] in "Z" + bindings[$0.root - offset].name.uppercased() }
    columnNames = bindings.map { Array(repeating: "", count: $0.storedSlotCount) }
    for binding in bindings where binding.root == binding.index { nameColumns(ofFamilyOf: binding) }
    nameJoins(joins, exists: exists)
  }

  /// The names of the tables of entities and joins.
  var allTables: [String] { tables.map(\.name) + joins.map(\.table) }

  /// How many slots a binding has from its superentity: they stand first.
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
    let own = columns.count
    for group in 0...8 {
      for place in root.family {
        let binding = bindings[place - offset]
        for slot in inheritedSlots(binding)..<binding.storedSlotCount
        where Self.group(of: binding.slots[slot]) == group {
          let wanted = name(of: binding.slots[slot], at: slot, in: binding)
          var name = wanted
          var suffix = 0
          while columns[own...].contains(where: { $0.name == name }) {
            suffix += 1
            name = "\(wanted)\(suffix)"
          }
          columnNames[place - offset][slot] = name
          columns.append(Column(name: name, type: Self.type(of: binding.slots[slot])))
        }
      }
    }
    // A superentity has a smaller number, so its columns are named already.
    for place in root.family {
      let binding = bindings[place - offset]
      guard let parent = parent(of: binding) else { continue }
      columnNames[place - offset].replaceSubrange(
        0..<parent.storedSlotCount, with: columnNames[parent.index - offset])
    }
    tables.append(Table(name: tableNames[root.index - offset], columns: columns))
  }

  private func name(of slot: SlotLayout.Slot, at place: Int, in binding: EntityBinding) -> String {
    switch slot {
    case .attribute(let attribute):
      return Self.uppercased(attribute.name, behind: "Z")
    case .toOne(let relationship): return Self.uppercased(relationship.name, behind: "Z")
    case .orderKey(let relationship): return Self.uppercased(relationship.name, behind: "Z_FOK_")
    case .toOneEntity(let relationship):
      let number =
        bindings.first { $0.name == relationship.destinationEntityName }?.number ?? 0
      return "Z\(number)_" + columnNames[binding.index - offset][place - 1].dropFirst()
    }
  }

  /// A property's name in capitals, behind a prefix.
  ///
  /// An element of a composite has the way to it in its name, with full stops; a column's has
  /// underscores.
  private static func uppercased(_ name: String, behind prefix: String) -> String {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return prefix + String(name.uppercased().map { $0 == "." ? "_" : $0 })
    }
    var text = prefix
    for letter in name.unicodeScalars {
      switch letter {
      case "a"..."z": text.unicodeScalars.append(Unicode.Scalar(UInt8(letter.value) & 0xdf))
      case ".": text.unicodeScalars.append("_")
      default: text.unicodeScalars.append(letter)
      }
    }
    return text
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

  // MARK: Joins

  private mutating func nameJoins(
    _ bindings: [JoinBinding], exists: (String) -> Bool
  ) {
    let columns = memberColumns(bindings)
    for (place, binding) in bindings.enumerated() {
      let first = number(binding.first.entity)
      let secondKey = columns[place].second
      let firstKey = columns[place].first
      var table = "Z_\(first)\(binding.first.name.uppercased())"
      var keys = [firstKey, secondKey]
      if let second = binding.second, !binding.isItsOwnInverse,
        second.entity == binding.first.entity
      {
        // Two relationships of one entity: the table has the later one's name, and where a
        // migration made it, the other's.
        keys = [secondKey, firstKey]
        let later = "Z_\(first)\(second.name.uppercased())"
        if exists(later) { table = later }
      }
      joins.append(
        Join(
          table: table, firstKey: firstKey, secondKey: secondKey,
          firstOrder: binding.second?.isOrdered == true && !binding.isItsOwnInverse
            ? "Z_FOK_\(firstKey.dropFirst(2))" : nil,
          secondOrder: binding.first.isOrdered ? "Z_FOK_\(secondKey.dropFirst(2))" : nil,
          keys: keys))
    }
  }

  /// The columns that hold the keys of each join's objects, by join.
  ///
  /// A column is named after the entity and the relationship that its objects are members of; equal
  /// names are numbered for each entity pointed at, by the inverses' names.
  private func memberColumns(_ joins: [JoinBinding]) -> [(first: String, second: String)] {
    struct Member {
      let join: Int
      let isSecond: Bool
      let name: String
      let pointedAt: Int
      let inverse: String
    }
    var members: [Member] = []
    for (place, join) in joins.enumerated() {
      guard let second = join.second else { continue }
      members.append(
        Member(
          join: place, isSecond: true, name: join.first.name, pointedAt: number(second.entity),
          inverse: second.name))
      guard !join.isItsOwnInverse else { continue }
      members.append(
        Member(
          join: place, isSecond: false, name: second.name, pointedAt: number(join.first.entity),
          inverse: join.first.name))
    }
    // What nobody has seen is ours: a relationship without an inverse, and one that is its own.
    var columns = joins.map { join in
      join.second == nil
        ? (
          first: "Z_\(number(join.first.entity))OWNER",
          second: "Z_\(number(join.secondEntity))\(join.first.name.uppercased())"
        ) : (first: "REFLEXIVE", second: "")
    }
    var used: [Int: Set<String>] = [:]
    for member in members.sorted(by: { ($0.pointedAt, $0.inverse) < ($1.pointedAt, $1.inverse) }) {
      let base = "Z_\(member.pointedAt)\(member.name.uppercased())"
      var name = base
      var suffix = 0
      while !used[member.pointedAt, default: []].insert(name).inserted {
        suffix += 1
        name = "\(base)\(suffix)"
      }
      if member.isSecond {
        columns[member.join].second = name
      } else {
        columns[member.join].first = name
      }
    }
    return columns
  }

  private func number(_ place: Int) -> Int { bindings[place - offset].number }

  // MARK: Statements

  /// What makes the entities' tables and indexes, a statement each.
  var creation: [String] {
    tables.map { table in
      let columns = table.columns.map { "\($0.name.quoted) \($0.type)" }.joined(separator: ", ")
      return "CREATE TABLE \(table.name.quoted) ( \(columns) )"
    } + joins.map(\.creation) + indexes + joins.map(\.index)
  }
}

extension SQLSchema.Join {
  /// `CREATE TABLE Z_1A ( Z_1B INTEGER, Z_2A INTEGER, Z_FOK_2A INTEGER, PRIMARY KEY (Z_1B, Z_2A) )`.
  fileprivate var creation: String {
    let orders = (keys[0] == firstKey ? [firstOrder, secondOrder] : [secondOrder, firstOrder])
      .compactMap { $0 }
    let columns = (keys + orders).map { "\($0.quoted) INTEGER" }.joined(separator: ", ")
    let primary = keys.map(\.quoted).joined(separator: ", ")
    return "CREATE TABLE \(table.quoted) ( \(columns), PRIMARY KEY (\(primary)) )"
  }

  fileprivate var index: String {
    let parts = keys.reversed().map(\.quoted).joined(separator: ", ")
    return "CREATE INDEX \("\(table)_\(keys[1])_INDEX".quoted) ON \(table.quoted) (\(parts))"
  }
}

extension StringProtocol {
  /// The text as an SQL identifier; the one place where identifiers are quoted.
  ///
  /// Core Data leaves plain names bare, and so does this, so that a schema reads like Apple's.
  var quoted: String {
    let isPlain = utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    // Every name starts with Z, so none is a keyword.
    if isPlain { return String(self) }
    var quoted = "\""
    for character in self { quoted += character == "\"" ? "\"\"" : String(character) }
    return quoted + "\""
  }
}
