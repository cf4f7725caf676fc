public import Foundation
public import ManagedObjects

extension PersistentStoreCoordinator {
  /// Adds a store, with the name of its store type and a dictionary of options.
  ///
  ///     try coordinator.addPersistentStore(
  ///       ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
  ///
  /// A store of another version is migrated by a mapping model in the main bundle's resources, if
  /// there is one for the two versions.
  ///
  /// - Throws: as the library's `addPersistentStore(type:configurationName:at:options:)`;
  ///   `MappingModelError` if the mapping model cannot be read.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    var description = PersistentStoreDescription(
      type: PersistentStore.StoreType(storeType), url: storeURL)
    description.configuration = configuration
    description.options = PersistentStoreOptions(options)
    let store = try add(description, mappingModelsIn: [Bundle.main.resourceFolder])
    if isOn(options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey]) {
      postRemoteChanges(of: store)
    }
    return store
  }

  /// Adds the store that a description specifies, and calls a closure.
  ///
  ///     let description = NSPersistentStoreDescription(url: url)
  ///     coordinator.addPersistentStore(with: description) { _, error in
  ///       if let error { fatalError("\(error)") }
  ///     }
  ///
  /// The closure is called before this returns; for a store that is added asynchronously, later and
  /// on another thread.
  public func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    StoreLoading(
      coordinator: self, description: description, createsFolder: false, completion: block
    ).start()
  }

  /// Adds the store that a description specifies.
  ///
  /// - Parameter folders: the folders of the app's mapping models.
  package func add(
    _ description: NSPersistentStoreDescription,
    mappingModelsIn folders: [URL] = [Bundle.main.resourceFolder]
  ) throws {
    let store = try add(description.storeDescription, mappingModelsIn: folders)
    if isOn(description.options[NSPersistentStoreRemoteChangeNotificationPostOptionKey]) {
      postRemoteChanges(of: store)
    }
  }

  private func add(
    _ description: PersistentStoreDescription, mappingModelsIn folders: [URL]
  ) throws -> PersistentStore {
    try addPersistentStore(with: withMappingModel(description, in: folders))
  }

  /// Moves a store to another URL, possibly with another store type.
  ///
  /// - Throws: as the library's `migratePersistentStore(_:to:options:type:)`.
  @discardableResult
  public func migratePersistentStore(
    _ store: PersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> PersistentStore {
    let migrated = try migratePersistentStore(
      store, to: url, options: PersistentStoreOptions(options),
      type: PersistentStore.StoreType(storeType))
    if isOn(options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey]) {
      postRemoteChanges(of: migrated)
    }
    return migrated
  }

  /// Destroys a store's file.
  ///
  /// - Throws: as the library's `destroyPersistentStore(at:type:options:)`.
  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(
      at: url, type: PersistentStore.StoreType(storeType), options: PersistentStoreOptions(options))
  }

  /// Replaces one store's file by another's.
  ///
  /// - Throws: as the library's `replacePersistentStore(at:…)`.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: PersistentStoreOptions(destinationOptions),
      withPersistentStoreFrom: sourceURL, sourceOptions: PersistentStoreOptions(sourceOptions),
      type: PersistentStore.StoreType(storeType))
  }

  /// The metadata of a store's file, without a model.
  ///
  /// - Throws: as the library's `metadata(forPersistentStoreAt:type:)`.
  public static func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadata(forPersistentStoreAt: url, type: PersistentStore.StoreType(storeType))
      .mapValues(\.foundationValue)
  }

  /// Executes a batch request with a context.
  ///
  /// - Throws: as the context's `execute(_:)`.
  @discardableResult
  public func execute(
    _ request: NSPersistentStoreRequest, with context: ManagedObjectContext
  ) throws -> NSPersistentStoreResult {
    try context.execute(request)
  }
}

extension PersistentStore {
  /// The store type's name, such as `NSSQLiteStoreType`.
  ///
  ///     try coordinator.destroyPersistentStore(at: url, ofType: store.type, options: nil)
  public var type: String { storedType.rawValue }
}
