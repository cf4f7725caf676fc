import DataModel
import SystemLibraries

/// Everything in a store replaced by what is in another one.
extension SQLiteStore {
  /// Makes a store with the UUID and the application's metadata of another one.
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

  /// Replaces everything in a store by what is in a draft, while nobody else can write.
  ///
  /// - Parameters:
  ///   - source: the model that the store was made with.
  ///   - destination: the model of the draft.
  ///   - options: how long to wait for others, and where to keep a copy.
  ///   - fill: fills the draft from the store, which it gets with its metadata; gives what was
  ///     done.
  /// - Returns: what was done; nil where another process was faster.
  /// - Throws: `PersistentStoreError`, what filling throws; the store is as it was then.
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
      // Another process was faster since it was looked whose the store is.
      return nil
    }
    guard let store = added as? SQLiteStore else { return nil }
    // Another process may have migrated it meanwhile; that is checked below, and is no error.
    store.connection.expectedContents = nil
    return try coordinator.performWriting {
      // As it is now that nobody else can write.
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
        // One writer at a time: what is there already was left by one that was killed.
        let draft = try MigrationDraft(
          in: ".\(url.lastPathComponent).migrating", beside: url, of: destination)
        made = draft
        let mapping = try fill(coordinator, metadata, draft)
        // A program that is killed behind the commit leaves nothing of it.
        let losesUndoLog = try draft.withStore { _, filled in
          try store.replaceContents(with: filled) { draft.remove() }
        }
        return MigrationResult(mapping: mapping, droppedUndoLog: losesUndoLog)
      } catch PersistentStoreError.full(let file) {
        backup?.discard()
        // The draft is nobody's business, another folder may be.
        throw PersistentStoreError.full(made?.contains(file) == true ? url : file)
      } catch {
        // What may have been committed after all may need its copy.
        if case PersistentStoreError.uncertain = error { throw error }
        backup?.discard()
        throw error
      }
    }
  }

  /// Refuses what would be lost, or would lie, where every object is made anew.
  private func refuseToReplace() throws {
    let contents = try StoreContents(connection)
    // CloudKit's tables know objects by their keys.
    if contents.isMirrored {
      throw PersistentStoreError.cannotWrite(fileURL, .cloudKit)
    }
    try schema.refuseRowsOfNoEntity(on: connection)
  }

  /// Migrates a store in a copy, which then replaces what is in the store, in one transaction.
  ///
  /// - Parameter migrate: migrates the copy, with these options; gives what was done.
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

  /// Replaces the tables of the model, and what the store knows of itself, by another store's, in
  /// one transaction; tables of others stay.
  ///
  /// - Parameter willCommit: is called when all is copied and only the commit is left.
  /// - Returns: whether there was an undo log, and there is none any more.
  private func replaceContents(
    with other: SQLiteStore, willCommit: () -> Void
  ) throws -> Bool {
    try mappingErrors {
      let old = try fileNames(in: connection)
      let new = try other.mappingErrors { try other.fileNames(in: other.connection) }
      let otherFiles = ExternalDataFiles(of: other.fileURL)
      var copied: [String] = []
      do {
        // A file never changes: what is there under that name is it.
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
        // Whether it was committed is not known: a file too many does no harm.
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
    // A copy of the store has gone the way with its history; what was made anew has none.
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
    // Rows before indexes and triggers, which would do their work for each.
    let found = try other.statement(
      """
      SELECT type, name, sql, tbl_name FROM sqlite_schema
      WHERE sql NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY type <> 'table'
      """)
    defer { found.reset() }
    while try found.step() {
      // What is not the model's stays; a draft that is a copy has it too.
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

  /// The counters of a persistent history: its numbers are never given again.
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
