#if PostgreSQL
  extension PostgreSQLStore: KeepingStore {
    func forEachKeptValue(
      named prefix: String, _ body: (_ name: String, _ value: [UInt8]) throws -> Void
    ) throws {
      let found = try mappingErrors { () throws -> PostgreSQLResult? in
        guard try hasKeptTable() else { return nil }
        return try connection.run(
          """
          SELECT NAME, VALUE FROM \(keptTable) WHERE substr(NAME, 1, ?::int4) = ? ORDER BY NAME
          """, [.integer(Int64(prefix.unicodeScalars.count)), .text(prefix)])
      }
      guard let found else { return }
      for row in 0..<found.count {
        guard let name = found.text(row, 0) else { continue }
        try body(name, found.bytes(row, 1).map { Array($0) } ?? [])
      }
    }

    func keep(_ values: [String: [UInt8]?]) throws {
      try refuseIfReadOnly()
      try mappingErrors { try transaction(isPart: true) { try queueKept(values) } }
    }

    /// Queues writing values with the next statement of the caller's transaction; nil removes a
    /// value.
    func queueKept(_ values: [String: [UInt8]?]) throws {
      guard !values.isEmpty else { return }
      if try !hasKeptTable() { connection.queue(Self.keptStatement(schema.dialect)) }
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

    /// Whether the table exists: all stores have it from the beginning, except those made by the
    /// first versions of this library.
    private func hasKeptTable() throws -> Bool {
      if isKeptTableKnown { return true }
      let found = try connection.run("SELECT to_regclass(?) IS NOT NULL", [.text(keptTable)])
      isKeptTableKnown = found.bytes(0, 0)?.first == 1
      return isKeptTableKnown
    }

    private var keptTable: String { schema.dialect.table(KeptValues.table) }

    /// The statement that creates the table.
    static func keptStatement(_ dialect: SQLDialect) -> String {
      """
      CREATE TABLE \(dialect.table(KeptValues.table))
      (NAME text COLLATE "C" PRIMARY KEY, VALUE bytea)
      """
    }
  }
#endif
