public import DataModel
public import SystemLibraries

/// A Core Data stack: a model, its coordinator with its stores, and contexts.
///
///     let container = try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: url)
///     let context = container.viewContext
///
/// Sendable. Follows Core Data's `NSPersistentContainer`; the stores are opened immediately, and
/// errors thrown.
public final class PersistentContainer: Sendable {
  /// The container's name, for messages and logs.
  public let name: String
  /// The descriptions of the stores, in their order.
  public let persistentStoreDescriptions: [PersistentStoreDescription]
  /// The coordinator with the stores.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The context of the main actor.
  ///
  ///     let dogs = try container.viewContext.fetch(Dog.fetchRequest())
  @MainActor public var viewContext: ManagedObjectContext {
    if let madeViewContext { return madeViewContext }
    let context = ManagedObjectContext(persistentStoreCoordinator: persistentStoreCoordinator)
    context.owner = .mainActor
    madeViewContext = context
    return context
  }
  @MainActor private var madeViewContext: ManagedObjectContext?

  /// Opens a store and builds the stack on it.
  ///
  ///     let test = try PersistentContainer(name: "Test", model: .dogWalk, storeURL: nil)
  ///
  /// `storeURL` is the store's file, created if there is none; with nil the store is in memory. A
  /// SQLite store of another version of the model is migrated, unless `options` disable that.
  ///
  /// - Parameters:
  ///   - name: the container's name.
  ///   - model: the model.
  ///   - storeURL: the URL of the store.
  ///   - type: the store type; nil for SQLite or PostgreSQL, as the URL implies, or in-memory where
  ///     there is no URL.
  ///   - options: the options for opening the store.
  /// - Throws: `PersistentStoreError` with the reason, `MigrationError` if the store cannot be
  ///   migrated; the file is unchanged then.
  public convenience init(
    name: String, model: ManagedObjectModel, storeURL: URL?,
    type: PersistentStore.StoreType? = nil, options: PersistentStoreOptions = .migrating
  ) throws {
    var description = PersistentStoreDescription(
      type: type ?? storeURL.map { $0.isPostgreSQL ? .postgreSQL : .sqlite } ?? .inMemory,
      url: storeURL)
    description.options = options
    try self.init(name: name, model: model, persistentStoreDescriptions: [description])
  }

  /// Opens several stores, or one of another type, and builds the stack on them.
  ///
  ///     let container = try PersistentContainer(
  ///       name: "Kennel", model: model, persistentStoreDescriptions: [.inMemory])
  ///
  /// - Throws: as the other initialiser does, for the first store that cannot be opened; stores
  ///   that were created before remain.
  /// - Precondition: there is a description, and each fits the model.
  public init(
    name: String, model: ManagedObjectModel,
    persistentStoreDescriptions: [PersistentStoreDescription]
  ) throws {
    require(!persistentStoreDescriptions.isEmpty, "A container needs a store.")
    self.name = name
    self.persistentStoreDescriptions = persistentStoreDescriptions
    persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
    for description in persistentStoreDescriptions {
      try persistentStoreCoordinator.addPersistentStore(with: description)
    }
  }

  /// Opens the store with a name in the default folder, which is created if it is missing.
  ///
  ///     let container = try PersistentContainer(name: "Kennel", model: model)
  ///
  /// Its file is `Kennel.sqlite` in ``defaultDirectoryURL()``.
  ///
  /// - Throws: as the other initialisers do; `PersistentStoreError.noDefaultFolder` if there is no
  ///   home folder.
  /// - Precondition: the name has no slash.
  public convenience init(name: String, model: ManagedObjectModel) throws {
    require(!name.utf8.contains(UInt8(ascii: "/")), "A container's name cannot contain a slash.")
    let folder = try Self.defaultDirectoryURL()
    // Each folder on the path is accessible only to its owner.
    try DefaultFolder.make(folder)
    try self.init(name: name, model: model, storeURL: folder.appending(path: "\(name).sqlite"))
  }

  /// The default folder for stores.
  ///
  /// It is `~/.local/share/PROGRAM`, or in the folder that `XDG_DATA_HOME` names; on Apple's
  /// systems in `Library/Application Support`. It need not exist yet. Follows Core Data's
  /// `defaultDirectoryURL()`.
  ///
  /// - Throws: `PersistentStoreError.noDefaultFolder` if neither variable, `XDG_DATA_HOME` or
  ///   `HOME`, is an absolute path.
  public static func defaultDirectoryURL() throws -> URL {
    try DefaultFolder.url { name in getenv(name).map { String(cString: $0) } }
  }

  /// The model.
  public var managedObjectModel: ManagedObjectModel {
    persistentStoreCoordinator.managedObjectModel
  }

  /// The container's store, the first if it has several.
  ///
  /// - Precondition: the coordinator still has one.
  public var persistentStore: PersistentStore {
    guard let store = persistentStoreCoordinator.persistentStores.first else {
      fatalError("The container's store was removed.")
    }
    return store
  }

  /// Creates a context for work in the caller's isolation.
  ///
  ///     actor Importer {
  ///       let context: ManagedObjectContext
  ///       init(_ container: PersistentContainer) { context = container.newBackgroundContext() }
  ///     }
  public func newBackgroundContext() -> sending ManagedObjectContext {
    ManagedObjectContext(persistentStoreCoordinator: persistentStoreCoordinator)
  }
}
