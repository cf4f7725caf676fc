import CSQLite

/// An SQL text that a connection has prepared, handed out as a `Statement`.
final class PreparedStatement {
  let sql: String
  let handle: OpaquePointer
  /// Whether a `Statement` currently uses it.
  var isInUse = false
  /// When it was last handed out: see `Connection.statement(_:)`.
  var lastUse = 0

  init(_ sql: String, connection: OpaquePointer) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw SQLiteError(connection: connection, sql: sql)
    }
    self.sql = sql
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }
}

@available(*, unavailable) extension PreparedStatement: Sendable {}
