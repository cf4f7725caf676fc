extension HistoryTables {
  /// The history in a file; nil if there is none.
  init?(_ connection: Connection, in contents: StoreContents? = nil) throws {
    let contents = try contents ?? StoreContents(connection)
    var columns: [String: Set<String>] = [:]
    for name in Set(contents.tables).intersection(Self.names) {
      columns[name] = Set(try contents.columns(of: name).map(\.name))
    }
    self.init(connection, .sqlite, columns: columns)
  }

  /// Creates the missing tables with their indexes and counters; call it in a transaction.
  static func make(on connection: Connection, tombstones: Int) throws {
    let columns = (0..<tombstones).map { ", \(tombstone($0)) BLOB" }.joined()
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(columns) );
      CREATE TABLE IF NOT EXISTS ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
      CREATE TABLE IF NOT EXISTS ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE INDEX IF NOT EXISTS ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
      CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC);
      CREATE UNIQUE INDEX IF NOT EXISTS Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
      """)
    guard let tables = try HistoryTables(connection) else { return }
    for name in ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]
    where tables.transactionColumns.contains("Z\(name)TS") {
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS ATRANSACTION_Z\(name)TS_INDEX ON ATRANSACTION (Z\(name)TS)")
    }
    if tables.transactionColumns.contains("ZAUTHOR") {
      try connection.execute(
        "CREATE INDEX IF NOT EXISTS Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)"
      )
    }
    for index in 0..<tombstones where !tables.changeColumns.contains(tombstone(index)) {
      try connection.execute("ALTER TABLE ACHANGE ADD COLUMN \(tombstone(index)) BLOB")
    }
    let entities = Entity.allCases.map { "(\($0.rawValue), '\($0.name)', 0, 0)" }
    try connection.execute(
      """
      INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX)
      VALUES \(entities.joined(separator: ", "))
      """)
  }
}

extension SQLHistory {
  /// Finds the history's tables in a file, or creates the missing ones.
  ///
  /// - Throws: `SQLiteError` if the existing tables are not a history.
  convenience init(
    _ connection: Connection, of bindings: [EntityBinding], in contents: StoreContents,
    tombstonesAreBytes: Bool
  ) throws {
    try self.init(of: bindings, isMirrored: contents.isMirrored) { count in
      var found = try HistoryTables(connection, in: contents)
      if found?.isComplete(tombstones: count) != true {
        try connection.transaction { try HistoryTables.make(on: connection, tombstones: count) }
        found = try HistoryTables(connection)
      }
      guard var tables = found, tables.hasRequiredColumns else {
        throw SQLiteError.missingTable(HistoryTables.change)
      }
      if tombstonesAreBytes { tables.takesAnyType = false }
      return tables
    }
  }
}
