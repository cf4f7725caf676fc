public import Foundation
public import ManagedObjects

/// The parameters for adding a store, as a reference type.
///
///     let description = NSPersistentStoreDescription(url: url)
///     description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
///     container.persistentStoreDescriptions = [description]
open class NSPersistentStoreDescription {
  /// The store type, such as `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  public var type = NSSQLiteStoreType
  /// The URL of the store's file; `/dev/null` for a store in memory.
  public var url: URL?
  /// The configuration of the model that the store contains; nil for the whole model.
  public var configuration: String?
  /// Whether the container adds the store off the caller's thread.
  public var shouldAddStoreAsynchronously = false
  /// The options set by `setOption(_:forKey:)`.
  public private(set) var options: [String: NSObject] = [:]
  /// The options for opening the store, in the library's form.
  public var storeOptions = PersistentStoreOptions.migrating

  /// Describes a SQLite store.
  public init(url: URL) { self.url = url }

  /// Describes a store without a URL.
  public init() {}

  /// Whether the store is read-only.
  public var isReadOnly: Bool {
    get { storeOptions.isReadOnly }
    set { storeOptions.isReadOnly = newValue }
  }
  /// How long to wait for locks of other processes, in seconds.
  public var timeout: TimeInterval {
    get { storeOptions.busyTimeout }
    set { storeOptions.busyTimeout = newValue }
  }
  /// Whether a store of another version is migrated.
  public var shouldMigrateStoreAutomatically: Bool {
    get { storeOptions.migratesAutomatically }
    set { storeOptions.migratesAutomatically = newValue }
  }
  /// Whether a mapping may be inferred.
  public var shouldInferMappingModelAutomatically: Bool {
    get { storeOptions.infersMapping }
    set { storeOptions.infersMapping = newValue }
  }
  /// SQLite's pragmas.
  public var sqlitePragmas: [String: NSObject] {
    storeOptions.sqlitePragmas.mapValues { NSString(string: $0) }
  }

  /// Sets an option; nil removes it.
  public func setOption(_ option: NSObject?, forKey key: String) {
    options[key] = option
    storeOptions.set(option, for: key)
  }

  /// Sets one of SQLite's pragmas; nil removes it.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    storeOptions.sqlitePragmas[name] = value.map { "\($0)" }
  }

  /// The description in the library's form.
  ///
  /// - Precondition: the description has a URL, unless the store is in memory.
  public var storeDescription: PersistentStoreDescription {
    let isInMemory = type == NSInMemoryStoreType || url?.path == "/dev/null"
    var description =
      isInMemory
      ? PersistentStoreDescription(type: .inMemory)
      : PersistentStoreDescription(type: PersistentStore.StoreType(type), url: url)
    description.configuration = configuration
    description.options = storeOptions
    return description
  }
}

@available(*, unavailable) extension NSPersistentStoreDescription: Sendable {}
