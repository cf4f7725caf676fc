import DataModel

/// The checks of relationships between a store's rows.
extension StoreCheck {
  /// Checks all tables, which must have the columns that the model requires.
  ///
  /// Each condition is one statement that scans its table once, and a second one if it finds
  /// something. The engine looks references up by the destination's primary key and list positions
  /// by the index on owner and order key, or joins whole tables, whichever it prefers: a table of
  /// 3,000,000 walks takes a server about 8 seconds.
  ///
  /// - Parameter others: additional conditions to check.
  mutating func checkRows(_ others: [RowCondition] = []) throws {
    try checkNumbers()
    try check(rowConditions + others)
  }

  /// Counts the rows of each condition, and reports those that have some.
  mutating func check(_ conditions: [RowCondition]) throws {
    let dialect = schema.dialect
    try database.forEachNumber(of: conditions.map { $0.count(dialect) }) { index, count in
      if let count, count > 0 { try report(conditions[index], count: count) }
    }
  }

  private mutating func report(_ condition: RowCondition, count: Int64) throws {
    let isOne = count == 1
    var description = "\(condition.table): \(count) "
    var keys: [Int64] = []
    if let sql = condition.firstKeys(schema.dialect) {
      keys = try integers(sql)
      let list = keys.map { "\($0)" }.joined(separator: ", ")
      let more = count > keys.count ? ", …" : ""
      description += "\(isOne ? "row" : "rows") \(condition.description) (Z_PK \(list)\(more))"
    } else {
      description += "\(isOne ? "link" : "links") \(condition.description)"
    }
    report(condition.kind, description, condition.entity, condition.property, keys: keys)
  }

  private func column(_ slot: Int, of entity: EntityBinding) -> String {
    columnName(slot, of: entity).quoted
  }

  // MARK: Entities

  /// Checks the entity numbers and the highest key of each table.
  private mutating func checkNumbers() throws {
    let numbers = schema.dialect.table("Z_PRIMARYKEY")
    let rows = try texts("SELECT Z_NAME || ' ' || Z_ENT || ' ' || Z_SUPER FROM \(numbers)")
    for entity in bindings {
      let parent = bindings.first { $0.name == entity.description.superentityName }
      let number = entity.index - schema.offset + 1
      let row = "\(entity.name) \(number) \(parent.map { $0.index - schema.offset + 1 } ?? 0)"
      if !rows.contains(row) {
        report(.bookkeeping, "Z_PRIMARYKEY: the numbers of \(entity.name) are missing or wrong")
      }
    }
    let roots = bindings.filter { $0.root == $0.index }
    let statements = roots.flatMap { root in
      [
        "SELECT max(Z_PK) FROM \(schema.dialect.table(table(root)))",
        "SELECT Z_MAX FROM \(numbers) WHERE Z_ENT = \(root.number)",
      ]
    }
    var highest: Int64 = 0
    try database.forEachNumber(of: statements) { index, number in
      guard index % 2 == 1 else {
        highest = number ?? 0
        return
      }
      let root = roots[index / 2]
      guard let number else {
        if highest > 0 {
          report(.bookkeeping, "Z_PRIMARYKEY: Z_MAX of \(root.name) is missing", root)
        }
        return
      }
      guard number < highest else { return }
      report(
        .bookkeeping,
        "Z_PRIMARYKEY: Z_MAX of \(root.name) is \(number), below the key \(highest)", root)
    }
  }

  // MARK: Conditions

  /// All conditions for problems in rows and links.
  private var rowConditions: [RowCondition] {
    var conditions: [RowCondition] = []
    for root in bindings where root.root == root.index {
      conditions += self.conditions(ofFamilyOf: root)
      for entity in root.family.map({ binding($0) }) {
        let own = ownSlots(entity)
        for toOne in entity.toOnes where own.contains(toOne.slot) {
          conditions += self.conditions(of: toOne, of: entity)
        }
        for slot in entity.requiredSlots where own.contains(slot) {
          if let condition = self.condition(required: slot, of: entity) {
            conditions.append(condition)
          }
        }
      }
    }
    for (join, names) in zip(joins, schema.joins) { conditions += self.conditions(of: join, names) }
    return conditions
  }

  private func conditions(ofFamilyOf root: EntityBinding) -> [RowCondition] {
    let known = root.family.map { binding($0) }.filter { !$0.isAbstract }
      .map { "\($0.number)" }.joined(separator: ", ")
    return [
      RowCondition(
        kind: .unknownEntity, table: table(root),
        // Not every engine accepts an empty list.
        condition: known.isEmpty
          ? schema.dialect.yes : "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(known))",
        description: "with an unknown or abstract entity", entity: root),
      RowCondition(
        kind: .bookkeeping, table: table(root), condition: "t.Z_OPT < 1",
        description: "with a Z_OPT below 1", entity: root),
    ]
  }

