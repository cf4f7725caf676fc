extension SQLiteStore: HistoryStore {
  func historyTables() throws -> HistoryTables? {
    var tables = try HistoryTables(connection)
    if options.tombstonesAreBytes { tables?.takesAnyType = false }
    return tables
  }

  func inOneState<Result>(_ body: () throws -> Result) throws -> Result {
    let begins = !connection.isInTransaction
    if begins { try connection.execute("BEGIN") }
    // Nothing was written; a failed read may have ended it already.
    defer { if begins, connection.isInTransaction { try? connection.execute("COMMIT") } }
    if begins {
      // The first read starts the transaction's snapshot.
      try connection.look()
      try connection.refuseIfMigrated()
    }
    return try body()
  }

  func deletingHistory<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try connection.part(body)
    shortenLog()
    return result
  }
}
