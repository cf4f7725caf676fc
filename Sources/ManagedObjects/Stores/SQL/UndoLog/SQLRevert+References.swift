/// Detecting references that were made invalid by changes since the command.
extension SQLRevert {
  /// Checks that no reference leads to a missing row, and gives restored members of a list whose
  /// order keys others were given since new ones.
  func checkReferences() throws {
    for (root, keys) in groups(removed, by: \.entity.root) {
      // Excludes rows that the same command restored under their keys.
      let gone = try missing(Set(keys.map(\.key)), of: store.binding(at: root))
      if let key = try pointedAt(gone.sorted(), of: store.binding(at: root)).min(),
        let (entity, key) = keys.first(where: { $0.key == key })
      {
        throw changedSince(entity, key)
      }
    }
    for (root, keys) in groups(restored, by: \.entity.root) {
      try checkRestored(Set(keys.map(\.key)).sorted(), of: store.binding(at: root))
    }
    for (join, links) in groups(linked, by: \.join) {
      let ends = store.joins[join]
      for (end, keys) in [
        (ends.first.entity, links.map(\.first)), (ends.secondEntity, links.map(\.second)),
      ] where try !missing(Set(keys), of: store.binding(at: end)).isEmpty {
        throw StoreUndoError.changedSince(nil)
      }
    }
  }

  /// The keys among some that have no row.
  private func missing(_ keys: Set<Int64>, of entity: EntityBinding) throws -> Set<Int64> {
    try keys.subtracting(
      store.database.integers(for: keys.sorted()) {
        "SELECT Z_PK FROM \(store.table(entity)) WHERE Z_PK IN (\($0))"
      })
  }

  /// The keys among some that another row or a link refers to.
  private func pointedAt(_ keys: [Int64], of root: EntityBinding) throws -> Set<Int64> {
    var found: Set<Int64> = []
    func look(_ column: String, _ table: String) throws {
      found.formUnion(
        try store.database.integers(for: keys) {
          "SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IN (\($0))"
        })
    }
    for binding in store.bindings {
      // Subentities' properties are in the same table.
      for toOne in binding.toOnes
      where toOne.slot < binding.storedSlotCount
        && store.binding(at: toOne.destination).root == root.root
      {
        try look(store.column(toOne.slot, of: binding), store.table(binding))
      }
    }
    for (join, names) in zip(store.joins, store.schema.joins) {
      for (end, column) in [
        (join.first.entity, names.firstKey), (join.secondEntity, names.secondKey),
      ] where store.binding(at: end).root == root.root {
        try look(column.quoted, store.schema.dialect.table(names.table))
      }
    }
    return found
  }

  /// An ordered to-many whose order keys are in the members' rows, next to the owner's key.
  private struct MemberList: Hashable {
    let table: String
    let ownerColumn: String
    let orderColumn: String
    let owner: Int64
  }

  /// A value of a restored row.
  private typealias Restored = (value: Int64, entity: EntityBinding, key: Int64)

  /// Checks that the to-ones of some rows have existing destinations, and makes their order keys
  /// unique.
  private func checkRestored(_ keys: [Int64], of root: EntityBinding) throws {
    var ends: [(root: Int, end: Restored)] = []
    var lists: [MemberList: [Restored]] = [:]
    try forEachRow(keys, of: root) { entity, key, row in
      for toOne in entity.toOnes
      where toOne.slot < entity.storedSlotCount && row.hasValue(toOne.slot) {
        let end = row.integer(toOne.slot)
        ends.append((store.binding(at: toOne.destination).root, (end, entity, key)))
        guard let order = toOne.orderKeySlot, row.hasValue(order) else { continue }
        let list = MemberList(
          table: store.table(entity), ownerColumn: store.column(toOne.slot, of: entity),
          orderColumn: store.column(order, of: entity), owner: end)
        lists[list, default: []].append((row.integer(order), entity, key))
      }
    }
    for (root, ends) in groups(ends, by: \.root) {
      let gone = try missing(Set(ends.map(\.end.value)), of: store.binding(at: root))
      if let lost = ends.first(where: { gone.contains($0.end.value) })?.end {
        throw changedSince(lost.entity, lost.key)
      }
    }
    for (list, members) in lists {
      let twice = try store.database.integers(
        for: Set(members.map(\.value)).sorted(), [list.owner]
      ) {
        """
        SELECT \(list.orderColumn) FROM \(list.table)
        WHERE \(list.ownerColumn) = ? AND \(list.orderColumn) IN (\($0))
        GROUP BY \(list.orderColumn) HAVING count(*) > 1
        """
      }
      try append(members.filter { twice.contains($0.value) }, to: list)
    }
  }

  /// Moves some members of a list to its end, in the order they have.
  ///
  /// The row of each was written in the same transaction, so its lock count stays.
  private func append(_ members: [Restored], to list: MemberList) throws {
    guard let first = members.first else { return }
    let last = try store.database.integers(for: [list.owner]) {
      "SELECT max(\(list.orderColumn)) FROM \(list.table) WHERE \(list.ownerColumn) IN (\($0))"
    }
    guard var order = last.first,
      order <= Int64.max - Int64(members.count) * OrderKeyPlacing.step
    else { throw changedSince(first.entity, first.key) }
    let statement = try store.database.prepared(
      "UPDATE \(list.table) SET \(list.orderColumn) = ? WHERE Z_PK = ?")
    for member in members.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      order += OrderKeyPlacing.step
      statement.bind(order, at: 1)
      statement.bind(member.key, at: 2)
      try statement.queue()
    }
  }

  /// Reads the rows that exist.
  private func forEachRow(
    _ keys: [Int64], of root: EntityBinding,
    _ body: (_ entity: EntityBinding, _ key: Int64, _ row: PackedRow) -> Void
  ) throws {
    for start in stride(from: 0, to: keys.count, by: RevertedAhead.most) {
      let piece = keys[start..<min(start + RevertedAhead.most, keys.count)]
      let rows = try store.rows(for: FetchPlan(rows: Array(piece), of: root))
      while try rows.next() {
        let entity = store.binding(at: rows.entity)
        let row = RowReference(try rows.makeRow(), of: entity)
        body(entity, rows.key, row.row)
        withExtendedLifetime(row) {}
      }
    }
  }

  /// Elements grouped by a number, in the order of the numbers.
  private func groups<Element>(
    _ elements: [Element], by number: (Element) -> Int
  ) -> [(number: Int, elements: [Element])] {
    Dictionary(grouping: elements, by: number).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }
}
