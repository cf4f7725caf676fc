public import SystemLibraries

/// The description of a store to add: its type, its URL, the configuration it holds and its
/// options.
///
///     var notes = PersistentStoreDescription(url: url)
///     notes.configuration = "Notes"
///     notes.options.isReadOnly = true
///     let store = try await coordinator.addPersistentStore(with: notes)
///
/// Follows Core Data's `NSPersistentStoreDescription`.
public struct PersistentStoreDescription: Sendable, Hashable {
  /// The store type; SQLite by default.
  public var type = PersistentStore.StoreType.sqlite
  /// The URL of its file; nil for a store in memory.
  public var url: URL?
  /// The model configuration that it holds; nil for the whole model.
  public var configuration: String?
  /// How it is opened; by default a store of another model version is migrated.
  public var options = PersistentStoreOptions.migrating

  /// Describes a SQLite store.
  public init(url: URL) { self.url = url }

  /// Describes a store of any type.
  public init(type: PersistentStore.StoreType, url: URL? = nil) {
    self.type = type
    self.url = url
  }

  /// Describes a store in memory.
  public static let inMemory = PersistentStoreDescription(type: .inMemory)
}
