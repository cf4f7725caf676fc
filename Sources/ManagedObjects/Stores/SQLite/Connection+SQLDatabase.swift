extension Connection: SQLDatabase {
  func prepared(_ sql: String) throws -> any SQLStatement { try statement(sql) }

  func makeUndoLog() throws {
    let table = SQLUndoLog.table
    let columns = try StoreContents(self).columns(of: table)
    // Older versions of the log have no column for the author.
    if !columns.isEmpty, !columns.contains(where: { $0.name == "AUTHOR" }) {
      try execute("ALTER TABLE \(table) ADD COLUMN AUTHOR TEXT")
    }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS \(table) (
        SERIAL INTEGER PRIMARY KEY, UNDONE INTEGER, AT REAL, NAME TEXT, CHANGES BLOB,
        AUTHOR TEXT);
      CREATE INDEX IF NOT EXISTS \(SQLUndoLog.undoneIndex) ON \(table) (SERIAL) WHERE UNDONE = 1;
      CREATE TABLE IF NOT EXISTS \(SQLUndoLog.versions) (
        Z_ENT INTEGER, Z_PK INTEGER, KNOWN INTEGER, NOW INTEGER, SERIAL INTEGER,
        PRIMARY KEY (Z_ENT, Z_PK)) WITHOUT ROWID
      """)
  }

  /// A row takes at least 8 bytes of the file.
  func maximumRowCount() throws -> Int64 { try byteCount() / 8 }

  var damagedUndoLog: any Error { SQLiteError.damagedUndoLog }
}

extension Statement: SQLStatement {}

extension SQLiteError: SQLEngineError {
  var lacksPartOfSchema: Bool { isMissingTable || isMissingIndex }
}
