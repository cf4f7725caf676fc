import Dispatch
public import Foundation
public import ManagedObjects

/// A container for a Core Data stack, created as in Core Data.
///
///     let container = NSPersistentContainer(name: "Kennel")
///     container.loadPersistentStores { _, error in
///       if let error { fatalError("\(error)") }
///     }
///     let context = container.viewContext
///
/// Its contexts belong to queues, which the compiler does not check: use the view context on the
/// main thread, and others within their `perform(_:)`.
open class NSPersistentContainer: @unchecked Sendable {
  // Unchecked: properties are set before stores are loaded, as in Core Data; the context is created
  // immediately.

  /// The container's name: that of its model and of its file.
  public let name: String
  /// The coordinator with the stores.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The descriptions of the stores; a SQLite store in the default folder unless set.
  public var persistentStoreDescriptions: [NSPersistentStoreDescription]
  /// The context of the main queue.
  public let viewContext: ManagedObjectContext

  /// Creates a container with the model that momc generated from `NAME.xcdatamodeld`.
  ///
  /// The model is that of the caller's module.
  ///
  ///     let container = NSPersistentContainer(name: "Kennel")
  ///
  /// - Precondition: the module has the model, and imports CoreDataNames, which momc detects.
  public convenience init(name: String, besideFile fileID: String = #fileID) {
    guard let model = ManagedObjectModel.model(named: name, besideFile: fileID) else {
      fatalError(
        """
        There is no model \(name) in the module \(fileID.prefix { $0 != "/" }). Give the target the \
        plugin CompileDataModel and a \(name).xcdatamodeld, or the container a managedObjectModel.
        """)
    }
    self.init(name: name, managedObjectModel: model)
  }

  /// Creates a container with a model.
  public init(name: String, managedObjectModel model: ManagedObjectModel) {
    self.name = name
    persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
    viewContext = ManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    let description = NSPersistentStoreDescription()
    description.url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    persistentStoreDescriptions = [description]
    LoadedModels.shared.add(model)
  }

  /// The model.
  public var managedObjectModel: ManagedObjectModel {
    persistentStoreCoordinator.managedObjectModel
  }

  /// The default folder for stores, the same as that of `PersistentContainer`.
  ///
  /// - Precondition: the user has a home folder.
  open class func defaultDirectoryURL() -> URL {
    do { return try PersistentContainer.defaultDirectoryURL() } catch {
      fatalError("There is no folder for stores: neither XDG_DATA_HOME nor HOME is set.")
    }
  }

  /// Adds the stores by their descriptions, and calls a closure for each.
  ///
  /// The closure is called once for each description, before this returns; for one that is added
  /// asynchronously, later and on another thread. A store of another version is migrated by a
  /// mapping model in the main bundle's resources, if there is one for the two versions, otherwise
  /// by an inferred one.
  public func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      StoreLoading(
        coordinator: persistentStoreCoordinator, description: description, createsFolder: true,
        completion: block
      ).start()
    }
  }

  /// Creates a context with a queue of its own.
  open func newBackgroundContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block with a context of its own, asynchronously on that context's queue.
  public func performBackgroundTask(_ block: @escaping (ManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block with a context of its own, and returns its result asynchronously.
  ///
  /// - Throws: errors that the block throws.
  public func performBackgroundTask<Result, Failure: Error>(
    _ block: @escaping (ManagedObjectContext) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let context = newBackgroundContext()
    return try await context.perform { () throws(Failure) -> Result in try block(context) }
  }
}
