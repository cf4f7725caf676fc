/// Adding stores as they are described.
extension PersistentStoreCoordinator {
  /// Adds a store as it is described.
  ///
  ///     func open(_ url: URL) throws -> PersistentStore {
  ///       try coordinator.addPersistentStore(with: PersistentStoreDescription(url: url))
  ///     }
  ///
  /// In a function that awaits, Swift takes the one that is awaited.
  ///
  /// - Throws: as `addPersistentStore(type:configurationName:at:options:)` does, and
  ///   `MigrationError` where it cannot be migrated.
  /// - Precondition: as there.
  @discardableResult
  public func addPersistentStore(
    with description: PersistentStoreDescription
  ) throws -> PersistentStore {
    try addPersistentStore(
      type: description.type, configurationName: description.configuration, at: description.url,
      options: description.options)
  }

  /// Adds a store as it is described, off the caller's thread: a migration may take its time.
  ///
  ///     let store = try await coordinator.addPersistentStore(with: description)
  ///
  /// Stands for Core Data's `addPersistentStore(with:completionHandler:)` with
  /// `shouldAddStoreAsynchronously`.
  ///
  /// - Throws: as the one that is not awaited does.
  /// - Precondition: as there.
  @concurrent
  @discardableResult
  public func addPersistentStore(
    with description: PersistentStoreDescription
  ) async throws -> PersistentStore {
    try addPersistentStore(
      type: description.type, configurationName: description.configuration, at: description.url,
      options: description.options)
  }
}
