import DataModel
import SystemLibraries

/// Replacing all contents of a store by those of another one.
extension SQLiteStore {
  /// Creates a store with the UUID and the application's metadata of another one.
  static func makeDraft(
    at url: URL, model: ManagedObjectModel, metadata: [String: PropertyList]
  ) throws {
    do {
      try make(at: url, path: url.filePath, model: model)
      let connection = try Connection(path: url.filePath, access: .readWrite, waiting: 0)
      try connection.transaction {
        try changeMetadata(connection, at: url, nil) { plist in
          plist.merge(metadata.filter { !StoredMetadata.describesFile($0.key) }) { $1 }
          plist.merge(StoredMetadata.modelMetadata(model)) { $1 }
        }
        guard case .string(let uuid)? = metadata[StoredMetadata.uuidKey] else { return }
        let statement = try connection.statement("UPDATE Z_METADATA SET Z_UUID = ?")
        statement.bind(uuid, at: 1)
        try statement.run()
      }
    } catch let error as SQLiteError {
      throw PersistentStoreError(error, at: url)
    }
  }

  /// Replaces all contents of a store by those of a draft, with the write lock held.
  ///
  /// - Parameters:
  ///   - source: the model that the store was made with.
  ///   - destination: the model of the draft.
  ///   - options: how long to wait for locks, and the URL of the backup.
  ///   - fill: fills the draft from the store, whose metadata it receives; returns the mapping.
  /// - Returns: the result; nil if another process has migrated it already.
  /// - Throws: `PersistentStoreError`, errors of filling; the store is unchanged then.
  static func replaceContents(
    ofStoreAt url: URL, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    options: PersistentStoreOptions,
    _ fill: (PersistentStoreCoordinator, [String: PropertyList], MigrationDraft) throws ->
      MappingModel
  ) throws -> MigrationResult? {
    if options.isReadOnly { throw PersistentStoreError.readOnly(url) }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: source)
    let added: PersistentStore
    do {
      added = try coordinator.addPersistentStore(
        type: .sqlite, at: url, options: options.forMigrating)
    } catch PersistentStoreError.incompatibleModel(_, destination.entityVersionHashesByName, _) {
      // Another process has migrated it since its model was read.
      return nil
    }
    guard let store = added as? SQLiteStore else { return nil }
    // Another process may have migrated it meanwhile; that is checked below, and is no error.
    store.connection.expectedContents = nil
    return try coordinator.performWriting {
      // Read again now that the write lock is held.
      let metadata = try coordinator.metadata(for: store)
      let found = try store.mappingErrors { try readMetadata(store.connection, at: url) }
      if try isStore(store.connection, found, of: destination, at: url) { return nil }
      if let mismatch = StoredMetadata.mismatch(of: metadata, with: source, at: url) {
        throw mismatch
      }
      try store.mappingErrors { try store.refuseToReplace() }
      var backup: MigrationBackup?
      var made: MigrationDraft?
      do {
        backup = try MigrationBackup(of: url, source, options)
        // There is one writer at a time: an existing draft was left by a killed process.
        let draft = try MigrationDraft(
          in: ".\(url.lastPathComponent).migrating", beside: url, of: destination)
        made = draft
        let mapping = try fill(coordinator, metadata, draft)
        // If the program is killed after the commit, the draft is removed already.
        let losesUndoLog = try draft.withStore { _, filled in
          try store.replaceContents(with: filled) { draft.remove() }
        }
        return MigrationResult(mapping: mapping, droppedUndoLog: losesUndoLog)
      } catch PersistentStoreError.full(let file) {
        backup?.discard()
        // The draft is an implementation detail, another folder may not be.
        throw PersistentStoreError.full(made?.contains(file) == true ? url : file)
      } catch {
        // If the changes may have been committed nevertheless, the backup may be needed.
        if case PersistentStoreError.uncertain = error { throw error }
        backup?.discard()
        throw error
      }
    }
  }

  /// Throws for contents that would be lost, or become wrong, if every object is created again.
  private func refuseToReplace() throws {
    let contents = try StoreContents(connection)
    // CloudKit's tables refer to objects by their keys.
    if contents.isMirrored {
      throw PersistentStoreError.cannotWrite(fileURL, .cloudKit)
    }
    try schema.refuseRowsOfNoEntity(on: connection)
  }

  /// Migrates a copy of a store, which then replaces its contents, in one transaction.
  ///
  /// - Parameter migrate: migrates the copy, with these options; returns the mapping.
  static func migrateInCopy(
    _ url: URL, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    options: PersistentStoreOptions,
    _ migrate: (_ copy: URL, PersistentStoreOptions) throws -> MappingModel
  ) throws -> MigrationResult? {
    try replaceContents(
      ofStoreAt: url, from: source, to: destination, options: options
    ) { _, _, draft in
      let coordinator = PersistentStoreCoordinator(managedObjectModel: source)
      var reading = options.forMigrating
      reading.isReadOnly = true
      try coordinator.copy(
        coordinator.addPersistentStore(type: .sqlite, at: url, options: reading), to: draft.url)
      var options = options
      options.migrationBackupURL = nil
      return try migrate(draft.url, options)
    }
  }

  /// Replaces the tables of the model and of the store's bookkeeping by another store's.
  ///
  /// This is one transaction; tables of other programs are kept.
  ///
  /// - Parameter willCommit: called when all is copied and only the commit is left.
  /// - Returns: whether there was an undo log, which is dropped.
  private func replaceContents(
    with other: SQLiteStore, willCommit: () -> Void
  ) throws -> Bool {
    try mappingErrors {
      let old = try fileNames(in: connection)
      let new = try other.mappingErrors { try other.fileNames(in: other.connection) }
      let otherFiles = ExternalDataFiles(of: other.fileURL)
      var copied: [String] = []
      do {
        // A file never changes: an existing one of that name has the same contents.
        for name in new.subtracting(old).sorted() {
          try otherFiles.copy(name, to: files)
          copied.append(name)
        }
        let losesUndoLog = try connection.transaction {
          defer { willCommit() }
          return try replaceTables(from: other.connection)
        }
        drop(Array(old.subtracting(new)))
        return losesUndoLog
      } catch {
        // Whether it was committed is unknown: an extra file does no harm.
        if (error as? SQLiteError)?.isUncertain != true {
          for name in copied { files.remove(name) }
        }
        throw error
      }
    }
  }

  private func replaceTables(from other: Connection) throws -> Bool {
    let contents = try StoreContents(connection)
    let counters = try historyCounters()
    // A copy of the store was migrated together with its history; a newly created one has none.
    let isCopy = try MigratedHistory(other) != nil
    let vacuumLevel = try Self.readMetadata(connection, at: fileURL).plist[StoredMetadata.vacuumKey]
    let own = [
      "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", SQLUndoLog.table, SQLUndoLog.versions,
    ]
    let history = isCopy ? HistoryTables.names : []
    for table in schema.allTables + own + history where contents.tables.contains(table) {
      try connection.execute("DROP TABLE \(table.quoted)")
    }
    let others = Set(try StoreContents(connection).tables)
    // Rows before indexes and triggers, which would be updated for each row.
    let found = try other.statement(
      """
      SELECT type, name, sql, tbl_name FROM sqlite_schema
      WHERE sql NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY type <> 'table'
      """)
    defer { found.reset() }
    while try found.step() {
      // Tables that are not the model's are kept; a draft that is a copy has them too.
      if others.contains(found.string(at: 3) ?? "") { continue }
      try connection.execute(found.string(at: 2) ?? "")
      if found.string(at: 0) == "table" { try copyRows(of: found.string(at: 1) ?? "", from: other) }
    }
    let insert = try connection.statement("INSERT OR REPLACE INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)")
    for counter in counters where !isCopy {
      insert.bind(counter.number, at: 1)
      insert.bind(counter.name, at: 2)
      insert.bind(counter.highest, at: 3)
      try insert.run()
    }
    if !isCopy, let history = try MigratedHistory(connection) {
      try history.forgetChanges()
      try history.addMarker()
    }
    // The file is the old one.
    try Self.changeMetadata(connection, at: fileURL, nil) {
      $0[StoredMetadata.vacuumKey] = vacuumLevel
    }
    return try contents.tables.contains(SQLUndoLog.table)
      && !StoreContents(connection).tables.contains(SQLUndoLog.table)
  }

  /// The counters of a persistent history: its numbers are never reused.
  private func historyCounters() throws -> [(number: Int64, name: String, highest: Int64)] {
    let statement = try connection.statement(
      """
      SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT >= \(HistoryTables.leastNumber)
      """)
    defer { statement.reset() }
    var counters: [(Int64, String, Int64)] = []
    while try statement.step() {
      counters.append(
        (statement.integer(at: 0), statement.string(at: 1) ?? "", statement.integer(at: 2)))
    }
    return counters
  }

  private func copyRows(of table: String, from other: Connection) throws {
    let rows = try other.statement("SELECT * FROM \(table.quoted)")
    defer { rows.reset() }
    let parameters = Array(repeating: "?", count: Int(rows.columnCount)).joined(separator: ", ")
    let insert = try connection.statement("INSERT INTO \(table.quoted) VALUES (\(parameters))")
    while try rows.step() {
      insert.bind(columnsOf: rows)
      try insert.run()
    }
  }
}
