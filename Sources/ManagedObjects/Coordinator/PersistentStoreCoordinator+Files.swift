public import SystemLibraries

/// Files of stores that are not open here, replaced and taken away.
extension PersistentStoreCoordinator {
  /// Puts a copy of one store in the place of another one, or where there is none.
  ///
  ///     try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: backup)
  ///
  /// One transaction under SQLite's locks, and one rename of a document: a program that is killed
  /// meanwhile, or fails, leaves the old store as it was. Others that have it open read the new
  /// contents from then on; what they save throws `PersistentStoreError.moved` until they have
  /// opened it again. Neither model is asked for, so that an old store may be replaced, or be
  /// put back. Files of large values come along, and the old ones go. The source is only read,
  /// others may write to it. A file that is no Core Data store is refused, unless
  /// `destinationOptions` force it. Follows Core Data's
  /// `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)`.
  ///
  /// - Parameters:
  ///   - destinationURL: the store that is replaced, be there one or not.
  ///   - destinationOptions: how long to wait for others; with
  ///     ``PersistentStoreOptions/forcesDestroy`` whatever is there is removed, damaged or in use.
  ///   - sourceURL: the store that is copied.
  ///   - sourceOptions: how long to wait for others.
  ///   - type: the kind of both.
  /// - Throws: `PersistentStoreError`; `alreadyAdded` where this coordinator has the store that is
  ///   to be replaced: remove it first.
  /// - Precondition: the type is not `.inMemory`.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions = PersistentStoreOptions(),
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: PersistentStoreOptions = PersistentStoreOptions(),
    type: PersistentStore.StoreType = .sqlite
  ) throws {
    require(type != .inMemory, "A store in memory is nowhere.")
    try refuseIfAdded(destinationURL)
    if let storeClass = StoreClasses.shared[type] {
      return try storeClass.replacePersistentStore(
        at: destinationURL, destinationOptions: destinationOptions,
        withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions, type: type)
    }
    guard type != .postgreSQL else {
      throw PersistentStoreError.unsupportedOperation(type, "take another one's place")
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

  /// Takes everything in a store away, and the files of its large values.
  ///
  ///     try coordinator.destroyPersistentStore(at: url, type: .sqlite)
  ///
  /// It is emptied under SQLite's locks, or its document's: others that have it open find no store
  /// there any more, and none of them goes on with a file that nobody sees. An empty file stays, in
  /// which a store can be made anew; where there is no file, there is nothing to do. With
  /// ``PersistentStoreOptions/forcesDestroy`` the files are removed, whatever they are and whoever
  /// has them open. Otherwise files of large values stay where somebody, in whatever process, is
  /// just reading the store as it was (in `performReading`, or with a cursor): once that ends,
  /// nothing leads to them any more. Follows Core Data's
  /// `destroyPersistentStore(at:type:options:)`.
  ///
  /// - Throws: `PersistentStoreError`: `notAStore` and `corrupt` where the file is no Core Data
  ///   store, or damaged, `busy` where others write, `alreadyAdded` where this coordinator has it:
  ///   remove it first.
  /// - Precondition: the type is not `.inMemory`.
  public func destroyPersistentStore(
    at url: URL, type: PersistentStore.StoreType,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws {
    require(type != .inMemory, "A store in memory is nowhere.")
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
