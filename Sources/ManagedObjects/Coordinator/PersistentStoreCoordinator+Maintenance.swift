public import DataModel
public import SystemLibraries

/// Maintaining stores: checking them, copying them, detecting changes by other processes.
extension PersistentStoreCoordinator {
  /// The paths of a SQLite store's file and of its log, index and journal, whether they exist or
  /// not.
  ///
  /// For programs that must not overwrite them. Links to the file are followed.
  package static func filePaths(ofStoreAt url: URL) -> [String] {
    let path = url.filePath.resolvingFinalSymlink
    return ["", "-wal", "-shm", "-journal"].map { path + $0 }
  }

  /// Checks a store for damage; returns an empty array if there is none.
  ///
  ///     let damage = try coordinator.problems(in: store).filter { $0.kind == .damagedFile }
  ///
  /// Checks its file, tables, metadata, entity numbers and keys, the references of rows and links,
  /// order keys, and files of large values. Reads the whole file; stores of other types are not
  /// checked.
  ///
  /// For a store on a server everything except files is checked, in one state, requiring only the
  /// right to read. The server scans a table once for each kind of damage to its rows, and once
  /// more for each kind that it finds; no row is transferred.
  ///
  /// - Throws: `PersistentStoreError` if it cannot be read.
  public func problems(in store: PersistentStore) throws -> [StoreProblem] {
    #if PostgreSQL
      if let store = store as? PostgreSQLStore {
        return try locked {
          try store.mappingErrors {
            try PostgreSQLStore.problems(store.connection, model: store.model)
          }
        }
      }
    #endif
    guard let store = store as? SQLiteStore else { return [] }
    return try locked {
      try store.mappingErrors {
        try store.followChanges()
        return try SQLiteStore.problems(
          store.connection, model: store.model, at: store.fileURL)
      }
    }
  }

  /// Checks a store that is not open, even one that is too damaged to be opened.
  ///
  ///     let problems = try PersistentStoreCoordinator.problems(ofStoreAt: url, model: .dogWalk)
  ///
  /// Changes no file. Reads the whole file, or makes a server scan its tables; see
  /// ``problems(in:)``.
  ///
  /// - Throws: `PersistentStoreError` if there is no store of the model, or it cannot be read.
  public static func problems(
    ofStoreAt url: URL, model: ManagedObjectModel
  ) throws -> [StoreProblem] {
    guard url.isPostgreSQL else { return try SQLiteStore.problems(at: url, model: model) }
    #if PostgreSQL
      return try PostgreSQLStore.problems(at: url, model: model)
    #else
      throw PersistentStoreError.unknownStoreType(.postgreSQL)
    #endif
  }

