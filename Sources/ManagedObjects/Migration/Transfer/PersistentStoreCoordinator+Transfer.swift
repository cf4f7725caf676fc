import DataModel
public import SystemLibraries

/// Moving stores to other URLs and store types.
extension PersistentStoreCoordinator {
  /// Copies a store into a new one, possibly of another store type, which replaces it here.
  ///
  ///     let new = try coordinator.migratePersistentStore(store, to: newURL, type: .sqlite)
  ///
  /// The old store is removed from the coordinator as with ``remove(_:)``, and its file remains.
  /// Objects in contexts still belong to the old store: reset the contexts, and fetch again. An
  /// application's metadata are copied, and so are large values. From SQLite to SQLite the result
  /// is a copy as ``copy(_:to:withoutUndoLog:)`` makes it, with the UUID, all primary keys, history
  /// and undo log; other processes may continue to write to the old one. A SQLite store, or one on
  /// a server, that is made from another type keeps UUID and keys, too, and is filled in batches,
  /// in constant memory. Stores of other types get a new UUID and new keys.
  ///
  /// The new store does not exist at its URL before all of it is on the disk; only an
  /// ``IncrementalStore`` is filled in place, with one save. Follows Core Data's
  /// `migratePersistentStore(_:to:options:type:)`.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - url: the URL of the new store; no file exists there yet. nil for one in memory.
  ///   - options: the options for opening the new one.
  ///   - type: the new store's type.
  /// - Returns: the new store.
  /// - Throws: `PersistentStoreError`: `failed` with `EEXIST` if there is a file already,
  ///   `missingExternalData` if a file of a large value is missing; `MigrationError.rowsOfNoEntity`
  ///   if rows would be lost. The old store is kept then, and no new one exists.
  /// - Precondition: the store is this coordinator's, and not used by `performWriting` or
  ///   `performReading` of this thread.
  @discardableResult
  public func migratePersistentStore(
    _ store: PersistentStore, to url: URL?,
    options: PersistentStoreOptions = PersistentStoreOptions(), type: PersistentStore.StoreType
  ) throws -> PersistentStore {
    try lock.withLock {
      let old = rowStore(store)
      refuseInTransaction(old)
      let model = model(of: store)
      let new: any RowStore
      if let url, type != .inMemory, !(StoreClasses.shared[type] is IncrementalStore.Type) {
        try write(old, to: url, type, options)
        do {
          new = try Self.makeStore(
            type, at: url, model: model, options: options, offset: bindings.count)
          try exchange(old, for: new, of: model)
        } catch {
          // The new store has not been returned to the caller.
          if let storeClass = StoreClasses.shared[type] {
            try? storeClass.destroyPersistentStore(at: url, type: type, options: options)
          }
          if !url.isPostgreSQL { try? SQLiteStore.removeFiles(at: url.filePath, of: url) }
          throw error
        }
      } else {
        new = try Self.makeStore(
          type, at: url, model: model, options: options, offset: bindings.count)
        try pinning(old) { try StoreTransfer(source: old).fill(wholly: new) }
        try exchange(old, for: new, of: model)
      }
      // The saved changes are on the disk, though possibly not in the old file.
      if let old = old as? SQLiteStore { try? old.leaveLogEmpty() }
      return new
    }
  }

  /// Writes a store into a new file, which is then closed; this store is kept.
  ///
  /// - Throws: as `migratePersistentStore(_:to:options:type:)` does.
  package func write(
    _ store: PersistentStore, to url: URL, type: PersistentStore.StoreType
  ) throws {
    try lock.withLock { try write(rowStore(store), to: url, type, PersistentStoreOptions()) }
  }

