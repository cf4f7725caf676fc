public import DataModel
public import SystemLibraries

/// What keeps a store healthy: looking it through, copying it, seeing that others wrote to it.
extension PersistentStoreCoordinator {
  /// The paths of a SQLite store's file and of what may lie beside it, be it there or not: the log,
  /// its index, the journal.
  ///
  /// For programs that must not write onto them. Links to the file are followed.
  package static func filePaths(ofStoreAt url: URL) -> [String] {
    let path = url.filePath.behindLinks
    return ["", "-wal", "-shm", "-journal"].map { path + $0 }
  }

  /// Looks a store through and says what is wrong with it; empty where nothing is.
  ///
  ///     let damage = try coordinator.faults(in: store).filter { $0.kind == .damagedFile }
  ///
  /// Its file, tables, metadata, numbers of entities and keys, what rows and links lead to, order
  /// keys, and files of large values. Reads the whole file; a store in memory has none.
  ///
  /// Of a store on a server all but files, as they are at one moment, with no more than the right
  /// to read. The server reads a table once for every thing that may be wrong with its rows, and
  /// once more for each that is; no row comes here.
  ///
  /// - Throws: `PersistentStoreError` where it cannot be read.
  public func faults(in store: PersistentStore) throws -> [StoreFault] {
    #if PostgreSQL
      if let store = store as? PostgreSQLStore {
        return try locked {
          try store.mappingErrors {
            try PostgreSQLStore.faults(store.connection, model: store.model)
          }
        }
      }
    #endif
    guard let store = store as? SQLiteStore else { return [] }
    return try locked {
      try store.mappingErrors {
        try store.followChanges()
        return try SQLiteStore.faults(
          store.connection, model: store.model, at: store.fileURL)
      }
    }
  }

  /// Looks a store through that is not open, also one that lacks what it takes to be opened.
  ///
  ///     let faults = try PersistentStoreCoordinator.faults(ofStoreAt: url, model: .dogWalk)
  ///
  /// Nothing that lies there changes. Reads the whole file, or has a server read its tables; see
  /// ``faults(in:)``.
  ///
  /// - Throws: `PersistentStoreError` where there is no store of the model, or it cannot be read.
  public static func faults(
    ofStoreAt url: URL, model: ManagedObjectModel
  ) throws -> [StoreFault] {
    guard url.isPostgreSQL else { return try SQLiteStore.faults(at: url, model: model) }
    #if PostgreSQL
      return try PostgreSQLStore.faults(at: url, model: model)
    #else
      throw PersistentStoreError.unknownStoreType(.postgreSQL)
    #endif
  }

