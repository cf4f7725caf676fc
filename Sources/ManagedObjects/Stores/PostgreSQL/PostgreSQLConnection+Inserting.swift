#if PostgreSQL
  extension PostgreSQLConnection {
    /// So many rows go at a time, as all values of a statement are in memory at once.
    private static var mostRows: Int32 { 10_000 }

    func insert<Row>(
      _ rows: some Sequence<Row>, into table: String, _ columns: [String], bytesFrom: Int,
      _ bind: (Row, any SQLStatement) throws -> Void
    ) throws {
      let sql = """
        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        SELECT * FROM unnest(\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
      let empty = columns.indices.map { PostgreSQLList($0 < bytesFrom ? .integer : .bytes) }
      var lists = empty
      // Each row is bound to a statement, of which only the values are taken.
      let statement = PostgreSQLStatement(sql, of: self)
      for row in rows {
        statement.clearBindings()
        try bind(row, statement)
        for index in columns.indices {
          if let bytes = statement.value(at: index)?.bytes {
            bytes.withUnsafeBytes { lists[index].append($0) }
          } else {
            lists[index].appendNull()
          }
        }
        guard lists[0].count >= Self.mostRows else { continue }
        queue(sql, lists.map(\.value))
        try sendQueued()
        lists = empty
      }
      if lists[0].count > 0 { queue(sql, lists.map(\.value)) }
    }
  }
#endif
