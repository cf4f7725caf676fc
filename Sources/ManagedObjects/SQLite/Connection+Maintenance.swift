import CSQLite
import SystemLibraries

extension Connection {
  /// SQLite's own version, such as `3.46.1` (`sqlite3_libversion`).
  static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// The faults that SQLite finds in the file, in its own words; empty for a sound file.
  ///
  /// Reads the whole file.
  ///
  /// - Throws: `SQLiteError` if the disk fails to read a page: SQLite carries on and reports that
  ///   as a fault of the file.
  func problems() throws(SQLiteError) -> [String] {
    let sql = "PRAGMA integrity_check(20)"
    let statement = try statement(sql)
    defer { statement.reset() }
    var faults: [String] = []
    while try statement.step() { faults.append(statement.string(at: 0) ?? "") }
    guard faults != ["ok"] else { return [] }
    let number = csqlite_file_errno(handle)
    guard number != EIO, number != ENXIO else {
      throw SQLiteError(
        extendedCode: SQLITE_IOERR | (1 << 8),
        message: String(cString: sqlite3_errstr(SQLITE_IOERR)), sql: sql, systemErrno: number)
    }
    return faults
  }

  /// A number that changes when another connection has committed since the last call (`PRAGMA
  /// data_version`).
  ///
  /// Reads no table, so it is cheap to call often.
  func dataVersion() throws(SQLiteError) -> Int64 { try integer("PRAGMA data_version") ?? 0 }

  /// The size of the file in bytes.
  func byteCount() throws(SQLiteError) -> Int64 {
    try integer("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  /// Rewrites the file so that no byte of deleted data remains in it (`VACUUM`), and empties the
  /// log.
  ///
  /// Needs as much free space as the file takes. If it fails, nothing is lost, but old bytes may
  /// remain.
  func rewrite() throws(SQLiteError) {
    try execute("VACUUM")
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
  }

  /// Deletes everything from the file, damaged or not, in one transaction.
  ///
  /// Uses `SQLITE_DBCONFIG_RESET_DATABASE`, and empties the log as far as no reader needs it.
  func empty() throws(SQLiteError) {
    csqlite_reset_database(handle, 1)
    defer { csqlite_reset_database(handle, 0) }
    // The setting that a store created in an empty file has.
    try execute("PRAGMA auto_vacuum = 2; VACUUM")
    emptyLog(waiting: 0)
  }

  /// Replaces the contents with those of another connection's file, in one transaction
  /// (`sqlite3_backup_init`).
  func replaceContents(with other: Connection) throws(SQLiteError) {
    if try integer("PRAGMA page_size") != other.integer("PRAGMA page_size"), expectsLog {
      // In WAL mode the page size cannot change.
      try execute("PRAGMA journal_mode = DELETE")
    }
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw SQLiteError(connection: handle)
    }
    let deadline = monotonicSeconds() + backoff.seconds
    var code = sqlite3_backup_step(backup, -1)
    // A backup step does not call the busy handler.
    while [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF), monotonicSeconds() < deadline {
      RetryBackoff.pauseBriefly()
      code = sqlite3_backup_step(backup, -1)
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw SQLiteError(connection: handle) }
    emptyLog(waiting: 0)
  }

  /// Writes a consistent copy into another file, which must be empty or missing (`VACUUM INTO`).
  func copy(into path: String) throws(SQLiteError) {
    let statement = try statement("VACUUM INTO ?")
    statement.bind(path, at: 1)
    try statement.run()
  }
}
