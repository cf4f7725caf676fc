/// One ordered to-many with the order keys in the rows of a SQLite join table.
struct SQLiteJoinList: SQLJoinListStorage {
  let store: SQLiteStore
  let join: Int
  let isFirst: Bool
  let owner: Int64
  let recorder: TransactionRecorder?

  // Rows of a join table have no lock count.
  var version: String { "0" }

  func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move? {
    try recordMove(of: member)
    let statement = try store.connection.statement(updateSQL)
    statement.bind(orderKey, at: 1)
    statement.bind(owner, at: 2)
    statement.bind(member, at: 3)
    try statement.run()
    return nil
  }
}
