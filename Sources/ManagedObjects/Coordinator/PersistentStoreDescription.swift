public import SystemLibraries

/// What it takes to add a store: its kind, its place, the part of the model that it holds, its options.
///
///     var notes = PersistentStoreDescription(url: url)
///     notes.configuration = "Notes"
///     notes.options.isReadOnly = true
///     let store = try await coordinator.addPersistentStore(with: notes)
///
/// Follows Core Data's `NSPersistentStoreDescription`.
public struct PersistentStoreDescription: Sendable, Hashable {
  /// The store's kind; SQLite unless set.
  public var type = PersistentStore.StoreType.sqlite
  /// Where its file is; nil for one in memory.
  public var url: URL?
  /// The configuration of the model that it holds; nil for the whole model.
  public var configuration: String?
  /// How it is opened; a store of another version of the model is migrated unless set otherwise.
  public var options = PersistentStoreOptions.migrating

  /// Describes a SQLite store.
  public init(url: URL) { self.url = url }

  /// Describes a store of any kind.
  public init(type: PersistentStore.StoreType, url: URL? = nil) {
    self.type = type
    self.url = url
  }

  /// A store in memory.
  public static let inMemory = PersistentStoreDescription(type: .inMemory)
}

extension PersistentStoreCoordinator {
  /// Adds a store as it is described.
  ///
  ///     func open(_ url: URL) throws -> PersistentStore {
  ///       try coordinator.addPersistentStore(with: PersistentStoreDescription(url: url))
  ///     }
  ///
  /// In a function that awaits, Swift takes the one that is awaited.
  ///
  /// - Throws: as `addPersistentStore(type:configurationName:at:options:)` does, and `MigrationError`
  ///   where it cannot be migrated.
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
