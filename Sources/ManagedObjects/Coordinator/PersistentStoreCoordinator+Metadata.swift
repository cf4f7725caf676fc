public import DataModel
public import SystemLibraries

/// The metadata of stores, including an application's own.
extension PersistentStoreCoordinator {
  /// The metadata of a store, including an application's own keys and `NSStoreUUID`.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  /// - Precondition: the store is this coordinator's.
  public func metadata(for store: PersistentStore) throws -> [String: PropertyList] {
    try locked { try rowStore(store).metadata() }
  }

  /// Replaces an application's own metadata of a store, at once.
  ///
  ///     var metadata = try coordinator.metadata(for: store)
  ///     metadata["currentDog"] = .string("fido")
  ///     try coordinator.setMetadata(metadata, for: store)
  ///
  /// Core Data's keys (`NSStore…`, `NSPersistence…`, `_NS…`) keep their stored values, whatever is
  /// passed. Another process may have set a key since they were read; to change one key,
  /// `setMetadata(_:forKey:of:)` is safer.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be written.
  /// - Precondition: the store is this coordinator's.
  public func setMetadata(
    _ metadata: [String: PropertyList], for store: PersistentStore
  ) throws {
    try locked {
      try rowStore(store).updateMetadata { StoredMetadata.replaceOwnKeys(of: &$0, with: metadata) }
    }
  }

  /// Sets one key of a store's metadata at once, or removes it; all other keys are unchanged.
  ///
  ///     try coordinator.setMetadata(.string("fido"), forKey: "currentDog", of: store)
  ///
  /// Core Data's keys cannot be changed.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be written.
  /// - Precondition: the store is this coordinator's.
  public func setMetadata(
    _ value: PropertyList?, forKey key: String, of store: PersistentStore
  ) throws {
    guard !StoredMetadata.isCoreDatas(key) else { return }
    try locked { try rowStore(store).updateMetadata { $0[key] = value } }
  }

  // MARK: Without opening

  /// Reads the metadata of a store that is not open, of any model; writes nothing.
  ///
  ///     let metadata = try PersistentStoreCoordinator.metadata(
  ///       forPersistentStoreAt: url, type: .sqlite)
  ///     metadata["NSStoreModelVersionHashes"]
  ///
  /// - Throws: `PersistentStoreError` if there is no store or it cannot be read.
  /// - Precondition: the type is not `.inMemory`.
  public static func metadata(
    forPersistentStoreAt url: URL, type: PersistentStore.StoreType
  ) throws -> [String: PropertyList] {
    require(type != .inMemory, "An in-memory store has no URL.")
    if let storeClass = StoreClasses.shared[type] {
      return try storeClass.metadataForPersistentStore(at: url, type: type)
    }
    #if PostgreSQL
      if type == .postgreSQL { return try PostgreSQLStore.metadata(at: url) }
    #endif
    return type == .sqlite
      ? try SQLiteStore.metadata(at: url)
      : try DocumentStore.metadata(at: url, as: documentType(type))
  }

  /// Replaces an application's own metadata of a store that is not open, of any model.
  ///
  /// Core Data's own keys are unchanged, as with `setMetadata(_:for:)`.
  ///
  /// - Throws: `PersistentStoreError` if there is no store or it cannot be written.
  /// - Precondition: the type is not `.inMemory`.
  public static func setMetadata(
    _ metadata: [String: PropertyList], forPersistentStoreAt url: URL,
    type: PersistentStore.StoreType
  ) throws {
    require(type != .inMemory, "An in-memory store has no URL.")
    if let storeClass = StoreClasses.shared[type] {
      try storeClass.setMetadata(metadata, forPersistentStoreAt: url, type: type)
      return
    }
    #if PostgreSQL
      if type == .postgreSQL { return try PostgreSQLStore.setMetadata(metadata, at: url) }
    #endif
    if type == .sqlite {
      try SQLiteStore.setMetadata(metadata, at: url)
    } else {
      try DocumentStore.setMetadata(metadata, at: url, as: documentType(type))
    }
  }
}