  /// The files of large values beside a SQLite store to which nothing in it leads.
  ///
  ///     for url in try coordinator.strayValueFiles(of: store) { print(url.path) }
  ///
  /// A program that was killed while it saved may have left them; they do no harm but take room.
  /// Only files that are a day old or older count, since a younger one may be of a save that goes
  /// on. None where another file is called like the store but for its extension (`Kennel.db` beside
  /// `Kennel.sqlite`): it may be a store too, and then both keep their files in one folder. None,
  /// either, where the store was opened by a symbolic link, which may have led to another store
  /// before. Reads the columns of all tables that may lead to files; any other store has none.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  public func strayValueFiles(of store: PersistentStore) throws -> [URL] {
    guard let store = store as? SQLiteStore else { return [] }
    return try locked { try store.strayFiles() }
  }

  /// Removes the files of large values beside a SQLite store to which nothing in it leads, as
  /// `strayValueFiles(of:)` finds them; gives those that it has removed.
  ///
  ///     let removed = try coordinator.removeStrayValueFiles(of: store)
  ///
  /// Others may have the store open: files go while nobody writes, and nobody reads an older state.
  /// A copy of the store's file that was put aside leads to its files by their names; when it comes
  /// back, those that are stray now are missing. Put such copies back first, or keep them with
  /// `copy(_:to:withoutUndoLog:)`, which copies their files.
  ///
  /// - Throws: `PersistentStoreError`: `busy` where somebody reads an older state or keeps writing,
  ///   as whoever calls this within `performWriting` does; `readOnly`; any other of reading. No
  ///   file was removed then.
  @discardableResult
  public func removeStrayValueFiles(of store: PersistentStore) throws -> [URL] {
    guard let store = store as? SQLiteStore else { return [] }
    return try locked { try store.removeStrayFiles() }
  }

  /// A number that is another one after every save of another connection, process or program.
  ///
  ///     let seen = try coordinator.changeCount(of: store)
  ///     // … later
  ///     if try coordinator.changeCount(of: store) != seen { /* fetch again */ }
  ///
  /// For programs that watch: no query is made. Saves through this coordinator do not count. A
  /// store in memory has no others; an ``IncrementalStore`` does not say what they do, so its
  /// number stays.
  ///
  /// - Throws: `PersistentStoreError` where it cannot be read.
  public func changeCount(of store: PersistentStore) throws -> Int64 {
    try locked { try store.changeCount() }
  }

  /// Whether a store's file was moved away or replaced since it was opened.
  ///
  /// Its saves throw `PersistentStoreError.moved` then, and so do fetches. Looks at the folder
  /// only; where that cannot be read, what is read or saved next says so. A store in memory never
  /// was. Of an ``AtomicStore`` it tells whether nothing is at its file URL any more.
  public func isMoved(_ store: PersistentStore) -> Bool {
    if store is AtomicStore {
      return store.url.map { $0.isFileURL && access($0.filePath, F_OK) != 0 && errno == ENOENT }
        ?? false
    }
    if let store = store as? DocumentStore { return locked { store.isMoved } }
    guard let store = store as? SQLiteStore else { return false }
    return locked { (try? store.connection.openedFile?.hasMoved()) ?? false }
  }

  /// Copies what was saved into a store's file and closes it, in a process that is about to end:
  /// the coordinator must not be used any more, and not go before the process does.
  ///
  /// - Throws: `PersistentStoreError` where the disk has failed; what was saved is in the log then.
  package func closeAtExit(_ store: PersistentStore) throws {
    #if PostgreSQL
      if let store = store as? PostgreSQLStore { return locked { store.connection.close() } }
    #endif
    guard let store = store as? SQLiteStore else { return }
    try locked { try store.mappingErrors { try store.closeAtExit() } }
  }

  /// Copies a store into a new file, as it is at one moment, its log and the files of its large
  /// values included.
  ///
  ///     try coordinator.copy(store, to: URL(filePath: "/backup/DogWalk.sqlite"))
  ///
  /// Other processes may go on writing. The copy is looked through before it gets its name, and on
  /// the disk when this returns; nobody but its owner may read it. Where this fails there is none.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - url: where the copy is to be; no file is there yet.
  ///   - withoutUndoLog: whether the copy has no undo log, nor a byte of what that held.
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` where there is a file already,
  ///   `corrupt` where the store is damaged, `missingExternalData` where a file of a large value is
  ///   missing; `unsupportedOperation` where the copy would have files of large values in common
  ///   with a store beside it that is called alike but for its extension, and what keeps that one
  ///   from being read.
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

  /// Copies what was saved into a store's file and empties its log, so that the file alone is the
  /// store though it is open.
  ///
  /// - Throws: `PersistentStoreError`: `busy` where others read what is in the log.
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

  /// The server that a store is on, and its version, such as `PostgreSQL 15.18`; nil of any other
  /// store.
  package func server(of store: PersistentStore) -> String? { locked { store.server } }

  /// How many connections there are to the database that a store is in, and how many its server
  /// takes in all; nil of any other store, and where nobody tells.
  package func serverConnections(of store: PersistentStore) -> (count: Int, most: Int)? {
    locked { store.serverConnections() }
  }

  /// Where a store is, as its server says, whatever URL leads there; nil of any other store, and
  /// where nobody tells.
  ///
  /// It is the same for everybody, until the server is started again, and another one for each
  /// store. Asks the server.
  package func locationOnServer(of store: PersistentStore) -> String? {
    locked { store.locationOnServer() }
  }

  /// Whether two URLs lead to one store on a server, of whatever model; false of any other stores,
  /// and where one is not there.
  ///
  ///     try PersistentStoreCoordinator.isSameStore(at: url, as: newURL)
  ///
  /// Connects to the servers, and asks them where both stores have one UUID.
  ///
  /// - Throws: `PersistentStoreError` where a server cannot be reached.
  package static func isSameStore(at url: URL, as other: URL) throws -> Bool {
    #if PostgreSQL
      if url.isPostgreSQL, other.isPostgreSQL { return try PostgreSQLStore.isSame(url, as: other) }
    #endif
    return false
  }

  /// The version of SQLite that stores are kept with, such as `3.46.1`.
  public static var sqliteVersion: String { Connection.libraryVersion }
}
