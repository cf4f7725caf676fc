#if PostgreSQL
  import DataModel
  import SystemLibraries

  /// Migrating stores of another version of their model in place.
  extension PostgreSQLStore {
    /// Opens a store; one of another version is migrated first, if the options enable that.
    ///
    /// - Throws: `PersistentStoreError` with the reason; `MigrationError`.
    static func openOrMigrate(
      _ url: URL, model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
    ) throws -> PostgreSQLStore {
      do {
        return try open(url, model: model, options: options, offset: offset)
      } catch PersistentStoreError.incompatibleModel
        where options.migratesAutomatically && !options.isReadOnly
      {
        _ = try migrate(url, to: model, options: options) { _ in }
        return try open(url, model: model, options: options, offset: offset)
      }
    }

    /// Migrates a store through a temporary SQLite store, in one transaction.
    ///
    /// The SQLite store is in a folder for temporary files. Other connections cannot write in the
    /// meantime; they read the old contents until the commit. A backup is a SQLite store, too.
    ///
    /// - Returns: the result; nil if there was nothing to do, or another process has migrated it
    ///   already.
    /// - Throws: `MigrationError`, `PersistentStoreError`; the store is unchanged then.
    static func migrate(
      _ url: URL, to model: ManagedObjectModel, options: PersistentStoreOptions,
      progress: @escaping (Double) -> Void
    ) throws -> MigrationResult? {
      try model.checkDerivations()
      if options.isReadOnly { throw PersistentStoreError.readOnly(url) }
      return try connected(url, options) { connection in
        guard connection.engine.hasTransactionalDDL else {
          throw PersistentStoreError.unsupportedOperation(
            .postgreSQL, "be migrated on \(connection.engine.name)")
        }
        var backup: MigrationBackup?
        do {
          var result: MigrationResult?
          try exclusively(connection) {
            result = try migrate(connection, to: model, options, &backup, progress)
          }
          return result
        } catch let error as PostgreSQLError {
          // Whether it was committed is unknown: an extra file does no harm.
          if error.commitOutcome != .unknown { backup?.discard() }
          throw error.isMissingTable ? PersistentStoreError.notAStore(url) : error
        } catch {
          backup?.discard()
          throw error
        }
      }
    }

    /// Migrates a store, inside a transaction that prevents others from writing.
    private static func migrate(
      _ connection: PostgreSQLConnection, to model: ManagedObjectModel,
      _ options: PersistentStoreOptions, _ backup: inout MigrationBackup?,
      _ progress: @escaping (Double) -> Void
    ) throws -> MigrationResult? {
      let location = connection.address.location
      connection.queue(waitForProgram)
      let stored = try readAll(connection)
      let found = stored.metadata
      guard StoredMetadata.mismatch(of: found.plist, with: model, at: location) != nil else {
        return nil
      }
      if stored.hasHistory, let obstacle = obstacle(options) {
        throw PersistentStoreError.cannotWrite(location, obstacle)
      }
      let source = try sourceModel(of: found.plist, connection, options)
      let old = try store(connection, found, source, stored.numbers, options)
      let draft = try MigrationDraft(forCopyOf: location, of: source)
      return try draft.mappingErrors(at: location) {
        try draft.fill(from: old)
        // Without the history, whose tombstones are not readable in a file.
        backup = try MigrationBackup(of: draft.url, source, options)
        let history = try HistoryTables(connection)
        if let history { try draft.takeHistory(history) }
        var migrating = options
        migrating.migrationBackupURL = nil
        // The history is then migrated with the draft, as in any store with a history.
        migrating.tracksPersistentHistory = history != nil
        migrating.tombstonesAreBytes = true
        let result = try PersistentStoreCoordinator.migrateStore(
          at: draft.url, to: model, from: [source], options: migrating,
          progress: { progress($0 * 0.9) })
        guard let result else { fatalError("The draft is of the source's model.") }
        let migrated = try MigrationDraft.withStore(at: draft.url, of: model) { _, migrated in
          try takeOver(migrated, in: connection, from: old, found, model, options)
        }
        progress(1)
        return MigrationResult(mapping: result.mapping, droppedUndoLog: migrated)
      }
    }

    /// Replaces a store's contents by those of a SQLite store of another model.
    ///
    /// Returns whether there were undo steps, which are discarded.
    private static func takeOver(
      _ migrated: SQLiteStore, in connection: PostgreSQLConnection, from old: PostgreSQLStore,
      _ found: StoredMetadata, _ model: ManagedObjectModel, _ options: PersistentStoreOptions
    ) throws -> Bool {
      let new = try store(connection, found, model, [:], options)
      let change = PostgreSQLSchemaChange(connection, from: old.schema, to: new.schema)
      try change.makeTables()
      try writeEntities(connection, ModelBinding(model, store: new.identity))
      try StoreTransfer(source: migrated).fill(new)
      try change.makeIndexes()
      if let history = try HistoryTables(migrated.connection) {
        try HistoryTables.make(on: connection, tombstones: history.tombstoneCount)
        try HistoryTables(connection)?.replaceAll(by: history)
      }
      let dialect = connection.address.dialect
      let metadata = try migrated.metadata()
      try connection.run(
        "UPDATE \(dialect.table("Z_METADATA")) SET Z_PLIST = ?, Z_STATE = Z_STATE + 1",
        [.bytes(Self.metadata(found.plist, of: model, metadata))])
      try connection.run(
        "UPDATE \(dialect.table("Z_MODELCACHE")) SET Z_CONTENT = ?", [.bytes(model.modelCache)])
      // They refer to rows in their old form.
      try connection.run("DELETE FROM \(dialect.table(SQLUndoLog.versions))")
      return try connection.run("DELETE FROM \(dialect.table(SQLUndoLog.table)) RETURNING 1").count
        > 0
    }

    /// A store of a model over a connection.
    ///
    /// - Parameter numbers: the numbers of its entities, by name; empty for new ones.
    private static func store(
      _ connection: PostgreSQLConnection, _ found: StoredMetadata, _ model: ManagedObjectModel,
      _ numbers: [String: Int], _ options: PersistentStoreOptions
    ) throws -> PostgreSQLStore {
      let identity = PersistentStoreIdentity(identifier: found.uuid)
      let bound = ModelBinding(model, store: identity, offset: 0, numbers: numbers)
      let schema = try SQLSchema(bound, dialect: connection.address.dialect)
      return PostgreSQLStore(
        reader: PostgreSQLReader(connection, schema: schema, bindings: bound.entities),
        model: model, identity: identity, bound: bound, offset: 0, options: options)
    }

    /// The model that a store was made with: one of the options', or the embedded one.
    ///
    /// - Throws: `MigrationError.missingSourceModel`, `ModelArchiveError`.
    private static func sourceModel(
      of metadata: [String: PropertyList], _ connection: PostgreSQLConnection,
      _ options: PersistentStoreOptions
    ) throws -> ManagedObjectModel {
      if let model = StoredMetadata.model(of: metadata, among: options.sourceModels) {
        return model
      }
      let held = try connection.run(
        "SELECT Z_CONTENT FROM \(connection.address.dialect.table("Z_MODELCACHE"))")
      if held.count > 0, let content = held.bytes(0, 0),
        let model = StoredMetadata.model(
          of: metadata, among: [try ManagedObjectModel(modelCache: Array(content))])
      {
        return model
      }
      throw MigrationError.missingSourceModel(connection.address.location)
    }
  }
#endif
