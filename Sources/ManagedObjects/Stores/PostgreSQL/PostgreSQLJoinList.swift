#if PostgreSQL
  /// One ordered to-many with the order keys in the rows of a PostgreSQL join table.
  struct PostgreSQLJoinList: SQLJoinListStorage, PostgreSQLListStorage {
    let store: PostgreSQLStore
    let join: Int
    let isFirst: Bool
    let owner: Int64
    let recorder: TransactionRecorder?
    var lastOrderKeyAhead: LastOrderKey? { nil }

    // Rows of a join table have no lock count.
    var version: String { "0::int8" }

    func write(_ orderKey: Int64, to member: Int64, version: UInt32) throws -> SaveResult.Move? {
      try recordMove(of: member)
      try store.connection.run(
        updateSQL, [.integer(orderKey), .integer(owner), .integer(member)])
      return nil
    }
  }
#endif
