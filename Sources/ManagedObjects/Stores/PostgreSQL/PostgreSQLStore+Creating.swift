#if PostgreSQL
  import DataFormats
  import DataModel
  import SystemLibraries

  /// Stores that are not there yet.
  extension PostgreSQLStore {
    /// Makes a store where there is no schema or an empty one; it is there whole, or not at all.
    ///
    /// Where others are faster, theirs is left.
    static func make(_ connection: PostgreSQLConnection, _ model: ManagedObjectModel) throws {
      do {
        try exclusively(connection) {
          guard try isEmpty(connection) else { return }
          let uuid = UUID().uuidString
          let bound = ModelBinding(model, store: PersistentStoreIdentity(identifier: uuid))
          let schema = try SQLSchema(bound, dialect: connection.address.dialect)
          try connection.runAll(statements(schema, connection.address).joined(separator: ";\n"))
          try fill(connection, model, bound, uuid)
        }
      } catch let error as PostgreSQLError where error.isMadeByOthers {
        return
      }
    }

    /// Runs a body in a transaction which keeps out others who make or take away the store.
    static func exclusively(
      _ connection: PostgreSQLConnection, _ body: () throws -> Void
    ) throws {
      do {
        connection.begin(
          waiting: connection.patience, locking: connection.address.lockNumber,
          "SELECT pg_current_xact_id()::text")
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

    private static func statements(
      _ schema: SQLSchema, _ address: PostgreSQLAddress
    ) -> [String] {
      let dialect = address.dialect
      let tables = schema.tables.map { table in
        let columns = table.columns.map { "\($0.name.quoted) \($0.serverType)" }
        return "CREATE TABLE \(dialect.table(table.name)) (\(columns.joined(separator: ", ")))"
      }
      let joins = schema.joins.map { join in
        let columns = (join.keys + join.orders).map { "\($0.quoted) int8" }.joined(separator: ", ")
        let primary = join.keys.map(\.quoted).joined(separator: ", ")
        return "CREATE TABLE \(dialect.table(join.table)) (\(columns), PRIMARY KEY (\(primary)))"
      }
      let indexes = (schema.indexes + schema.joins.map(\.index)).map { index in
        """
        CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.shortened(to: 63).quoted)
        ON \(dialect.table(index.table)) (\(index.parts.joined(separator: ", ")))
        """
      }
      return ["CREATE SCHEMA IF NOT EXISTS \(address.schema.quotedAlways)"] + tables + joins
        + indexes + undoLogStatements(dialect) + [
          keptStatement(dialect),
          """
          CREATE TABLE \(dialect.table("Z_PRIMARYKEY"))
          (Z_ENT int8 PRIMARY KEY, Z_NAME text, Z_SUPER int8, Z_MAX int8)
          """,
          """
          CREATE TABLE \(dialect.table("Z_METADATA"))
          (Z_VERSION int8 PRIMARY KEY, Z_UUID text, Z_PLIST bytea, Z_STATE int8)
          """, "CREATE TABLE \(dialect.table("Z_MODELCACHE")) (Z_CONTENT bytea)",
        ]
    }

    private static func fill(
      _ connection: PostgreSQLConnection, _ model: ManagedObjectModel, _ bound: ModelBinding,
      _ uuid: String
    ) throws {
      let dialect = connection.address.dialect
      for binding in bound.entities {
        let parent = bound.entities.first { $0.name == binding.description.superentityName }
        try connection.run(
          "INSERT INTO \(dialect.table("Z_PRIMARYKEY")) VALUES (?, ?, ?, 0)",
          [
            .integer(Int64(binding.number)), .text(binding.name),
            .integer(Int64(parent?.number ?? 0)),
          ])
      }
      let metadata = StoredMetadata.modelMetadata(model).merging([
        "NSStoreType": .string(StoreType.postgreSQL.rawValue)
      ]) { $1 }
      try connection.run(
        "INSERT INTO \(dialect.table("Z_METADATA")) VALUES (1, ?, ?, 0)",
        [.text(uuid), .bytes(PropertyList.dictionary(metadata).binary)])
      try connection.run(
        "INSERT INTO \(dialect.table("Z_MODELCACHE")) VALUES (?)", [.bytes(model.modelCache)])
    }
  }

  extension PostgreSQLAddress {
    /// The SQL that is written for the store.
    var dialect: SQLDialect { .postgreSQL(schema: schema) }
  }

  extension SQLSchema.Column {
    /// The type that a server keeps the values in: one for all whole numbers, one for all others.
    ///
    /// Texts are compared by their bytes, as in memory.
    fileprivate var serverType: String {
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
