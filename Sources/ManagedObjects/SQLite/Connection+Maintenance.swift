import CSQLite

extension Connection {
  /// SQLite's own version, such as `3.46.1` (`sqlite3_libversion`).
  static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// What is wrong with the file, in SQLite's words; empty where nothing is.
  ///
  /// Reads the whole file.
  func faults() throws(SQLiteError) -> [String] {
    let statement = try statement("PRAGMA integrity_check(20)")
    defer { statement.reset() }
    var faults: [String] = []
    while try statement.step() { faults.append(statement.string(at: 0) ?? "") }
    return faults == ["ok"] ? [] : faults
  }

  /// A number that differs where another connection has committed since it was last asked for
  /// (`PRAGMA data_version`).
  ///
  /// Asks no table, so it may be asked often.
  func dataVersion() throws(SQLiteError) -> Int64 { try integer("PRAGMA data_version") ?? 0 }

  /// Writes everything as one moment has it into another file, which must be empty or not there
  /// (`VACUUM INTO`).
  func copy(into path: String) throws(SQLiteError) {
    let statement = try statement("VACUUM INTO ?")
    statement.bind(path, at: 1)
    try statement.run()
  }
}
