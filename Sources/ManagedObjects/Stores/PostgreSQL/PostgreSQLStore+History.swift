#if PostgreSQL
  /// The persistent history of a store on a server, with the same code and tables as in a file.
  ///
  /// The columns for texts in the transactions are missing, and a tombstone's value is stored as
  /// bytes whatever its type.
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
    /// The history of a store on a server; nil if it has none.
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

    /// Creates the missing tables and columns, in the caller's transaction.
    ///
    /// - Parameter tombstones: the maximum number of values in a tombstone.
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
    /// Finds the history's tables on a server, or creates the missing ones.
    convenience init(
      _ connection: PostgreSQLConnection, of bindings: [EntityBinding]
    ) throws {
      let damaged = PostgreSQLError(
        state: "XX001", message: "the tables of the history are damaged")
      try self.init(of: bindings) { count in
        if let tables = try HistoryTables(connection) {
          if tables.isComplete(tombstones: count) { return tables }
          guard tables.hasRequiredColumns else { throw damaged }
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
#endif
