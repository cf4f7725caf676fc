public import DataModel
public import SystemLibraries

/// The whole stack in one: a model, its coordinator with its stores, and contexts on it.
///
///     let container = try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: url)
///     let context = container.viewContext
///
/// Sendable. Follows Core Data's `NSPersistentContainer`; the store is opened at once, and errors
/// thrown.
public final class PersistentContainer: Sendable {
  /// The container's name: for people, and for logs.
  public let name: String
  /// How the stores were described, in their order.
  public let persistentStoreDescriptions: [PersistentStoreDescription]
  /// The coordinator with the store.
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
  /// `storeURL` is the store's file, made where there is none; with nil the store is in memory. A
  /// SQLite store of another version of the model is migrated, unless `options` say otherwise.
  ///
  /// - Parameters:
  ///   - name: the container's name.
  ///   - model: the model.
  ///   - storeURL: where the store is.
  ///   - type: the store's kind; nil for SQLite's, or for one in memory where there is no URL.
  ///   - options: how the store is opened.
  /// - Throws: `PersistentStoreError` with the reason, `MigrationError` where the store cannot be
  ///   migrated; the file is as it was then.
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

  /// Opens several stores, or one of another kind, and builds the stack on them.
  ///
  ///     let container = try PersistentContainer(
  ///       name: "Kennel", model: model, persistentStoreDescriptions: [.inMemory])
  ///
  /// - Throws: as the other one does, of the first store that cannot be opened; what was made of
  ///   others stays.
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

  /// Opens the store of a name in the default folder, which is made where it is missing.
  ///
  ///     let container = try PersistentContainer(name: "Kennel", model: model)
  ///
  /// Its file is `Kennel.sqlite` in ``defaultDirectoryURL()``.
  ///
  /// - Throws: as the others do; `PersistentStoreError.noDefaultFolder` where there is no home
  ///   folder.
  /// - Precondition: the name has no slash.
  public convenience init(name: String, model: ManagedObjectModel) throws {
    require(!name.utf8.contains(UInt8(ascii: "/")), "A container's name has no slash.")
    let folder = try Self.defaultDirectoryURL()
    // Each folder on the way, for nobody but its owner.
    try DefaultFolder.make(folder)
    try self.init(name: name, model: model, storeURL: folder.appending(path: "\(name).sqlite"))
  }

  /// The folder for stores of programs that name none: `~/.local/share/PROGRAM`, or where
  /// `XDG_DATA_HOME` puts it; on Apple's systems in `Library/Application Support`.
  ///
  /// It need not be there yet. Follows Core Data's `defaultDirectoryURL()`.
  ///
  /// - Throws: `PersistentStoreError.noDefaultFolder` where neither that nor a home folder is
  ///   named.
  public static func defaultDirectoryURL() throws -> URL {
    try DefaultFolder.url { name in getenv(name).map { String(cString: $0) } }
  }

  /// The model.
  public var managedObjectModel: ManagedObjectModel {
    persistentStoreCoordinator.managedObjectModel
  }

  /// The container's store, the first where it has several.
  ///
  /// - Precondition: the coordinator still has one.
  public var persistentStore: PersistentStore {
    guard let store = persistentStoreCoordinator.persistentStores.first else {
      fatalError("The container's store was removed.")
    }
    return store
  }

  /// A new context for work in the isolation of whoever asks for it.
  ///
  ///     actor Importer {
  ///       let context: ManagedObjectContext
  ///       init(_ container: PersistentContainer) { context = container.newBackgroundContext() }
  ///     }
  public func newBackgroundContext() -> sending ManagedObjectContext {
    ManagedObjectContext(persistentStoreCoordinator: persistentStoreCoordinator)
  }
}
