#if PostgreSQL
  import DataFormats
  import DataModel
  import SystemLibraries

  extension PostgreSQLStore {
    /// Opens a store, or creates one if its schema is missing or empty.
    ///
    /// - Throws: `PersistentStoreError` with the reason.
    static func open(
      _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
    ) throws -> PostgreSQLStore {
      try connected(url, options) { connection in
        let stored = try stored(connection, orCreate: model, options)
        if !options.ignoresModelVersioning,
          let mismatch = StoredMetadata.mismatch(
            of: stored.metadata.plist, with: model, at: connection.address.location)
        {
          throw mismatch
        }
        let identity = PersistentStoreIdentity(identifier: stored.metadata.uuid)
        let bound = ModelBinding(
          model, store: identity, offset: offset, numbers: stored.numbers)
        let schema = try SQLSchema(bound, dialect: connection.address.dialect)
        let store = PostgreSQLStore(
          reader: PostgreSQLReader(
            connection, schema: schema, bindings: bound.entities, opened: stored.metadata),
          model: model, identity: identity, bound: bound, offset: offset, options: options,
          obstacle: stored.hasHistory ? obstacle(options) : nil, keepsMarks: stored.keepsMarks)
        if options.tracksPersistentHistory, !options.isReadOnly {
          store.history = try SQLHistory(connection, of: store.bindings)
        }
        if options.undoLogLimit > 0 {
          store.undoLog = SQLUndoLog(
            database: connection, limit: options.undoLogLimit, schema: schema)
        }
        return store
      }
    }

    /// The obstacle to writing a store with a history; nil for none.
    static func obstacle(
      _ options: PersistentStoreOptions
    ) -> PersistentStoreError.WriteObstacle? {
      let accepted = options.acceptedObstacles(isMirrored: false)
      return options.isReadOnly || accepted.contains(.persistentHistory) ? nil : .persistentHistory
    }

    /// Runs a body with a connection and rethrows its errors as `PersistentStoreError`.
    static func connected<Result>(
      _ url: URL, _ options: PersistentStoreOptions,
      _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
      let address: PostgreSQLAddress
      do {
        address = try PostgreSQLAddress(url)
      } catch let error as PostgreSQLError {
        throw PersistentStoreError.serverFailed(
          URL(string: url.location) ?? url, state: error.state, reason: error.message)
      }
      return try PersistentStoreError.mapping(of: address) {
        try body(PostgreSQLConnection(address, waiting: options.busyTimeout))
      }
    }

    /// The bookkeeping of a store, which is created if there is none.
    private static func stored(
      _ connection: PostgreSQLConnection, orCreate model: ManagedObjectModel,
      _ options: PersistentStoreOptions
    ) throws -> Stored {
      guard options.createsFile, !options.isReadOnly else {
        return try reading(connection) { try readAll(connection) }
      }
      do {
        return try readAll(connection)
      } catch let error as PostgreSQLError where error.isMissingTable {
        try model.checkDerivations()
        try make(connection, model)
        do {
          // Created by this process, or by another one meanwhile.
          return try readAll(connection)
        } catch let error as PostgreSQLError where error.isMissingTable {
          throw try missing(connection)
        }
      }
    }

    /// Runs a body that reads a store's tables, again if they are created in the meantime.
    ///
    /// - Throws: `PersistentStoreError` if they do not exist.
    static func reading<Result>(
      _ connection: PostgreSQLConnection, _ body: () throws -> Result
    ) throws -> Result {
      do {
        return try body()
      } catch let error as PostgreSQLError where error.isMissingTable || error.isMissingColumn {
        // Another program may have tables with the same names.
        let missing = try missing(connection)
        guard case .notAStore = missing else { throw missing }
        do {
          return try body()
        } catch let error as PostgreSQLError where error.isMissingTable || error.isMissingColumn {
          throw missing
        }
      }
    }

    /// The error if the tables of a store do not exist.
    private static func missing(_ connection: PostgreSQLConnection) throws -> PersistentStoreError {
      let location = connection.address.location
      return try isEmpty(connection) ? .fileNotFound(location) : .notAStore(location)
    }

    // MARK: Metadata

    static func readMetadata(_ connection: PostgreSQLConnection) throws -> StoredMetadata {
      let found = try connection.run(
        "SELECT Z_UUID, Z_PLIST FROM \(connection.address.dialect.table("Z_METADATA"))")
      return try metadata(in: found, of: connection)
    }

    /// Changes the property list in the caller's transaction.
    ///
    /// - Parameter recorder: records every changed key.
    static func changeMetadata(
      _ connection: PostgreSQLConnection, _ recorder: UndoRecorder?,
      _ change: (inout [String: PropertyList]) throws -> Void
    ) throws {
      var stored = try readMetadata(connection)
      let before = stored.plist
      try change(&stored.plist)
      recorder?.changedMetadata(from: before, to: stored.plist)
      try connection.run(
        "UPDATE \(connection.address.dialect.table("Z_METADATA")) SET Z_PLIST = ?",
        [.bytes(PropertyList.dictionary(stored.plist).binary)])
    }

    /// The bookkeeping of a store.
    struct Stored {
      let metadata: StoredMetadata
      /// The entity numbers by name.
      var numbers: [String: Int] = [:]
      /// Whether there is a persistent history.
      var hasHistory = false
      /// Whether the metadata contain marks of transactions.
      let keepsMarks: Bool
    }

    /// Reads the bookkeeping of a store in one round trip.
    static func readAll(_ connection: PostgreSQLConnection) throws -> Stored {
      let dialect = connection.address.dialect
      let table = dialect.table("Z_METADATA")
      let found = try connection.run(
        """
        SELECT m.Z_UUID, m.Z_PLIST, p.Z_NAME, p.Z_ENT, EXISTS (
          SELECT 1 FROM pg_catalog.pg_attribute
          WHERE attrelid = to_regclass(?) AND attname = 'z_marks' AND NOT attisdropped)
        FROM \(table) AS m
        LEFT JOIN \(dialect.table("Z_PRIMARYKEY")) AS p ON TRUE
        """, [.text(table)])
      var stored = Stored(
        metadata: try metadata(in: found, of: connection),
        keepsMarks: found.bytes(0, 4)?.first == 1)
      for row in 0..<found.count {
        let number = Int(found.integer(row, 3))
        if number >= HistoryTables.leastNumber {
          stored.hasHistory = true
        } else if let name = found.text(row, 2) {
          stored.numbers[name] = number
        }
      }
      return stored
    }

    private static func metadata(
      in found: PostgreSQLResult, of connection: PostgreSQLConnection
    ) throws -> StoredMetadata {
      guard found.count > 0, let uuid = found.text(0, 0), uuid.utf8.count <= 255,
        let bytes = found.bytes(0, 1),
        case .dictionary(let plist)? = try? PropertyList(binary: Array(bytes))
      else { throw PersistentStoreError.notAStore(connection.address.location) }
      return StoredMetadata(uuid: uuid, plist: plist)
    }

    // MARK: Stores that are not open

    /// Reads the metadata of a store of any model.
    static func metadata(at url: URL) throws -> [String: PropertyList] {
      try connected(url, PersistentStoreOptions()) { connection in
        try reading(connection) { try readMetadata(connection).all }
      }
    }

    /// Whether two URLs lead to the same store, of any model; the server is asked only if both have
    /// the same UUID.
    ///
    /// A copy has the same UUID, and a database may have several names: so one connection takes an
    /// advisory lock with a random number, and the other tries to take it too, which fails if both
    /// use the same database. Returns false if the engine has no advisory locks or if one of them
    /// is not a store.
    static func isSame(_ url: URL, as other: URL) throws -> Bool {
      try connected(url, PersistentStoreOptions()) { connection in
        try connected(other, PersistentStoreOptions()) { otherConnection in
          guard connection.address.schema == otherConnection.address.schema,
            connection.engine.hasAdvisoryLocks
          else { return false }
          do {
            guard try readMetadata(connection).uuid == readMetadata(otherConnection).uuid
            else { return false }
          } catch let error as PostgreSQLError where error.isMissingTable {
            return false
          }
          let number = Int64.random(in: 1 ... .max)
          defer { connection.rollBack() }
          try connection.runAll("BEGIN; SELECT pg_advisory_xact_lock(\(number))")
          let isTaken = try otherConnection.run("SELECT pg_try_advisory_xact_lock(\(number))")
          return isTaken.bytes(0, 0)?.first == 0
        }
      }
    }

    /// Writes the metadata of a store of any model.
    static func setMetadata(_ metadata: [String: PropertyList], at url: URL) throws {
      try connected(url, PersistentStoreOptions()) { connection in
        try exclusively(connection) {
          try changeMetadata(connection, nil) {
            StoredMetadata.replaceOwnKeys(of: &$0, with: metadata)
          }
        }
      }
    }

    /// Destroys a store by dropping its schema; does nothing if there is none.
    static func destroy(at url: URL, options: PersistentStoreOptions) throws {
      try connected(url, options) { connection in
        try exclusively(connection) {
          if try isEmpty(connection) { return }
          let marks = try connection.run(
            "SELECT to_regclass(?) IS NOT NULL",
            [.text(connection.address.dialect.table("Z_METADATA"))])
          guard marks.bytes(0, 0)?.first == 1 || options.forcesDestroy else {
            throw PersistentStoreError.notAStore(connection.address.location)
          }
          try connection.run("DROP SCHEMA \(connection.address.schema.quotedAlways) CASCADE")
        }
      }
    }
  }
#endif
