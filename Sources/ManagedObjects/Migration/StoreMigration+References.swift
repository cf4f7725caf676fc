import DataModel

/// Updating references between rows, and the order of lists.
extension StoreMigration {
  /// Clears references to deleted rows, renumbers the destinations' entities, and orders new
  /// ordered lists.
  func updateReferences() throws {
    var done: Set<String> = []
    for binding in mapping.destination.bindings {
      for toOne in binding.toOnes where toOne.slot < binding.storedSlotCount {
        guard let old = mapping.toOneOrigin(toOne.description.name, in: binding) else { continue }
        let column = "\(mapping.table(of: binding)).\(mapping.column(toOne.slot, of: binding))"
        // A column is updated once; it does not matter for which of its entities, unless their
        // values come from different columns.
        let source = mapping.origins[binding.index].map { mapping.sourceColumn(old.slot, of: $0) }
        guard done.insert("\(column) \(source ?? "")").inserted else { continue }
        try updateReferences(of: toOne, in: binding, from: old)
      }
    }
    for join in joins where !join.links.isEmpty { try updateReferences(of: join) }
  }

  private func updateReferences(
    of toOne: EntityBinding.ToOne, in binding: EntityBinding, from old: EntityBinding.ToOne
  ) throws {
    let table = mapping.table(of: binding).quoted
    let key = mapping.column(toOne.slot, of: binding).quoted
    let entity = toOne.entitySlot.map { mapping.column($0, of: binding).quoted }
    let order = toOne.orderKeySlot.map { mapping.column($0, of: binding).quoted }
    let target = mapping.destination.bindings[toOne.destination]
    let oldFamily = mapping.source.bindings[old.destination].family
    if mapping.losesSome(of: oldFamily, to: target.family) {
      let columns = [key, entity, order].compactMap(\.self)
      try connection.execute(
        """
        UPDATE \(table) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", "))
        WHERE \(key) NOT NULL AND \(key) NOT IN (\(keys(of: target)))
        """)
    }
    if let entity, old.entitySlot == nil || mapping.renumbersSome(of: oldFamily) {
      let targets = mapping.table(of: target).quoted
      try connection.execute(
        """
        UPDATE \(table) AS o
        SET \(entity) = (SELECT t.Z_ENT FROM \(targets) AS t WHERE t.Z_PK = o.\(key))
        WHERE o.\(key) NOT NULL
        """)
    }
    if let order, old.orderKeySlot == nil {
      try makeOrder(order, in: table, owner: key, member: "Z_PK")
    }
  }

  private func updateReferences(of join: JoinMigration) throws {
    let table = join.join.table.quoted
    let (first, second) = (join.join.firstKey.quoted, join.join.secondKey.quoted)
    let ends = [
      (
        first, mapping.destination.bindings[join.binding.first.entity],
        \JoinMigration.Links.firstFamily
      ),
      (second, mapping.destination.bindings[join.binding.secondEntity], \.secondFamily),
    ]
    for (key, end, family) in ends
    where join.links.contains(where: { mapping.losesSome(of: $0[keyPath: family], to: end.family) })
    {
      try connection.execute(
        "DELETE FROM \(table) WHERE \(key) NOT IN (\(keys(of: end)))")
    }
    if let order = join.join.firstOrder, join.makesOrder.first {
      try makeOrder(order.quoted, in: table, owner: second, member: first)
    }
    if let order = join.join.secondOrder, join.makesOrder.second {
      try makeOrder(order.quoted, in: table, owner: first, member: second)
    }
  }

  /// The keys of all rows of an entity and its subentities.
  private func keys(of entity: EntityBinding) -> String {
    let numbers = entity.family.map { mapping.destination.bindings[$0].number }
    return
      "SELECT Z_PK FROM \(mapping.table(of: entity).quoted) WHERE Z_ENT IN (\(numbers.sqlList))"
  }

  /// Assigns order keys to the members of each list as in new lists (2048, 3072, …).
  ///
  /// Members without an order key come last, by their keys.
  private func makeOrder(
    _ order: String, in table: String, owner: String, member: String
  ) throws {
    try connection.execute(
      """
      UPDATE \(table) SET \(order) = o.position FROM (
      SELECT rowid AS key, 1024 + 1024 * row_number() OVER (
      PARTITION BY \(owner) ORDER BY \(order) IS NULL, \(order), \(member)) AS position
      FROM \(table) WHERE \(owner) NOT NULL) AS o
      WHERE \(table).rowid = o.key
      """)
  }
}
