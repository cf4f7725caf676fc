#if PostgreSQL
  /// The persistent history of a store on a server: the tables and the code of a file's, but that a
  /// value of a tombstone is bytes whatever its type.
  extension PostgreSQLStore: HistoryStore {
    func historyTables() throws -> HistoryTables? { try HistoryTables(connection) }

    func inOneState<Result>(_ body: () throws -> Result) throws -> Result {
      if isInTransaction { return try body() }
      try beginReading(expecting: [])
      defer { endReading() }
      return try body()
    }

    func deletingHistory<Result>(_ body: () throws -> Result) throws -> Result {
      try transaction(isPart: true, body)
    }
  }

  extension HistoryTables {
    /// The history of a store on a server; nil where it has none.
    init?(_ connection: PostgreSQLConnection) throws {
      let found = try connection.run(
        """
        SELECT upper(c.relname), upper(a.attname) FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
        WHERE n.nspname = ? AND upper(c.relname) = ANY(?) AND c.relkind = 'r'
        AND a.attnum > 0 AND NOT a.attisdropped
        """, [.text(connection.address.schema), .texts(Self.names)])
      var columns: [String: Set<String>] = [:]
      for row in 0..<found.count {
        guard let table = found.text(row, 0), let column = found.text(row, 1) else { continue }
        columns[table, default: []].insert(column)
      }
      self.init(connection, connection.address.dialect, columns: columns)
    }

    /// Makes what is not there, in the caller's transaction.
    ///
    /// - Parameter tombstones: how many values a tombstone has at most.
    static func make(on connection: PostgreSQLConnection, tombstones: Int) throws {
      let dialect = connection.address.dialect
      func creation(_ name: String, _ columns: String) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(dialect.table(name))
        (Z_PK int8 PRIMARY KEY, Z_ENT int8, Z_OPT int8, \(columns))
        """
      }
      func index(_ name: String, _ kind: String = "", on table: String, _ column: String) -> String
      {
        "CREATE \(kind)INDEX IF NOT EXISTS \(name) ON \(dialect.table(table)) (\(column))"
      }
      let before = Set(try HistoryTables(connection)?.found ?? [])
      try connection.runAll(
        ([
          creation(
            change,
            "ZCHANGETYPE int8, ZENTITY int8, ZENTITYPK int8, ZTRANSACTIONID int8, ZCOLUMNS bytea"),
          creation(
            transaction,
            """
            ZAUTHORTS int8, ZBUNDLEIDTS int8, ZCONTEXTNAMETS int8, ZPROCESSIDTS int8,
            ZTIMESTAMP float8
            """), creation(string, "ZNAME text COLLATE \"C\""),
          index("ACHANGE_ZTRANSACTIONID_INDEX", on: change, "ZTRANSACTIONID"),
          index("Z_TRANSACTION_TransactionTimestampIndex", on: transaction, "ZTIMESTAMP"),
          index("ATRANSACTION_ZAUTHORTS_INDEX", on: transaction, "ZAUTHORTS"),
          index("Z_TRANSACTIONSTRING_UNIQUE_NAME", "UNIQUE ", on: string, "ZNAME"),
        ]
          + (0..<tombstones).map {
            """
            ALTER TABLE \(dialect.table(change)) ADD COLUMN IF NOT EXISTS \(tombstone($0)) bytea
            """
          } + [
            """
            INSERT INTO \(dialect.table("Z_PRIMARYKEY")) VALUES
            \(Entity.allCases.map { "(\($0.rawValue), '\($0.name)', 0, 0)" }.joined(separator: ", "))
            ON CONFLICT DO NOTHING
            """
          ])
          .joined(separator: ";\n"))
      try connection.grantRights(to: names.filter { !before.contains($0) })
    }
  }

  extension SQLHistory {
    /// Looks for the history's tables on a server, and makes them where they are missing.
    convenience init(
      _ connection: PostgreSQLConnection, of bindings: [EntityBinding]
    ) throws {
      let damaged = PostgreSQLError(
        state: "XX001", message: "the tables of the history are damaged")
      try self.init(of: bindings) { count in
        if let tables = try HistoryTables(connection) {
          if tables.isComplete(tombstones: count) { return tables }
          guard tables.hasWhatIsNeeded else { throw damaged }
        }
        try PostgreSQLStore.exclusively(connection) {
          try HistoryTables.make(on: connection, tombstones: count)
        }
        guard let tables = try HistoryTables(connection), tables.isComplete(tombstones: count)
        else { throw damaged }
        return tables
      }
    }
  }

  extension PostgreSQLConnection {
    /// Lets others do with new tables what they may do with the store's metadata.
    func grantRights(to tables: [String]) throws {
      guard !tables.isEmpty else { return }
      let found = try run(
        """
        SELECT DISTINCT grantee::text, privilege_type::text
        FROM information_schema.role_table_grants
        WHERE table_schema = ? AND upper(table_name) = 'Z_METADATA' AND grantee <> current_user
        """, [.text(address.schema)])
      var statements: [String] = []
      for row in 0..<found.count {
        guard let grantee = found.text(row, 0), let privilege = found.text(row, 1) else { continue }
        let role = grantee == "PUBLIC" ? grantee : grantee.quotedAlways
        statements += tables.map { "GRANT \(privilege) ON \(address.dialect.table($0)) TO \(role)" }
      }
      if !statements.isEmpty { try runAll(statements.joined(separator: ";\n")) }
    }

    func insert<Row>(
      _ rows: some Sequence<Row>, into table: String, _ columns: [String], bytesFrom: Int,
      _ bind: (Row, any SQLStatement) throws -> Void
    ) throws {
      let insert = PostgreSQLInsert(into: table, columns, bytesFrom: bytesFrom, over: self)
      for row in rows {
        try bind(row, insert)
        try insert.run()
      }
      insert.queue()
    }
  }

  /// A statement that gathers rows, to insert many at once.
  private final class PostgreSQLInsert: SQLStatement {
    private let connection: PostgreSQLConnection
    private let sql: String
    private let bytesFrom: Int
    private var lists: [PostgreSQLList]
    private var values: [PostgreSQLValue?]

    /// So many rows at a time, as all values of a statement are in memory at once.
    private static let mostRows = 10_000

    init(
      into table: String, _ columns: [String], bytesFrom: Int, over connection: PostgreSQLConnection
    ) {
      self.connection = connection
      self.bytesFrom = bytesFrom
      sql = """
        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        SELECT * FROM unnest(\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
      values = columns.map { _ in nil }
      lists = columns.indices.map { PostgreSQLList($0 < bytesFrom ? .integer : .bytes) }
    }

    private func hold(_ value: PostgreSQLValue?, at parameter: Int32) {
      values[Int(parameter) - 1] = value
    }

    func bind(_ value: Int64, at parameter: Int32) { hold(.integer(value), at: parameter) }
    func bind(_ value: Double, at parameter: Int32) { hold(.real(value), at: parameter) }
    func bind(_ text: String, at parameter: Int32) { hold(.text(text), at: parameter) }
    func bind(_ bytes: [UInt8], at parameter: Int32) { hold(.bytes(bytes), at: parameter) }
    func bind(text bytes: [UInt8], at parameter: Int32) { hold(.text(bytes), at: parameter) }
    func bindNull(at parameter: Int32) { hold(nil, at: parameter) }

    /// Takes the row.
    func run() throws {
      for (index, value) in values.enumerated() {
        if let bytes = value?.bytes {
          bytes.withUnsafeBytes { lists[index].append($0) }
        } else {
          lists[index].appendNull()
        }
      }
      values = values.map { _ in nil }
      guard lists[0].count >= Self.mostRows else { return }
      queue()
      try connection.sendQueued()
    }

    /// Has the rows inserted with the next statement.
    func queue() {
      guard lists[0].count > 0 else { return }
      connection.queue(sql, lists.map(\.value))
      lists = lists.map { PostgreSQLList($0.kind) }
    }

    // It gives no rows.
    func step() throws -> Bool { false }
    func reset() {}
    func isNull(at column: Int32) -> Bool { true }
    func integer(at column: Int32) -> Int64 { 0 }
    func real(at column: Int32) -> Double { 0 }
    func string(at column: Int32) -> String? { nil }
    func blob(at column: Int32) -> UnsafeRawBufferPointer? { nil }
  }

  @available(*, unavailable) extension PostgreSQLInsert: Sendable {}
#endif
