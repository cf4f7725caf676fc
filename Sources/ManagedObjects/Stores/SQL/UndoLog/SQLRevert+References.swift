/// What others may have done since, so that what was reverted leads astray.
extension SQLRevert {
  /// Makes sure that nothing points at a row that is not there, and no two members of a list have one order key.
  func checkReferences() throws {
    for (entity, key) in removed where try isPointedAt(entity, key) {
      // Unless the same command brought it back under its key.
      if try store.storedRow(key, of: entity).map({ $1.free(slotCount: $0.slotCount) }) == nil {
        throw changedSince(entity, key)
      }
    }
    for (entity, key) in restored {
      guard let (found, row) = try store.storedRow(key, of: entity) else { continue }
      defer { row.free(slotCount: found.slotCount) }
      for toOne in found.toOnes
      where toOne.slot < found.storedSlotCount && row.hasValue(toOne.slot) {
        let end = row.integer(toOne.slot)
        let table = store.table(store.binding(at: toOne.destination))
        guard try exists("SELECT 1 FROM \(table) WHERE Z_PK = ?", end) else {
          throw changedSince(found, key)
        }
        guard let order = toOne.orderKeySlot, row.hasValue(order) else { continue }
        let (list, orderKey) = (store.column(toOne.slot, of: found), store.column(order, of: found))
        let isTaken = try exists(
          "SELECT 1 FROM \(store.table(found)) WHERE \(list) = ? AND \(orderKey) = ? AND Z_PK <> ?",
          end, row.integer(order), key)
        if isTaken { throw changedSince(found, key) }
      }
    }
    for (join, first, second) in linked {
      let ends = store.joins[join]
      for (end, key) in [(ends.first.entity, first), (ends.secondEntity, second)] {
        let table = store.table(store.binding(at: end))
        guard try exists("SELECT 1 FROM \(table) WHERE Z_PK = ?", key) else {
          throw StoreUndoError.changedSince(nil)
        }
      }
    }
  }

  /// Whether another row, or a link, leads to one.
  private func isPointedAt(_ entity: EntityBinding, _ key: Int64) throws -> Bool {
    for binding in store.bindings {
      for toOne in binding.toOnes
      where toOne.slot < binding.storedSlotCount
        && store.binding(at: toOne.destination).root == entity.root
      {
        let column = store.column(toOne.slot, of: binding)
        let sql = "SELECT 1 FROM \(store.table(binding)) WHERE \(column) = ? LIMIT 1"
        if try exists(sql, key) { return true }
      }
    }
    for (index, join) in store.joins.enumerated() {
      if store.binding(at: join.first.entity).root == entity.root,
        try !store.storedLinks(index, first: key).isEmpty
      {
        return true
      }
      if store.binding(at: join.secondEntity).root == entity.root,
        try !store.storedLinks(index, second: key).isEmpty
      {
        return true
      }
    }
    return false
  }

  private func exists(_ sql: String, _ values: Int64...) throws -> Bool {
    let statement = try store.database.prepared(sql)
    defer { statement.reset() }
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    return try statement.step()
  }
}
