import DataModel
import SystemLibraries

/// The migration of one table of the destination.
struct TableMigration {
  /// The source of a column's values.
  struct ColumnMigration {
    let column: SQLSchema.Column
    /// The numbers of the entities whose values come from a column of the source, by that column.
    var sources: [String: [Int]] = [:]
    /// The numbers of the entities that get a value, with the value; nil for none.
    var set: [(numbers: [Int], value: AttributeValue?)] = []
    /// The numbers of the entities whose missing values are replaced by a value.
    var filled: [(numbers: [Int], value: AttributeValue)] = []
    /// The numbers of the entities whose values are moved to external files, or back.
    var externalized: [Int] = []
    var internalized: [Int] = []
  }

  let table: SQLSchema.Table
  /// The table that the rows come from; nil if there is none.
  let origin: String?
  /// The entities' numbers before and after.
  private(set) var numbers: [(old: Int, new: Int)] = []
  /// The old numbers of the entities whose rows are removed.
  let removed: [Int]
  private(set) var columns: [ColumnMigration] = []
  /// Whether the rows stay in their table, rather than being copied into a new one.
  private(set) var isInPlace = false

  /// The numbers that change.
  var renumbered: [(old: Int, new: Int)] { numbers.filter { $0.old != $0.new } }

  /// The columns of the source that are renamed.
  var renamedColumns: [(old: String, new: String)] {
    columns.compactMap { column in
      guard let old = column.sources.first?.key, old != column.column.name else { return nil }
      return (old, column.column.name)
    }
  }

  /// Whether any value of a row changes, rather than just its column.
  var changesValues: Bool { columns.contains { !$0.set.isEmpty || !$0.filled.isEmpty } }

  init(
    _ table: SQLSchema.Table, of root: EntityBinding, _ mapping: BoundMapping,
    contents: StoreContents, keepsColumns: Bool
  ) throws {
    self.table = table
    let pairs = root.family.compactMap { index in
      mapping.origins[index].map { (new: mapping.destination.bindings[index], old: $0) }
    }
    origin = pairs.first.map { mapping.source.tableNames[$0.old.index] }
    guard let first = pairs.first else {
      removed = []
      return
    }
    numbers = pairs.map { ($0.old.number, $0.new.number) }
    let oldFamily = mapping.source.bindings[first.old.root].family
    // Rows that move to another table are removed from this one, too.
    removed = oldFamily.filter { index in !pairs.contains { $0.old.index == index } }
      .map { mapping.source.bindings[$0].number }
    for column in table.columns.dropFirst(3) {
      columns.append(Self.migration(of: column, pairs, mapping))
    }
    let heirs = Set(
      oldFamily.compactMap { mapping.destinationIndexes[$0] }
        .map { mapping.destination.tableNames[$0] })
    isInPlace =
      try heirs.count == 1 && fits(in: contents, mapping, pairs, keepsColumns: keepsColumns)
  }

  private static func migration(
    of column: SQLSchema.Column, _ pairs: [(new: EntityBinding, old: EntityBinding)],
    _ mapping: BoundMapping
  ) -> ColumnMigration {
    var migration = ColumnMigration(column: column)
    for (new, old) in pairs {
      let names = mapping.destination.columnNames[new.index]
      guard let slot = names.firstIndex(of: column.name) else { continue }
      if let origin = mapping.origin(of: slot, in: new) {
        migration.sources[mapping.sourceColumn(origin, of: old), default: []].append(new.number)
        migration.noteConversion(new.slots[slot], from: old.slots[origin], of: new.number)
      } else if let value = new.slots[slot].initialValue {
        migration.set.append(([new.number], value))
      }
    }
    // For entities that do not have the column's property, or for which it is new, the value is of
    // another property.
    for (new, old) in pairs {
      let sources = migration.sources.values.joined()
      let isSet = migration.set.contains { $0.numbers.contains(new.number) }
      guard !sources.contains(new.number), !isSet else { continue }
      let oldNames = mapping.source.columnNames[old.index]
      if migration.sources.keys.contains(where: oldNames.contains) {
        migration.set.append(([new.number], nil))
      }
    }
    return migration
  }

  // MARK: In place

  /// Whether the table can stay: no column is dropped, split or given another type.
  ///
  /// - Parameter keepsColumns: whether dropping columns may be deferred.
  private func fits(
    in contents: StoreContents, _ mapping: BoundMapping,
    _ pairs: [(new: EntityBinding, old: EntityBinding)], keepsColumns: Bool
  ) throws -> Bool {
    guard let origin,
      let old = mapping.source.tables.first(where: { $0.name == origin })
    else { return false }
    let used = columns.flatMap(\.sources.keys)
    guard columns.allSatisfy({ $0.sources.count <= 1 }), Set(used).count == used.count else {
      return false
    }
    let found = try contents.columns(of: origin)
    // Columns that are kept, or that another program added, may have the name of a new one.
    if keepsColumns {
      let kept = Set(found.map(\.name)).subtracting(used).subtracting(
        table.columns.prefix(3).map(\.name))
      let names = Set(columns.map { $0.column.name.uppercased() })
      guard kept.allSatisfy({ !names.contains($0.uppercased()) }) else { return false }
    } else {
      guard Set(used) == Set(old.columns.dropFirst(3).map(\.name)),
        found.count == old.columns.count
      else { return false }
    }
    for column in columns {
      guard let name = column.sources.first?.key else { continue }
      guard found.first(where: { $0.name == name })?.type == column.column.type else {
        return false
      }
    }
    let constraints = (Self.constraints(pairs.map(\.new)), Self.constraints(pairs.map(\.old)))
    return try constraints.0 == constraints.1 || !contents.hasConstraint(origin)
  }

  private static func constraints(_ bindings: [EntityBinding]) -> [[[String]]] {
    bindings.map(\.description.uniquenessConstraints)
  }
}

extension TableMigration.ColumnMigration {
  /// Records conversions of values in addition to moving them.
  fileprivate mutating func noteConversion(
    _ slot: SlotLayout.Slot, from old: SlotLayout.Slot, of number: Int
  ) {
    guard case .attribute(let attribute) = slot, case .attribute(let former) = old else { return }
    if !attribute.isOptional, former.isOptional, let value = slot.initialValue {
      filled.append(([number], value))
    }
    switch (former.isExternal, attribute.isExternal) {
    case (false, true): externalized.append(number)
    case (true, false): internalized.append(number)
    default: break
    }
  }
}

extension SlotLayout.Slot {
  /// The value that existing rows get for a new attribute, as its column stores it.
  fileprivate var initialValue: AttributeValue? {
    guard case .attribute(let attribute) = self, !attribute.isDerived else { return nil }
    guard attribute.isExternal, case .binary(let data)? = attribute.defaultValue else {
      return attribute.defaultValue
    }
    return .binary(Data([1]) + data)
  }
}

extension StoreContents {
  /// Whether a table was created with a constraint, as iOS 9 created unique ones.
  fileprivate func hasConstraint(_ table: String) throws -> Bool {
    try sql(of: table).contains("UNIQUE")
  }
}
