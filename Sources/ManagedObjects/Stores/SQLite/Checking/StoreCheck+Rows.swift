import DataModel

/// What the rows of a store say of each other.
extension StoreCheck {
  /// Looks all tables through; they have the columns that the model wants.
  mutating func checkRows() throws {
    let indexes = try Set(indexNames())
    for root in bindings where root.root == root.index {
      try checkNumbers(ofFamilyOf: root)
      try checkEntities(ofFamilyOf: root)
      for entity in root.family.map({ binding($0) }) {
        let own = schema.inheritedSlots(entity)..<entity.storedSlotCount
        for toOne in entity.toOnes where own.contains(toOne.slot) {
          try check(toOne, of: entity, indexes)
        }
        for slot in entity.externalSlots where own.contains(slot) {
          try checkFiles(slot, of: entity)
        }
      }
    }
    for (join, names) in zip(joins, schema.joins) { try check(join, names) }
  }

  private func binding(_ index: Int) -> EntityBinding { bindings[index - schema.offset] }

  private func table(_ entity: EntityBinding) -> String {
    schema.tableNames[entity.index - schema.offset]
  }

  private func column(_ slot: Int, of entity: EntityBinding) -> String {
    schema.columnNames[entity.index - schema.offset][slot].quoted
  }

  private func indexNames() throws -> [String] {
    try texts("SELECT name FROM sqlite_schema WHERE type = 'index'")
  }

  // MARK: Entities

  /// The numbers of a family's entities, and the highest key of its table.
  private mutating func checkNumbers(ofFamilyOf root: EntityBinding) throws {
    let rows = try texts("SELECT Z_NAME || ' ' || Z_ENT || ' ' || Z_SUPER FROM Z_PRIMARYKEY")
    for entity in root.family.map({ binding($0) }) {
      let parent = bindings.first { $0.name == entity.description.superentityName }
      let number = entity.index - schema.offset + 1
      let row = "\(entity.name) \(number) \(parent.map { $0.index - schema.offset + 1 } ?? 0)"
      if !rows.contains(row) {
        report(.bookkeeping, "Z_PRIMARYKEY: the numbers of \(entity.name) are missing or others")
      }
    }
    let highest = try integer("SELECT max(Z_PK) FROM \(table(root).quoted)") ?? 0
    let given = try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)")
    if let given, given < highest {
      report(
        .bookkeeping, "Z_PRIMARYKEY: Z_MAX of \(root.name) is \(given), below the key \(highest)",
        root)
    }
  }

  private mutating func checkEntities(ofFamilyOf root: EntityBinding) throws {
    let known = root.family.map { binding($0) }.filter { !$0.isAbstract }
      .map { "\($0.number)" }.joined(separator: ", ")
    try report(
      .unknownEntity, rowsOf: table(root),
      where: "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(known))", "without an entity that has objects",
      root)
    try report(
      .bookkeeping, rowsOf: table(root), where: "t.Z_OPT < 1", "with a Z_OPT below 1", root)
  }

  // MARK: References

  private mutating func check(
    _ toOne: EntityBinding.ToOne, of entity: EntityBinding, _ indexes: Set<String>
  ) throws {
    let name = toOne.description.name
    let plain = schema.columnNames[entity.index - schema.offset][toOne.slot]
    let (own, key) = (table(entity), column(toOne.slot, of: entity))
    let target = table(binding(toOne.destination))
    try report(
      .danglingReference, rowsOf: own,
      where: """
        t.\(key) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM \(target.quoted) AS d WHERE d.Z_PK = t.\(key))
        """, "leading by \(plain) to no row of \(target)", entity, name)
    if let slot = toOne.orderKeySlot {
      let order = column(slot, of: entity)
      try report(
        .orderKeys, rowsOf: own, where: "t.\(key) IS NOT NULL AND t.\(order) IS NULL",
        "in a list by \(plain) without a position", entity, name)
      try report(
        .orderKeys, rowsOf: own,
        where: """
          t.\(key) IS NOT NULL AND EXISTS (
            SELECT 1 FROM \(own.quoted) AS o
            WHERE o.\(key) = t.\(key) AND o.\(order) = t.\(order) AND o.Z_PK <> t.Z_PK)
          """, "with another's position in a list by \(plain)", entity, name)
    }
    if let slot = toOne.entitySlot {
      try report(
        .danglingReference, rowsOf: own,
        where: """
          EXISTS (
            SELECT 1 FROM \(target.quoted) AS d
            WHERE d.Z_PK = t.\(key) AND d.Z_ENT IS NOT t.\(column(slot, of: entity)))
          """, "naming by \(plain) another entity than the row of \(target) has", entity, name)
    }
    if !indexes.contains("\(own)_\(plain)_INDEX") {
      report(.schema, "\(own): the index \(own)_\(plain)_INDEX is missing")
    }
  }

  private mutating func check(_ join: JoinBinding, _ names: SQLSchema.Join) throws {
    for (end, key) in [(join.first.entity, names.firstKey), (join.secondEntity, names.secondKey)] {
      let target = table(binding(end))
      let count = try integer(
        """
        SELECT count(*) FROM \(names.table.quoted) AS l
        WHERE NOT EXISTS (SELECT 1 FROM \(target.quoted) AS d WHERE d.Z_PK = l.\(key.quoted))
        """)
      if let count, count > 0 {
        report(
          .danglingReference,
          "\(names.table): \(count) \(count == 1 ? "link" : "links") leading by \(key) to no row of \(target)",
          binding(join.first.entity), join.first.name)
      }
    }
  }

  // MARK: Files

  /// Looks whether the files are there that a column leads to.
  private mutating func checkFiles(_ slot: Int, of entity: EntityBinding) throws {
    var missing: [Int64] = []
    let column = schema.columnNames[entity.index - schema.offset][slot]
    try forEachBlob(column, of: table(entity)) { key, stored in
      guard let name = ExternalDataFiles.fileName(in: stored), !files.has(name) else { return }
      missing.append(key)
    }
    guard !missing.isEmpty, case .attribute(let attribute) = entity.slots[slot] else { return }
    report(
      .missingExternalData,
      "\(table(entity)): \(missing.count) \(missing.count == 1 ? "value" : "values") of \(column) whose file is missing",
      entity,
      attribute.name, keys: missing)
  }
}
