public import DataModel
public import SystemLibraries

extension PersistentStoreCoordinator {
  /// Reads the model that is embedded in a store, of any app; writes nothing.
  ///
  ///     let model = try PersistentStoreCoordinator.cachedModel(at: url)
  ///
  /// Stores that were created here have one, and so do those of Core Data since iOS 9; `nil` if
  /// there is none. Follows Core Data's `cachedModelForPersistentStore(at:options:)`.
  ///
  /// - Throws: `PersistentStoreError` if there is no store or it cannot be read,
  ///   `ModelArchiveError` if the model is damaged or is not that of the store.
  public static func cachedModel(at url: URL) throws -> ManagedObjectModel? {
    try StoreReader(contentsOf: url).embeddedModel()
  }
}
