#if PostgreSQL
  extension PostgreSQLStore: KeepingStore {
    func forEachKeptValue(
      named prefix: String, _ body: (_ name: String, _ value: [UInt8]) throws -> Void
    ) throws {
      let found = try mappingErrors {
        try connection.run(
          """
          SELECT NAME, VALUE FROM \(keptTable) WHERE substr(NAME, 1, ?::int4) = ? ORDER BY NAME
          """, [.integer(Int64(prefix.unicodeScalars.count)), .text(prefix)])
      }
      for row in 0..<found.count {
        guard let name = found.text(row, 0) else { continue }
        try body(name, found.bytes(row, 1).map { Array($0) } ?? [])
      }
    }

    func keep(_ values: [String: [UInt8]?]) throws {
      try refuseIfReadOnly()
      try mappingErrors { try transaction(isPart: true) { queueKept(values) } }
    }

    /// Has values set with the next statement of the caller's transaction; nil takes one out.
    func queueKept(_ values: [String: [UInt8]?]) {
      var removed = PostgreSQLList(.text)
      var (names, bytes) = (PostgreSQLList(.text), PostgreSQLList(.bytes))
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let value else {
          removed.append(text: name)
          continue
        }
        names.append(text: name)
        value.withUnsafeBytes { bytes.append($0) }
      }
      if removed.count > 0 {
        connection.queue("DELETE FROM \(keptTable) WHERE NAME = ANY(?)", [removed.value])
      }
      guard names.count > 0 else { return }
      connection.queue(
        """
        INSERT INTO \(keptTable) SELECT * FROM unnest(?, ?)
        ON CONFLICT (NAME) DO UPDATE SET VALUE = excluded.VALUE
        """, [names.value, bytes.value])
    }

    private var keptTable: String { schema.dialect.table(KeptValues.table) }

    /// The statement that makes the table.
    static func keptStatement(_ dialect: SQLDialect) -> String {
      """
      CREATE TABLE \(dialect.table(KeptValues.table))
      (NAME text COLLATE "C" PRIMARY KEY, VALUE bytea)
      """
    }
  }
#endif
