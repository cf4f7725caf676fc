/// Reverting links of joins.
extension SQLRevert {
  mutating func removeLink(_ join: Int, _ first: Int64, _ second: Int64) throws {
    let names = try names(of: join)
    guard
      let link = try ahead.takeLink(join, first, second)
        ?? store.storedLinks(join, first: first, second: second).first
    else { throw StoreUndoError.changedSince(nil) }
    recorder.unlinked(
      join, first, second, firstOrder: link.firstOrder, secondOrder: link.secondOrder)
    let statement = try store.database.prepared(
      """
      DELETE FROM \(store.schema.dialect.table(names.table))
      WHERE \(names.firstKey.quoted) = ? AND \(names.secondKey.quoted) = ?
      """)
    statement.bind(first, at: 1)
    statement.bind(second, at: 2)
    try statement.queue()
  }

  mutating func bringBackLink(
    _ join: Int, _ first: Int64, _ second: Int64, _ firstOrder: Int64?, _ secondOrder: Int64?
  ) throws {
    let names = try names(of: join)
    linked.append((join, first, second))
    let columns = [names.firstKey, names.secondKey, names.firstOrder, names.secondOrder]
    let values = [first, second, firstOrder, secondOrder]
    let written = zip(columns, values).filter { $0.0 != nil }
    let statement = try store.database.prepared(
      """
      INSERT INTO \(store.schema.dialect.table(names.table)) (\(written.compactMap { $0.0?.quoted }.joined(separator: ", ")))
      VALUES (\(written.map { _ in "?" }.joined(separator: ", ")))
      """)
    for (index, (_, value)) in written.enumerated() {
      if let value {
        statement.bind(value, at: Int32(index + 1))
      } else {
        statement.bindNull(at: Int32(index + 1))
      }
    }
    try statement.queue { error -> any Error in
      error.isUniqueViolation ? StoreUndoError.changedSince(nil) : error
    }
    recorder.linked(join, first, second)
  }

  mutating func moveLink(
    _ join: Int, _ first: Int64, _ second: Int64, isFirst: Bool, to order: Int64?
  ) throws {
    let names = try names(of: join)
    // The link read ahead is outdated from here on.
    _ = ahead.takeLink(join, first, second)
    guard let link = try store.storedLinks(join, first: first, second: second).first,
      let column = isFirst ? names.firstOrder : names.secondOrder
    else { throw StoreUndoError.changedSince(nil) }
    recorder.moved(
      join, first, second, isFirst: isFirst, order: isFirst ? link.firstOrder : link.secondOrder)
    let statement = try store.database.prepared(
      """
      UPDATE \(store.schema.dialect.table(names.table)) SET \(column.quoted) = ?
      WHERE \(names.firstKey.quoted) = ? AND \(names.secondKey.quoted) = ?
      """)
    if let order { statement.bind(order, at: 1) } else { statement.bindNull(at: 1) }
    statement.bind(first, at: 2)
    statement.bind(second, at: 3)
    try statement.run()
  }

  func names(of join: Int) throws -> SQLSchema.Join {
    guard store.schema.joins.indices.contains(join) else { throw StoreUndoError.unreadable }
    return store.schema.joins[join]
  }
}
