import DataModel
public import SystemLibraries

/// Finding stores, taking them out, and having them elsewhere.
extension PersistentStoreCoordinator {
  /// The store whose file is at a URL; nil where this coordinator has none there.
  ///
  ///     if let store = coordinator.persistentStore(for: url) { try coordinator.remove(store) }
  ///
  /// Links are followed, on both sides. Follows Core Data's `persistentStore(for:)`.
  public func persistentStore(for url: URL) -> PersistentStore? {
    guard url.scheme == nil || url.isFileURL else {
      return persistentStores.first { $0.url?.location == url.location }
    }
    let path = url.standardizedFileURL.filePath.behindLinks
    return persistentStores.first { $0.url?.standardizedFileURL.filePath.behindLinks == path }
  }

  /// The store with a UUID, as ``PersistentStore/identifier`` has it; nil where there is none.
  public func persistentStore(withIdentifier identifier: String) -> PersistentStore? {
    persistentStores.first { $0.identifier == identifier }
  }

  /// The store of an object; nil where it was removed, or belongs to another coordinator.
  ///
  ///     coordinator.persistentStore(of: walk.objectID)?.url
  public func persistentStore(of id: ManagedObjectID) -> PersistentStore? {
    persistentStores.first { $0.identity === id.binding.store }
  }

  /// Where a store's file is; nil for one in memory.
  public func url(for store: PersistentStore) -> URL? { store.url }

  /// Takes a store out of the coordinator; its file stays as it is, with all that was saved.
  ///
  ///     try coordinator.remove(store)
  ///
  /// Objects of it that contexts still have cannot be read or saved any more: that throws
  /// `PersistentStoreError.removed`. A store in memory is gone. Follows Core Data's `remove(_:)`.
  ///
  /// - Throws: `PersistentStoreError` where the disk fails as the log is copied into the file; what
  ///   was saved is in the log then, and the store was removed.
  /// - Precondition: the store is this coordinator's, and not used by `performWriting` or
  ///   `performReading` of this thread.
  public func remove(_ store: PersistentStore) throws {
    try lock.withLock {
      let old = rowStore(store)
      refuseInTransaction(old)
      try exchange(old, for: nil)
      if let old = old as? SQLiteStore { try old.mappingErrors { try old.checkpoint() } }
    }
  }

  /// Has a store go on with its file in another place.
  ///
  ///     try coordinator.copy(store, to: newURL)
  ///     try coordinator.setURL(newURL, for: store)
  ///
  /// A SQLite store is opened there, and has to be there already: the same store, by its UUID.
  /// Objects that contexts hold stay what they are. What is saved between the copy and this stays
  /// at the old place. A file that was moved there while it was open is refused, since its log
  /// would not be found by others: `remove(_:)` the store, and add it again. Follows Core Data's
  /// `setURL(_:for:)`.
  ///
  /// - Throws: `PersistentStoreError`: `otherStore` where another one is there, `fileNotFound`
  ///   where none is, `moved` where the open file itself is; the store stays where it was then.
  /// - Precondition: the store is this coordinator's, has a file, and is not used by
  ///   `performWriting` or `performReading` of this thread.
  public func setURL(_ url: URL, for store: PersistentStore) throws {
    try lock.withLock {
      let store = rowStore(store)
      refuseInTransaction(store)
      let goOn = try store.reopening(at: url)
      // Who reads beside the lock looks for its connections within this one.
      listLock.withLock { goOn() }
      followers.tell()
    }
  }

  /// Refuses what would pull a store away from under a transaction.
  func refuseInTransaction(_ store: any RowStore) {
    refuseInReading()
    require(
      store.transactions?.isInTransaction != true, "The store is in use by performWriting.")
  }
}
