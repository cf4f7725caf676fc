#if PostgreSQL
  import DataModel

  /// A check of a store on a server: its schema, its bookkeeping and its rows.
  ///
  /// What the server guarantees is not checked if the schema still enforces it: that values have
  /// their column's type, and that keys and unique values are unique. There are no foreign keys,
  /// and only keys are NOT NULL.
  struct PostgreSQLCheck: StoreCheck {
    private let connection: PostgreSQLConnection
    private let contents: PostgreSQLContents
    let model: ManagedObjectModel
    let metadata: [String: PropertyList]
    let schema: SQLSchema
    let bindings: [EntityBinding]
    let joins: [JoinBinding]
    var problems: [StoreProblem] = []
    var database: any SQLDatabase { connection }

    /// Prepares to check a store of a model, in the caller's transaction.
    ///
    /// - Throws: `PostgreSQLError`; `PersistentStoreError` if it is not a store of the model.
    init(_ connection: PostgreSQLConnection, model: ManagedObjectModel) throws {
      self.connection = connection
      self.model = model
      let stored = try PostgreSQLStore.readMetadata(connection)
      metadata = stored.plist
      let location = connection.address.location
      if let mismatch = StoredMetadata.mismatch(of: metadata, with: model, at: location) {
        throw mismatch
      }
      contents = try PostgreSQLContents(connection)
      let bound = ModelBinding(
        model, store: PersistentStoreIdentity(identifier: stored.uuid),
        numbers: try Self.entityNumbers(connection, contents))
      (bindings, joins) = (bound.entities, bound.joins)
      schema = try SQLSchema(bound, dialect: connection.address.dialect)
    }

    /// The entity numbers by name; empty if the table cannot be read.
    private static func entityNumbers(
      _ connection: PostgreSQLConnection, _ contents: PostgreSQLContents
    ) throws -> [String: Int] {
      let table = contents.tables["Z_PRIMARYKEY"]
      guard table?["Z_NAME"] == PostgreSQLValue.Kind.text.rawValue,
        table?["Z_ENT"] == PostgreSQLValue.Kind.integer.rawValue
      else { return [:] }
      let found = try connection.run(
        """
        SELECT Z_NAME, Z_ENT FROM \(connection.address.dialect.table("Z_PRIMARYKEY"))
        WHERE Z_ENT > 0 AND Z_ENT < \(HistoryTables.leastNumber)
        """)
      var numbers: [String: Int] = [:]
      for row in 0..<found.count {
        if let name = found.text(row, 0) { numbers[name] = Int(found.integer(row, 1)) }
      }
      return numbers
    }

    /// Runs all checks.
    mutating func run() throws {
      checkMetadata(of: .postgreSQL)
      let hasNames = try checkNames(Self.bookkeeping) { [contents] table in
        contents.tables[table].map { Set($0.keys) }
      }
      let hasTypes = checkTypes()
      for table in [SQLUndoLog.table, SQLUndoLog.versions, "Z_MODELCACHE"]
      where contents.tables[table] == nil {
        report(.schema, "the table \(table) is missing")
      }
      guard hasNames, hasTypes else { return }
      checkIndexes()
      try checkBookkeeping()
      try checkRows(checkUniqueness())
      // A missing column would end the transaction.
      if contents.tables[SQLUndoLog.table].map({ $0["AUTHOR"] != nil && $0["CHANGES"] != nil })
        ?? false
      {
        try checkUndoLog()
      }
    }

    // MARK: Schema

    /// The tables without which a store cannot be opened.
    private static let bookkeeping = [
      SQLSchema.Table(
        name: "Z_METADATA",
        columns: [
          .init(name: "Z_UUID", type: "VARCHAR"), .init(name: "Z_PLIST", type: "BLOB"),
          .init(name: "Z_STATE", type: "INTEGER"),
        ]),
      SQLSchema.Table(
        name: "Z_PRIMARYKEY",
        columns: [
          .init(name: "Z_ENT", type: "INTEGER"), .init(name: "Z_NAME", type: "VARCHAR"),
          .init(name: "Z_SUPER", type: "INTEGER"), .init(name: "Z_MAX", type: "INTEGER"),
        ]),
    ]

    /// Checks that columns have the types that values are read as; returns false if one has another
    /// type.
    private mutating func checkTypes() -> Bool {
      var isUsable = true
      let joins = schema.joins.map { join in
        SQLSchema.Table(
          name: join.table,
          columns: (join.keys + join.orders).map { .init(name: $0, type: "INTEGER") })
      }
      for table in Self.bookkeeping + schema.tables + joins {
        for column in table.columns {
          guard let type = contents.tables[table.name]?[column.name],
            type != column.serverKind.rawValue
          else { continue }
          report(
            .missingTable,
            "\(table.name): the column \(column.name) is not of the type \(column.serverKind.name)")
          isUsable = false
        }
      }
      return isUsable
    }

    /// Checks for the indexes by which the members of a to-many are found.
    private mutating func checkIndexes() {
      for (entity, toOne) in ownToOnes {
        let (table, column) = (table(entity), columnName(toOne.slot, of: entity))
        if !contents.indexes.contains(where: { $0.table == table && $0.columns[0] == column }) {
          report(.schema, "\(table): an index that begins with \(column) is missing")
        }
      }
    }

    /// Checks for the unique indexes; if one is missing, returns the condition that finds
    /// duplicates.
    private mutating func checkUniqueness() -> [RowCondition] {
      var conditions: [RowCondition] = []
      for key in uniqueKeys {
        let isKept = contents.indexes.contains {
          $0.isUnique && $0.table == key.table && Set($0.columns) == Set(key.columns)
        }
        if isKept { continue }
        let list = key.columns.joined(separator: ", ")
        report(.schema, "\(key.table): a unique index of \(list) is missing")
        let columns = key.columns.map(\.quoted)
        let name = key.isOfLinks ? "l" : "t"
        conditions.append(
          RowCondition(
            kind: .repeatedValue, table: key.table,
            condition: """
              (\(columns.map { "\(name).\($0)" }.joined(separator: ", "))) IN (
                SELECT \(columns.joined(separator: ", ")) FROM \(schema.dialect.table(key.table))
                GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1)
              """, description: "with the same \(list) as another", entity: key.entity,
            property: key.property, areLinks: key.isOfLinks))
      }
      return conditions
    }

    /// Columns of a table whose combined values must be unique.
    private struct UniqueKey {
      let table: String
      let columns: [String]
      let entity: EntityBinding
      var property: String?
      var isOfLinks = false
    }

    private var uniqueKeys: [UniqueKey] {
      var keys = bindings.filter { $0.root == $0.index }.map { root in
        UniqueKey(table: table(root), columns: ["Z_PK"], entity: root)
      }
      for entity in bindings {
        for constraint in entity.description.uniquenessConstraints {
          let slots = constraint.compactMap { entity.slotsByName[$0] }
            .filter { $0 < entity.storedSlotCount }
          guard slots.count == constraint.count else { continue }
          let key = UniqueKey(
            table: table(entity), columns: slots.map { columnName($0, of: entity) },
            entity: entity, property: constraint.count == 1 ? constraint.first : nil)
          // A subentity may repeat a superentity's constraint.
          if !keys.contains(where: { $0.table == key.table && $0.columns == key.columns }) {
            keys.append(key)
          }
        }
      }
      return keys
        + zip(joins, schema.joins).map { join, names in
          UniqueKey(
            table: names.table, columns: names.keys, entity: binding(join.first.entity),
            property: join.first.name, isOfLinks: true)
        }
    }

    // MARK: Bookkeeping

    /// Checks the counters that every save uses: the state of the store and the highest keys.
    private mutating func checkBookkeeping() throws {
      let (metadata, numbers) = (
        schema.dialect.table("Z_METADATA"), schema.dialect.table("Z_PRIMARYKEY")
      )
      let hasMarks = contents.tables["Z_METADATA"]?["Z_MARKS"] != nil
      let checks: [(sql: String, wanted: Int64, description: String)] = [
        ("SELECT count(*) FROM \(metadata)", 1, "Z_METADATA has more than one row"),
        (
          "SELECT count(*) FROM \(metadata) WHERE Z_STATE IS NULL", 0,
          "Z_METADATA: Z_STATE, which counts what is saved, has no value"
        ),
        (
          "SELECT count(*) FROM \(metadata) WHERE \(hasMarks ? "Z_MARKS IS NULL" : "FALSE")", 0,
          "Z_METADATA: Z_MARKS, which tells what became of a lost commit, has no value"
        ),
        (
          "SELECT count(Z_ENT) - count(DISTINCT Z_ENT) FROM \(numbers)", 0,
          "Z_PRIMARYKEY has more than one row of an entity"
        ),
        (
          "SELECT count(*) FROM \(numbers) WHERE Z_MAX IS NULL", 0,
          "Z_PRIMARYKEY: Z_MAX has no value"
        ),
      ]
      try database.forEachNumber(of: checks.map(\.sql)) { index, number in
        let check = checks[index]
        if number != check.wanted { report(.bookkeeping, check.description) }
      }
    }
  }

  @available(*, unavailable) extension PostgreSQLCheck: Sendable {}

  extension SQLSchema.Column {
    /// The server's type for values of the column.
    fileprivate var serverKind: PostgreSQLValue.Kind {
      switch type {
      case "INTEGER PRIMARY KEY", "INTEGER": .integer
      case "VARCHAR": .text
      case "BLOB": .bytes
      default: .real
      }
    }
  }

  extension PostgreSQLValue.Kind {
    /// The server's name of the type.
    fileprivate var name: String {
      switch self {
      case .integer: "bigint"
      case .real: "double precision"
      case .bytes: "bytea"
      default: "text"
      }
    }
  }
#endif
