extension SQLiteStore: KeepingStore {
  func forEachKeptValue(
    named prefix: String, _ body: (_ name: String, _ value: [UInt8]) throws -> Void
  ) throws {
    try mappingErrors {
      try followChanges()
      let statement: Statement
      do throws(SQLiteError) {
        statement = try connection.statement(
          """
          SELECT NAME, VALUE FROM \(KeptValues.table) WHERE substr(NAME, 1, ?) = ? ORDER BY NAME
          """)
      } catch {
        // The table is created with the first value.
        guard error.isMissingTable else { throw error }
        return
      }
      defer { statement.reset() }
      statement.bind(Int64(prefix.unicodeScalars.count), at: 1)
      statement.bind(prefix, at: 2)
      while try statement.step() {
        guard let name = statement.string(at: 0) else { continue }
        try body(name, statement.blob(at: 1).map { Array($0) } ?? [])
      }
    }
  }

  func keep(_ values: [String: [UInt8]?]) throws {
    try refuseIfReadOnly()
    try mappingErrors {
      try connection.part { try setKept(values) }
      if !connection.isAhead { shortenLog() }
    }
  }

  /// Writes values in the caller's transaction; nil removes a value.
  func setKept(_ values: [String: [UInt8]?]) throws {
    guard !values.isEmpty else { return }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(KeptValues.table) (NAME TEXT PRIMARY KEY, VALUE BLOB)")
    let insert = try connection.statement(
      "INSERT OR REPLACE INTO \(KeptValues.table) VALUES (?, ?)")
    let delete = try connection.statement("DELETE FROM \(KeptValues.table) WHERE NAME = ?")
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      if let value {
        insert.bind(name, at: 1)
        insert.bind(value, at: 2)
        try insert.run()
      } else {
        delete.bind(name, at: 1)
        try delete.run()
      }
    }
  }
}
