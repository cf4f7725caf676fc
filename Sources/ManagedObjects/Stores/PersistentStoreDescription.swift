public import SystemLibraries

/// What it takes to add a store: its kind, its place, the part of the model that it holds, its
/// options.
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
