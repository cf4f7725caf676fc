#if PostgreSQL
  extension PostgreSQLConnection {
    /// The number of rows inserted at once, since all values of a statement are in memory together.
    private static var maximumRowCount: Int32 { 10_000 }

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
      // Each row is bound to a statement from which only the values are used.
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
        guard lists[0].count >= Self.maximumRowCount else { continue }
        queue(sql, lists.map(\.value))
        try sendQueued()
        lists = empty
      }
      if lists[0].count > 0 { queue(sql, lists.map(\.value)) }
    }
  }
#endif
