/// Adding stores by description.
extension PersistentStoreCoordinator {
  /// Adds the store that a description specifies.
  ///
  ///     func open(_ url: URL) throws -> PersistentStore {
  ///       try coordinator.addPersistentStore(with: PersistentStoreDescription(url: url))
  ///     }
  ///
  /// In an asynchronous function, Swift prefers the asynchronous overload.
  ///
  /// - Throws: as `addPersistentStore(type:configurationName:at:options:)` does, and
  ///   `MigrationError` if it cannot be migrated.
  /// - Precondition: as there.
  @discardableResult
  public func addPersistentStore(
    with description: PersistentStoreDescription
  ) throws -> PersistentStore {
    try addPersistentStore(
      type: description.type, configurationName: description.configuration, at: description.url,
      options: description.options)
  }

  /// Adds the store that a description specifies, off the caller's thread.
  ///
  ///     let store = try await coordinator.addPersistentStore(with: description)
  ///
  /// A migration may take some time. Replaces Core Data's
  /// `addPersistentStore(with:completionHandler:)` with `shouldAddStoreAsynchronously`.
  ///
  /// - Throws: as the synchronous overload does.
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