  private func conditions(
    of toOne: EntityBinding.ToOne, of entity: EntityBinding
  ) -> [RowCondition] {
    let dialect = schema.dialect
    let plain = columnName(toOne.slot, of: entity)
    let (own, key) = (table(entity), plain.quoted)
    let target = table(binding(toOne.destination))
    func condition(
      _ kind: StoreProblem.Kind, _ condition: String, _ description: String
    ) -> RowCondition {
      RowCondition(
        kind: kind, table: own, condition: condition, description: description, entity: entity,
        property: toOne.description.name)
    }
    var conditions = [
      condition(
        .danglingReference,
        """
        t.\(key) IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM \(dialect.table(target)) AS d WHERE d.Z_PK = t.\(key))
        """, "whose \(plain) refers to no row of \(target)")
    ]
    if case .toOne(let slot) = toOne.inverse {
      let back = column(slot, of: binding(toOne.destination))
      conditions.append(
        condition(
          .oneSidedReference,
          """
          EXISTS (
            SELECT 1 FROM \(dialect.table(target)) AS d
            WHERE d.Z_PK = t.\(key) AND d.\(back) \(dialect.isNot) t.Z_PK)
          """, "whose \(plain) refers to a row of \(target) that does not refer back"))
    }
    if let slot = toOne.orderKeySlot {
      let order = column(slot, of: entity)
      conditions += [
        condition(
          .orderKeys, "t.\(key) IS NOT NULL AND t.\(order) IS NULL",
          "without a position in the list of \(plain)"),
        condition(
          .orderKeys,
          """
          t.\(key) IS NOT NULL AND EXISTS (
            SELECT 1 FROM \(dialect.table(own)) AS o
            WHERE o.\(key) = t.\(key) AND o.\(order) = t.\(order) AND o.Z_PK <> t.Z_PK)
          """, "with the position of another in the list of \(plain)"),
      ]
    }
    if let slot = toOne.entitySlot {
      conditions.append(
        condition(
          .danglingReference,
          """
          EXISTS (
            SELECT 1 FROM \(dialect.table(target)) AS d
            WHERE d.Z_PK = t.\(key) AND d.Z_ENT \(dialect.isNot) t.\(column(slot, of: entity)))
          """, "whose \(plain) has another entity than the row of \(target)"))
    }
    return conditions
  }

  /// The condition for rows of an entity or its subentities without a required attribute.
  private func condition(required slot: Int, of entity: EntityBinding) -> RowCondition? {
    guard case .attribute(let attribute) = entity.slots[slot] else { return nil }
    return RowCondition(
      kind: .missingValue, table: table(entity),
      condition: "t.\(column(slot, of: entity)) IS NULL AND \(isOf(entity))",
      description: "without the required \(attribute.name)", entity: entity,
      property: attribute.name)
  }

  /// The condition that a row is of an entity or its subentities.
  private func isOf(_ entity: EntityBinding) -> String {
    let numbers = entity.family.map { "\(binding($0).number)" }.joined(separator: ", ")
    return "t.Z_ENT IN (\(numbers))"
  }

  /// The conditions for rows that share values which must be unique.
  var uniquenessConditions: [RowCondition] {
    var conditions: [RowCondition] = []
    for entity in bindings {
      for unique in entity.uniqueness where unique.family.first == entity.index {
        let columns = unique.slots.map { column($0, of: entity) }
        let values = columns.joined(separator: ", ")
        let present = columns.map { "t.\($0) IS NOT NULL" }.joined(separator: " AND ")
        conditions.append(
          RowCondition(
            kind: .repeatedValue, table: table(entity),
            condition: """
              \(isOf(entity)) AND (\(columns.map { "t.\($0)" }.joined(separator: ", "))) IN (
                SELECT \(values) FROM \(schema.dialect.table(table(entity))) AS t
                WHERE \(isOf(entity)) AND \(present) GROUP BY \(values) HAVING count(*) > 1)
              """,
            description: "with the same \(unique.properties.joined(separator: " and ")) as another",
            entity: entity, property: unique.properties.count == 1 ? unique.properties[0] : nil))
      }
    }
    return conditions
  }

  private func conditions(of join: JoinBinding, _ names: SQLSchema.Join) -> [RowCondition] {
    [(join.first.entity, names.firstKey), (join.secondEntity, names.secondKey)].map { end, key in
      let target = table(binding(end))
      return RowCondition(
        kind: .danglingReference, table: names.table,
        condition: """
          NOT EXISTS (
            SELECT 1 FROM \(schema.dialect.table(target)) AS d WHERE d.Z_PK = l.\(key.quoted))
          """, description: "whose \(key) refers to no row of \(target)",
        entity: binding(join.first.entity), property: join.first.name, areLinks: true)
    }
  }
}
