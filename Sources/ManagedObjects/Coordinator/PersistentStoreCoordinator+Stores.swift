import DataModel
public import SystemLibraries

/// Finding and removing stores, and changing their URLs.
extension PersistentStoreCoordinator {
  /// The store with a file URL; nil if this coordinator has none there.
  ///
  ///     if let store = coordinator.persistentStore(for: url) { try coordinator.remove(store) }
  ///
  /// Links are followed, on both sides. Follows Core Data's `persistentStore(for:)`.
  public func persistentStore(for url: URL) -> PersistentStore? {
    guard url.scheme == nil || url.isFileURL else {
      return persistentStores.first { $0.url?.location == url.location }
    }
    let path = url.standardizedFileURL.filePath.resolvingFinalSymlink
    return persistentStores.first {
      $0.url?.standardizedFileURL.filePath.resolvingFinalSymlink == path
    }
  }

  /// The store with a UUID (see ``PersistentStore/identifier``); nil if there is none.
  public func persistentStore(withIdentifier identifier: String) -> PersistentStore? {
    persistentStores.first { $0.identifier == identifier }
  }

  /// The store of an object; nil if it was removed, or belongs to another coordinator.
  ///
  ///     coordinator.persistentStore(of: walk.objectID)?.url
  public func persistentStore(of id: ManagedObjectID) -> PersistentStore? {
    persistentStores.first { $0.identity === id.binding.store }
  }

  /// The URL of a store's file; nil for one in memory.
  public func url(for store: PersistentStore) -> URL? { store.url }

  /// Removes a store from the coordinator; its file is unchanged, with everything that was saved.
  ///
  ///     try coordinator.remove(store)
  ///
  /// Objects of the store that contexts still have cannot be read or saved any more: that throws
  /// `PersistentStoreError.removed`. A store in memory is deallocated. Follows Core Data's
  /// `remove(_:)`.
  ///
  /// - Throws: `PersistentStoreError` if the disk fails as the log is copied into the file; the
  ///   saved changes are in the log then, and the store was removed.
  /// - Precondition: the store is this coordinator's, and not used by `performWriting` or
  ///   `performReading` of this thread.
  public func remove(_ store: PersistentStore) throws {
    try lock.withLock {
      let old = rowStore(store)
      refuseInTransaction(old)
      try exchange(old, for: nil)
      if let old = old as? SQLiteStore { try old.mappingErrors { try old.leaveLogEmpty() } }
    }
  }

  /// Changes the URL of a store, which must already exist there.
  ///
  ///     try coordinator.copy(store, to: newURL)
  ///     try coordinator.setURL(newURL, for: store)
  ///
  /// A SQLite store is opened there, and must be the same store, by its UUID. Objects in contexts
  /// are unaffected. Changes saved between the copy and this call remain at the old URL. A file
  /// that was moved while it was open is refused, since its log would not be found by other
  /// processes: `remove(_:)` the store, and add it again. Follows Core Data's `setURL(_:for:)`.
  ///
  /// - Throws: `PersistentStoreError`: `otherStore` if another store is there, `fileNotFound` if
  ///   there is none, `moved` if the open file itself is; the URL is unchanged then.
  /// - Precondition: the store is this coordinator's, has a file, and is not used by
  ///   `performWriting` or `performReading` of this thread.
  public func setURL(_ url: URL, for store: PersistentStore) throws {
    try lock.withLock {
      let store = rowStore(store)
      refuseInTransaction(store)
      let goOn = try store.reopening(at: url)
      // Readers that do not hold the main lock look up their connections with the list lock held.
      listLock.withLock { goOn() }
      followers.tell()
    }
  }

  /// Traps for operations that would remove a store during a transaction.
  func refuseInTransaction(_ store: any RowStore) {
    refuseInReading()
    require(
      store.transactions?.isInTransaction != true, "The store is in use by performWriting.")
  }
}
