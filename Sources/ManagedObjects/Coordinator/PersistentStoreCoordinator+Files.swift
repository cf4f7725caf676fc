public import SystemLibraries

/// Replacing and destroying stores that are not open here.
extension PersistentStoreCoordinator {
  /// Replaces one store by a copy of another, or creates it.
  ///
  ///     try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup)
  ///
  /// One transaction under SQLite's locks, or one rename of a document: if the program is killed in
  /// the meantime, or fails, the old store is unchanged. Processes that have it open read the new
  /// contents from then on; their saves throw `PersistentStoreError.moved` until they have opened
  /// it again. Neither model is needed, so that an old store may be replaced, or be restored. Files
  /// of large values are copied too, and the old ones removed. The source is only read, and may be
  /// written in the meantime. A file that is no Core Data store is refused, unless
  /// `destinationOptions` force it. Follows Core Data's
  /// `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)`.
  ///
  /// - Parameters:
  ///   - destinationURL: the store that is replaced, or created if there is none.
  ///   - destinationOptions: how long to wait for locks; with
  ///     ``PersistentStoreOptions/forcesDestroy`` any existing file is removed, even if it is
  ///     damaged or in use.
  ///   - sourceURL: the store that is copied.
  ///   - sourceOptions: how long to wait for locks.
  ///   - type: the type of both stores.
  /// - Throws: `PersistentStoreError`; `alreadyAdded` if this coordinator has the store that is to
  ///   be replaced: remove it first.
  /// - Precondition: the type is not `.inMemory`.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions = PersistentStoreOptions(),
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: PersistentStoreOptions = PersistentStoreOptions(),
    type: PersistentStore.StoreType = .sqlite
  ) throws {
    require(type != .inMemory, "An in-memory store has no URL.")
    try refuseIfAdded(destinationURL)
    if let storeClass = StoreClasses.shared[type] {
      return try storeClass.replacePersistentStore(
        at: destinationURL, destinationOptions: destinationOptions,
        withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions, type: type)
    }
    guard type != .postgreSQL else {
      throw PersistentStoreError.unsupportedOperation(type, "replace another store")
    }
    guard type == .sqlite else {
      return try DocumentStore.replace(
        at: destinationURL, destinationOptions, withStoreAt: sourceURL, sourceOptions,
        as: Self.documentType(type))
    }
    try PersistentStoreError.mapping(at: destinationURL) {
      try StoreReplacement(
        url: destinationURL, options: destinationOptions, source: sourceURL,
        sourceOptions: sourceOptions
      ).run()
    }
  }

  /// Removes all contents of a store, and the files of its large values.
  ///
  ///     try coordinator.destroyPersistentStore(at: url, type: .sqlite)
  ///
  /// The store is emptied under SQLite's locks, or its document's: other processes that have it
  /// open no longer find a store there, so none of them continues to write to an unlinked file. An
  /// empty file remains, in which a store can be created again; if there is no file, nothing
  /// happens. With ``PersistentStoreOptions/forcesDestroy`` the files are removed, whatever they
  /// are and whichever process has them open. Otherwise files of large values remain if any process
  /// is still reading the former state of the store (in `performReading`, or with a cursor): once
  /// that ends, nothing refers to them any more. Follows Core Data's
  /// `destroyPersistentStore(at:type:options:)`.
  ///
  /// - Throws: `PersistentStoreError`: `notAStore` and `corrupt` if the file is no Core Data store,
  ///   or damaged, `busy` if another connection writes, `alreadyAdded` if this coordinator has it:
  ///   remove it first.
  /// - Precondition: the type is not `.inMemory`.
  public func destroyPersistentStore(
    at url: URL, type: PersistentStore.StoreType,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws {
    require(type != .inMemory, "An in-memory store has no URL.")
    try refuseIfAdded(url)
    if let storeClass = StoreClasses.shared[type] {
      return try storeClass.destroyPersistentStore(at: url, type: type, options: options)
    }
    #if PostgreSQL
      if type == .postgreSQL { return try PostgreSQLStore.destroy(at: url, options: options) }
    #endif
    guard type == .sqlite else {
      return try DocumentStore.destroy(at: url, options: options, as: Self.documentType(type))
    }
    try PersistentStoreError.mapping(at: url) { try SQLiteStore.destroy(at: url, options: options) }
  }

  private func refuseIfAdded(_ url: URL) throws {
    if persistentStore(for: url) != nil { throw PersistentStoreError.alreadyAdded(url) }
  }
}