  private func write(
    _ store: any RowStore, to url: URL, _ type: PersistentStore.StoreType,
    _ options: PersistentStoreOptions
  ) throws {
    #if PostgreSQL
      if type == .postgreSQL {
        let model = model(of: store)
        return try pinning(store) {
          try PostgreSQLStore.make(at: url, from: store, model, options)
        }
      }
    #endif
    // SQLite would take the file for another store's log or journal, and remove it.
    try SQLiteStore.refuseReservedName(url.filePath, of: url)
    if type == .sqlite, let store = store as? SQLiteStore {
      return try store.copy(to: url, withoutUndoLog: false)
    }
    if StoreClasses.shared[type] is IncrementalStore.Type {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model(of: store))
      let filled = try coordinator.addPersistentStore(type: type, at: url)
      return try pinning(store) {
        try StoreTransfer(source: store).fill(wholly: coordinator.rowStore(filled))
      }
    }
    var info = stat()
    if lstat(url.filePath, &info) == 0 { throw PersistentStoreError(errno: EEXIST, at: url) }
    let model = model(of: store)
    let draft: MigrationDraft
    do {
      draft = try MigrationDraft(
        in: ".\(url.lastPathComponent).\(String(UInt32.random(in: .min ... .max), radix: 36))",
        beside: url, of: model)
    } catch PersistentStoreError.noPermission {
      throw PersistentStoreError.noPermission(url)
    }
    do {
      try pinning(store) {
        guard type == .sqlite else { return try fill(draft, from: store, type, for: url) }
        try draft.fill(from: store)
        try draft.withStore { coordinator, filled in try coordinator.copy(filled, to: url) }
      }
    } catch PersistentStoreError.full(let file) where draft.contains(file) {
      throw PersistentStoreError.full(url)
    } catch PersistentStoreError.failed(let file, let error) where draft.contains(file) {
      throw PersistentStoreError.failed(url, error)
    } catch PersistentStoreError.noPermission(let file) where draft.contains(file) {
      throw PersistentStoreError.noPermission(url)
    } catch PersistentStoreError.uncertain(let file, let error) where draft.contains(file) {
      // The draft is removed, so nothing was written.
      throw PersistentStoreError.failed(url, error)
    }
  }

  /// Creates a store of another type as a draft, and moves its file to its URL.
  private func fill(
    _ draft: MigrationDraft, from store: any RowStore, _ type: PersistentStore.StoreType,
    for url: URL
  ) throws {
    do {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model(of: store))
      let filled = try coordinator.addPersistentStore(type: type, at: draft.url)
      try StoreTransfer(source: store).fill(wholly: coordinator.rowStore(filled))
    }
    try checkReadable(draft, of: model(of: store), type, for: url)
    let code = rename(draft.url.filePath, toNew: url.filePath)
    guard code == 0 else { throw PersistentStoreError(errno: code, at: url) }
    try NewFile.syncFolder(of: url.filePath, for: url)
  }

  /// Checks that a new document can be opened: other apps' rows may contain values that no document
  /// can, such as numbers beyond their attribute's type.
  private func checkReadable(
    _ draft: MigrationDraft, of model: ManagedObjectModel, _ type: PersistentStore.StoreType,
    for url: URL
  ) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    var options = PersistentStoreOptions()
    options.isReadOnly = true
    do {
      _ = try coordinator.addPersistentStore(type: type, at: draft.url, options: options)
    } catch PersistentStoreError.malformedDocument(_, _, _, let reason) {
      throw PersistentStoreError.unwritableValue(url, "it could not be read again: \(reason)")
    }
  }

  /// Runs a body in which all reads of a store see one state.
  private func pinning<Result>(
    _ store: any RowStore, _ body: () throws -> Result
  ) throws -> Result {
    guard let store = store.transactions else { return try body() }
    try store.beginReading(expecting: [])
    defer { store.endReading() }
    return try body()
  }
}

extension MigrationDraft {
  /// Creates the store with all contents of another one of its model.
  func fill(from store: any RowStore) throws {
    var metadata = try store.metadata()
    metadata["NSStoreType"] = nil
    try make(metadata) { try StoreTransfer(source: store).fill($1) }
  }
}
