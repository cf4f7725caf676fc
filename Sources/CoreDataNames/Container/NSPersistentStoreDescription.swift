public import Foundation
public import ManagedObjects

/// What it takes to add a store, as a reference.
///
///     let description = NSPersistentStoreDescription(url: url)
///     description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
///     container.persistentStoreDescriptions = [description]
open class NSPersistentStoreDescription {
  /// The store's kind, such as `NSSQLiteStoreType` or `NSInMemoryStoreType`.
  public var type = NSSQLiteStoreType
  /// Where its file is; `/dev/null` is a store in memory.
  public var url: URL?
  /// The configuration of the model that it holds; nil for the whole model.
  public var configuration: String?
  /// Whether the container adds it off the caller's thread.
  public var shouldAddStoreAsynchronously = false
  /// What was set by `setOption(_:forKey:)`.
  public private(set) var options: [String: NSObject] = [:]
  /// How the store is opened, in the library's words.
  public var storeOptions = PersistentStoreOptions.migrating

  /// Describes a SQLite store.
  public init(url: URL) { self.url = url }

  /// Describes a store without a URL.
  public init() {}

  /// Whether the store is only read.
  public var isReadOnly: Bool {
    get { storeOptions.isReadOnly }
    set { storeOptions.isReadOnly = newValue }
  }
  /// How long to wait for other processes, in seconds.
  public var timeout: TimeInterval {
    get { storeOptions.busyTimeout }
    set { storeOptions.busyTimeout = newValue }
  }
  /// Whether a store of another version is migrated.
  public var shouldMigrateStoreAutomatically: Bool {
    get { storeOptions.migratesAutomatically }
    set { storeOptions.migratesAutomatically = newValue }
  }
  /// Whether a mapping is inferred.
  public var shouldInferMappingModelAutomatically: Bool {
    get { storeOptions.infersMapping }
    set { storeOptions.infersMapping = newValue }
  }
  /// SQLite's pragmas.
  public var sqlitePragmas: [String: NSObject] {
    storeOptions.sqlitePragmas.mapValues { NSString(string: $0) }
  }

  /// Sets an option; nil takes it away.
  public func setOption(_ option: NSObject?, forKey key: String) {
    options[key] = option
    storeOptions.set(option, for: key)
  }

  /// Sets one of SQLite's pragmas; nil takes it away.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    storeOptions.sqlitePragmas[name] = value.map { "\($0)" }
  }

  /// What the library is asked.
  ///
  /// - Precondition: it has a URL, unless the store is in memory.
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
