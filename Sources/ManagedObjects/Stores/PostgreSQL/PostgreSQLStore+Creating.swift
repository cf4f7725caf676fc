#if PostgreSQL
  import DataFormats
  import DataModel
  import SystemLibraries

  /// Stores that are not there yet.
  extension PostgreSQLStore {
    /// Makes a store where there is no schema or an empty one; it is there whole, or not at all.
    ///
    /// Where others are faster, theirs is left.
    ///
    /// - Throws: `PostgreSQLError` where the database's encoding is not UTF-8, among others.
    static func make(_ connection: PostgreSQLConnection, _ model: ManagedObjectModel) throws {
      do {
        try exclusively(connection) {
          guard try isEmpty(connection) else { return }
          try refuseOtherEncodings(connection)
          let identity = PersistentStoreIdentity(identifier: UUID().uuidString)
          _ = try makeTables(connection, model, ModelBinding(model, store: identity), [:])
        }
      } catch let error as PostgreSQLError where error.isMadeByOthers {
        return
      }
    }

    /// Makes sure that a database can keep any text.
    ///
    /// Stores that are there already are used wherever they are.
    static func refuseOtherEncodings(_ connection: PostgreSQLConnection) throws {
      // What does not say is no PostgreSQL, whose relatives know nothing else.
      guard let encoding = connection.encoding, encoding != "UTF8" else { return }
      throw PostgreSQLError.wrongEncoding(encoding)
    }

    /// Has the server wait for as long as a program works on something else, in this transaction.
    static let waitForProgram = "SET LOCAL idle_in_transaction_session_timeout = 0"

    /// Runs a body in a transaction which keeps out others who make or take away the store.
    static func exclusively(
      _ connection: PostgreSQLConnection, _ body: () throws -> Void
    ) throws {
      do {
        connection.begin(
          waiting: connection.patience, locking: connection.address.lockNumber,
          "SELECT \(connection.engine.transactionNumber)")
        try body()
        try connection.commit()
      } catch {
        connection.rollBack()
        throw error
      }
    }

    /// Whether nothing is in the schema, or there is none.
    static func isEmpty(_ connection: PostgreSQLConnection) throws -> Bool {
      try connection.run(
        """
        SELECT 1 FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = ? LIMIT 1
        """, [.text(connection.address.schema)]
      ).count == 0
    }

    /// Makes the tables of an empty store, in its caller's transaction.
    ///
    /// - Parameter metadata: of which it takes over an application's.
    static func makeTables(
      _ connection: PostgreSQLConnection, _ model: ManagedObjectModel, _ bound: ModelBinding,
      _ metadata: [String: PropertyList]
    ) throws -> SQLSchema {
      let schema = try SQLSchema(bound, dialect: connection.address.dialect)
      try connection.runAll(statements(schema, connection.address).joined(separator: ";\n"))
      try writeEntities(connection, bound)
      let uuid = bound.entities.first?.store.identifier ?? UUID().uuidString
      let dialect = connection.address.dialect
      try connection.run(
        "INSERT INTO \(dialect.table("Z_METADATA")) VALUES (1, ?, ?, 0, '')",
        [.text(uuid), .bytes(Self.metadata([:], of: model, metadata))])
      try connection.run(
        "INSERT INTO \(dialect.table("Z_MODELCACHE")) VALUES (?)", [.bytes(model.modelCache)])
      return schema
    }

    /// The property list of a store of a model.
    ///
    /// - Parameters:
    ///   - before: what it was before.
    ///   - metadata: of which it takes over an application's.
    static func metadata(
      _ before: [String: PropertyList], of model: ManagedObjectModel,
      _ metadata: [String: PropertyList]
    ) -> [UInt8] {
      var plist = before.merging(StoredMetadata.modelMetadata(model)) { $1 }
      plist["NSStoreType"] = .string(StoreType.postgreSQL.rawValue)
      StoredMetadata.replaceOwnKeys(of: &plist, with: metadata)
      return PropertyList.dictionary(plist).binary
    }

    /// Notes the entities of a store, none of which has given a key yet.
    static func writeEntities(
      _ connection: PostgreSQLConnection, _ bound: ModelBinding
    ) throws {
      let table = connection.address.dialect.table("Z_PRIMARYKEY")
      try connection.run("DELETE FROM \(table) WHERE Z_ENT < \(HistoryTables.leastNumber)")
      for binding in bound.entities {
        let parent = bound.entities.first { $0.name == binding.description.superentityName }
        try connection.run(
          "INSERT INTO \(table) VALUES (?, ?, ?, 0)",
          [
            .integer(Int64(binding.number)), .text(binding.name),
            .integer(Int64(parent?.number ?? 0)),
          ])
      }
    }

    private static func statements(
      _ schema: SQLSchema, _ address: PostgreSQLAddress
    ) -> [String] {
      let dialect = address.dialect
      return ["CREATE SCHEMA IF NOT EXISTS \(address.schema.quotedAlways)"]
        + schema.tables.map(schema.creation(of:)) + schema.joins.map(schema.creation(of:))
        + schema.serverIndexes.map(schema.creation(of:)) + undoLogStatements(dialect) + [
          keptStatement(dialect),
          """
          CREATE TABLE \(dialect.table("Z_PRIMARYKEY"))
          (Z_ENT int8 PRIMARY KEY, Z_NAME text, Z_SUPER int8, Z_MAX int8)
          """,
          """
          CREATE TABLE \(dialect.table("Z_METADATA"))
          (Z_VERSION int8 PRIMARY KEY, Z_UUID text, Z_PLIST bytea, Z_STATE int8, Z_MARKS text)
          """, "CREATE TABLE \(dialect.table("Z_MODELCACHE")) (Z_CONTENT bytea)",
        ]
    }
  }

  extension PostgreSQLAddress {
    /// The SQL that is written for the store.
    var dialect: SQLDialect { .postgreSQL(schema: schema) }
  }

  /// The statements that make a store on a server.
  extension SQLSchema {
    func creation(of table: Table) -> String {
      let columns = table.columns.map { "\($0.name.quoted) \($0.serverType)" }
      // Room in each page for new versions of its rows, which then need no new index entries.
      return """
        CREATE TABLE \(dialect.table(table.name)) (\(columns.joined(separator: ", ")))
        WITH (fillfactor = 90)
        """
    }

    func creation(of join: Join) -> String {
      let columns = (join.keys + join.orders).map { "\($0.quoted) int8" }.joined(separator: ", ")
      let primary = join.keys.map(\.quoted).joined(separator: ", ")
      return "CREATE TABLE \(dialect.table(join.table)) (\(columns), PRIMARY KEY (\(primary)))"
    }

    func creation(of index: Index) -> String {
      """
      CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.serverName.quoted)
      ON \(dialect.table(index.table)) (\(index.parts.joined(separator: ", ")))\
      \(index.skipsNulls ? " WHERE \(index.parts[0]) IS NOT NULL" : "")
      """
    }

    /// The indexes that a server needs: fewer than Core Data's file has, as each is written with
    /// every new version of a row.
    ///
    /// None that another one begins with, which finds the same rows.
    var serverIndexes: [Index] {
      let all = indexes + joins.map(\.index)
      return all.filter { index in
        index.isUnique
          || !all.contains { other in
            other.table == index.table && other.parts.count > index.parts.count
              && other.parts.starts(with: index.parts)
          }
      }
    }
  }

  extension SQLSchema.Index {
    /// Its name, as long as a server's may be.
    var serverName: String { name.shortened(to: 63) }
  }

  extension SQLSchema.Column {
    /// The type that a server keeps the values in: one for all whole numbers, one for all others.
    ///
    /// Texts are compared by their bytes, as in memory.
    var serverType: String {
      switch type {
      case "INTEGER PRIMARY KEY": "int8 PRIMARY KEY"
      case "INTEGER": "int8"
      case "VARCHAR": "text COLLATE \"C\""
      case "BLOB": "bytea"
      default: "float8"
      }
    }
  }
#endif