  /// The files of large values of a SQLite store to which no row refers.
  ///
  ///     for url in try coordinator.unusedExternalDataFiles(of: store) { print(url.path) }
  ///
  /// A program that was killed during a save may have left them; they do no harm except taking up
  /// space. Only files that are at least a day old are included, since a newer one may belong to a
  /// save in progress. The result is empty if another file has the store's name with another
  /// extension (`Kennel.db` next to `Kennel.sqlite`): it may be a store too, and then both keep
  /// their files in one folder. It is also empty if the store was opened through a symbolic link,
  /// which may have referred to another store before. Reads the columns of all tables that may
  /// refer to files; a store of another type has none.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  public func unusedExternalDataFiles(of store: PersistentStore) throws -> [URL] {
    guard let store = store as? SQLiteStore else { return [] }
    return try locked { try store.strayFiles() }
  }

  /// Removes the files that `unusedExternalDataFiles(of:)` finds; returns those that were removed.
  ///
  ///     let removed = try coordinator.removeUnusedExternalDataFiles(of: store)
  ///
  /// Other processes may have the store open: files are removed while no connection writes or reads
  /// an older state. A backup of the store's file refers to its files of large values by name; when
  /// it is restored, those that are stray now are missing. Restore such backups first, or make them
  /// with `copy(_:to:withoutUndoLog:)`, which copies these files.
  ///
  /// - Throws: `PersistentStoreError`: `busy` if another connection reads an older state or keeps
  ///   writing, and within `performWriting`; `readOnly`; any other error of reading. No file was
  ///   removed then.
  @discardableResult
  public func removeUnusedExternalDataFiles(of store: PersistentStore) throws -> [URL] {
    guard let store = store as? SQLiteStore else { return [] }
    return try locked { try store.removeStrayFiles() }
  }

  /// A number that changes with every save by another connection, process or program.
  ///
  ///     let seen = try coordinator.changeCount(of: store)
  ///     // … later
  ///     if try coordinator.changeCount(of: store) != seen { /* fetch again */ }
  ///
  /// For programs that poll: no table of a SQLite file is read, and a document only if it was
  /// changed; a server takes one round trip. Saves through this coordinator do not change it. A
  /// store in memory is not shared; an ``IncrementalStore`` does not report changes, so its number
  /// is constant.
  ///
  /// - Throws: `PersistentStoreError` if it cannot be read.
  public func changeCount(of store: PersistentStore) throws -> Int64 {
    try locked { try store.changeCount() }
  }

  /// Whether a store's file was moved away or replaced since it was opened.
  ///
  /// Its saves throw `PersistentStoreError.moved` then, and so do fetches. Reads only the folder;
  /// if that cannot be read, the next read or save throws the error. False for a store in memory.
  /// For an ``AtomicStore``, whether no file exists at its file URL any more.
  public func isMoved(_ store: PersistentStore) -> Bool {
    if store is AtomicStore {
      return store.url.map { $0.isFileURL && access($0.filePath, F_OK) != 0 && errno == ENOENT }
        ?? false
    }
    if let store = store as? DocumentStore { return locked { store.isMoved } }
    guard let store = store as? SQLiteStore else { return false }
    return locked { (try? store.connection.openedFile?.hasMoved()) ?? false }
  }

  /// Copies the log into a store's file and closes it, in a process that is about to end.
  ///
  /// The coordinator must not be used afterwards, and not be deallocated before the process ends.
  ///
  /// - Throws: `PersistentStoreError` if the disk has failed; the saved changes are in the log
  ///   then.
  package func closeAtExit(_ store: PersistentStore) throws {
    #if PostgreSQL
      if let store = store as? PostgreSQLStore { return locked { store.connection.close() } }
    #endif
    guard let store = store as? SQLiteStore else { return }
    try locked { try store.mappingErrors { try store.closeAtExit() } }
  }

  /// Copies a store into a new file, in one state, including its log and the files of large values.
  ///
  ///     try coordinator.copy(store, to: URL(filePath: "/backup/DogWalk.sqlite"))
  ///
  /// Other processes may continue to write. The copy is checked before it gets its final name, and
  /// is on the disk when this returns; only its owner may read it. If this fails there is no copy.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - url: the URL of the copy; no file exists there yet.
  ///   - withoutUndoLog: whether the copy has no undo log, nor a byte of its contents.
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` if there is a file already, `corrupt`
  ///   if the store is damaged, `missingExternalData` if a file of a large value is missing;
  ///   `unsupportedOperation` if the copy would share its folder of large values with a store that
  ///   has the same name with another extension, and any error that prevents reading that store.
  /// - Precondition: the store is a file.
  public func copy(
    _ store: PersistentStore, to url: URL, withoutUndoLog: Bool = false
  ) throws {
    if let store = store as? DocumentStore { return try locked { try store.copy(to: url) } }
    if store.type == .postgreSQL {
      throw PersistentStoreError.unsupportedOperation(store.type, "be copied; migrate them instead")
    }
    if let store = store as? CustomStore {
      guard let source = store.url else { fatalError("The store has no file.") }
      var info = stat()
      if lstat(url.filePath, &info) == 0 { throw PersistentStoreError(errno: EEXIST, at: url) }
      return try locked {
        try Swift.type(of: store).replacePersistentStore(
          at: url, destinationOptions: PersistentStoreOptions(), withPersistentStoreFrom: source,
          sourceOptions: store.storeDescription.options, type: store.type)
      }
    }
    guard let store = store as? SQLiteStore else { fatalError("The store has no file.") }
    try locked { try store.copy(to: url, withoutUndoLog: withoutUndoLog) }
  }

  /// Copies the log into a store's file and empties it, so that the file alone is the complete
  /// store.
  ///
  /// The store stays open.
  ///
  /// - Throws: `PersistentStoreError`: `busy` if another connection reads from the log.
  package func emptyLog(of store: PersistentStore) throws {
    guard let store = store as? SQLiteStore else { return }
    try locked {
      try store.mappingErrors {
        switch store.connection.emptyLog(waiting: 1) {
        case .complete: return
        case .heldBack: throw PersistentStoreError.busy(store.fileURL)
        case .failed(let error): throw error
        }
      }
    }
  }

  /// The server that a store is on, and its version, such as `PostgreSQL 15.18`; nil for other
  /// stores.
  package func server(of store: PersistentStore) -> String? { locked { store.server } }

  /// The number of connections to a store's database, and the maximum of its server.
  ///
  /// nil for other stores, and if the server does not report it.
  package func serverConnections(of store: PersistentStore) -> (count: Int, most: Int)? {
    locked { store.serverConnections() }
  }

  /// The location of a store as its server reports it, independent of the URL.
  ///
  /// nil for other stores, and if the server does not report it. It is the same for all clients
  /// until the server is restarted, and unique to each store. Queries the server.
  package func locationOnServer(of store: PersistentStore) -> String? {
    locked { store.locationOnServer() }
  }

  /// Whether two URLs refer to the same store on a server, whatever its model.
  ///
  ///     try PersistentStoreCoordinator.isSameStore(at: url, as: newURL)
  ///
  /// False for other stores, and if one does not exist. Connects to the servers, and queries them
  /// if both stores have the same UUID.
  ///
  /// - Throws: `PersistentStoreError` if a server cannot be reached.
  package static func isSameStore(at url: URL, as other: URL) throws -> Bool {
    #if PostgreSQL
      if url.isPostgreSQL, other.isPostgreSQL { return try PostgreSQLStore.isSame(url, as: other) }
    #endif
    return false
  }

  /// The version of the SQLite library in use, such as `3.46.1`.
  public static var sqliteVersion: String { Connection.libraryVersion }
}
