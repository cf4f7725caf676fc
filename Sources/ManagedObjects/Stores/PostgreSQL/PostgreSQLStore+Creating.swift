#if PostgreSQL
  import DataFormats
  import DataModel
  import SystemLibraries

  /// Creating stores.
  extension PostgreSQLStore {
    /// Creates a store if the schema is missing or empty; it is created completely or not at all.
    ///
    /// If another process creates one at the same time, that is left.
    ///
    /// - Throws: `PostgreSQLError`, for example if the database's encoding is not UTF-8.
    static func make(_ connection: PostgreSQLConnection, _ model: ManagedObjectModel) throws {
      do {
        try exclusively(connection) {
          guard try isEmpty(connection) else { return }
          try refuseOtherEncodings(connection)
          let identity = PersistentStoreIdentity(identifier: UUID().uuidString)
          _ = try makeTables(connection, model, ModelBinding(model, store: identity), [:])
        }
      } catch let error as PostgreSQLError where error.isConcurrentCreation {
        return
      }
    }

    /// Checks that a database can store any text.
    ///
    /// Existing stores are used whatever the encoding.
    static func refuseOtherEncodings(_ connection: PostgreSQLConnection) throws {
      // A server that does not report its encoding is not PostgreSQL but an engine that supports
      // only UTF-8.
      guard let encoding = connection.encoding, encoding != "UTF8" else { return }
      throw PostgreSQLError.wrongEncoding(encoding)
    }

    /// Disables the server's idle timeout for this transaction, while the program works on
    /// something else.
    static let waitForProgram = "SET LOCAL idle_in_transaction_session_timeout = 0"

    /// Runs a body in a transaction that excludes others which create or destroy the store.
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

    /// Whether the schema is empty or missing.
    static func isEmpty(_ connection: PostgreSQLConnection) throws -> Bool {
      try connection.run(
        """
        SELECT 1 FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = ? LIMIT 1
        """, [.text(connection.address.schema)]
      ).count == 0
    }

    /// Creates the tables of an empty store, in the caller's transaction.
    ///
    /// - Parameter metadata: the metadata from which the application's keys are taken.
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

    /// The property list of a store of a model, in binary form.
    ///
    /// - Parameters:
    ///   - before: the previous property list.
    ///   - metadata: the metadata from which the application's keys are taken.
    static func metadata(
      _ before: [String: PropertyList], of model: ManagedObjectModel,
      _ metadata: [String: PropertyList]
    ) -> [UInt8] {
      var plist = before.merging(StoredMetadata.modelMetadata(model)) { $1 }
      plist["NSStoreType"] = .string(StoreType.postgreSQL.rawValue)
      StoredMetadata.replaceOwnKeys(of: &plist, with: metadata)
      return PropertyList.dictionary(plist).binary
    }

    /// Writes the entities of a new store, none of which has assigned a key yet.
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
    /// The dialect of the store's SQL.
    var dialect: SQLDialect { .postgreSQL(schema: schema) }
  }

  /// The statements that create a store on a server.
  extension SQLSchema {
    func creation(of table: Table) -> String {
      let columns = table.columns.map { "\($0.name.quoted) \($0.serverType)" }
      // Leaves space in each page for new versions of its rows, which then need no new index
      // entries.
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

    /// The indexes on a server: fewer than in Core Data's file, as each is written with every new
    /// version of a row.
    ///
    /// Omits an index whose columns are the first ones of another index.
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
    /// The name, shortened to a server's limit.
    var serverName: String { name.shortened(to: 63) }
  }

  extension SQLSchema.Column {
    /// The column type on a server: one for all integers, one for all floating-point numbers.
    ///
    /// Texts are compared bytewise, as in memory.
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
