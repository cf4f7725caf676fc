import CSQLite
import SystemLibraries

extension Connection {
  /// SQLite's own version, such as `3.46.1` (`sqlite3_libversion`).
  static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// What is wrong with the file, in SQLite's words; empty where nothing is.
  ///
  /// Reads the whole file.
  ///
  /// - Throws: `SQLiteError` where the disk does not give a page: SQLite goes on behind it, and
  ///   calls it a fault of the file.
  func faults() throws(SQLiteError) -> [String] {
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

  /// A number that differs where another connection has committed since it was last asked for
  /// (`PRAGMA data_version`).
  ///
  /// Asks no table, so it may be asked often.
  func dataVersion() throws(SQLiteError) -> Int64 { try integer("PRAGMA data_version") ?? 0 }

  /// How many bytes the file has.
  func byteCount() throws(SQLiteError) -> Int64 {
    try integer("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
  }

  /// Writes the file anew, so that no page and no byte of it holds what was deleted (`VACUUM`), and
  /// empties the log.
  ///
  /// Needs as much room again. Nothing is lost where it fails; then old bytes may be left.
  func rewrite() throws(SQLiteError) {
    try execute("VACUUM")
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(connection: handle) }
  }

  /// Takes everything out of the file, damaged or not, in one transaction
  /// (`SQLITE_DBCONFIG_RESET_DATABASE`), and empties the log as far as nobody reads it.
  func empty() throws(SQLiteError) {
    csqlite_reset_database(handle, 1)
    defer { csqlite_reset_database(handle, 0) }
    // As the stores have it that are made in an empty file.
    try execute("PRAGMA auto_vacuum = 2; VACUUM")
    emptyLog(waiting: 0)
  }

  /// Has the file hold what another connection's has, in one transaction (`sqlite3_backup_init`).
  func replaceContents(with other: Connection) throws(SQLiteError) {
    if try integer("PRAGMA page_size") != other.integer("PRAGMA page_size"), expectsLog {
      // Beside a log a file keeps its page size.
      try execute("PRAGMA journal_mode = DELETE")
    }
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw SQLiteError(connection: handle)
    }
    let deadline = RetryBackoff.now + backoff.seconds
    var code = sqlite3_backup_step(backup, -1)
    // It does not ask the busy handler.
    while [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF), RetryBackoff.now < deadline {
      RetryBackoff.nap()
      code = sqlite3_backup_step(backup, -1)
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw SQLiteError(connection: handle) }
    emptyLog(waiting: 0)
  }

  /// Writes everything as one moment has it into another file, which must be empty or not there
  /// (`VACUUM INTO`).
  func copy(into path: String) throws(SQLiteError) {
    let statement = try statement("VACUUM INTO ?")
    statement.bind(path, at: 1)
    try statement.run()
  }
}
