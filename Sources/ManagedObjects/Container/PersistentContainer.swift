public import DataModel
public import SystemLibraries

/// The whole stack in one: a model, its coordinator with one store, and contexts on it.
///
///     let container = try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: url)
///     let context = container.viewContext
///
/// Sendable. Follows Core Data's `NSPersistentContainer`; the store is opened at once, and errors
/// thrown.
public final class PersistentContainer: Sendable {
  /// The container's name: for people, and for logs.
  public let name: String
  /// The coordinator with the store.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The context of the main actor.
  ///
  ///     let dogs = try container.viewContext.fetch(Dog.fetchRequest())
  @MainActor public var viewContext: ManagedObjectContext {
    if let madeViewContext { return madeViewContext }
    let context = ManagedObjectContext(persistentStoreCoordinator: persistentStoreCoordinator)
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
  public init(
    name: String, model: ManagedObjectModel, storeURL: URL?,
    type: PersistentStore.StoreType? = nil, options: PersistentStoreOptions = .migrating
  ) throws {
    self.name = name
    persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try persistentStoreCoordinator.addPersistentStore(
      type: type ?? (storeURL == nil ? .inMemory : .sqlite), at: storeURL, options: options)
  }

  /// The model.
  public var managedObjectModel: ManagedObjectModel {
    persistentStoreCoordinator.managedObjectModel
  }

  /// The container's store.
  public var persistentStore: PersistentStore {
    // `init` added it, or threw.
    persistentStoreCoordinator.persistentStores[0]
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
