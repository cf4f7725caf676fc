import DataModel
import SystemLibraries

/// The store types of a coordinator.
extension PersistentStoreCoordinator {
  /// Registers a class of custom stores for a store type; nil removes it.
  ///
  ///     PersistentStoreCoordinator.registerStoreClass(FolderStore.self, forStoreType: .init("Folder"))
  ///     let store = try coordinator.addPersistentStore(type: .init("Folder"), at: url)
  ///
  /// Applies to the whole process; register it before a store of that type is added. May be called
  /// from any thread. Stores that are open are not affected. Follows Core Data's
  /// `registerStoreClass(_:forStoreType:)`.
  ///
  /// - Precondition: the type is not one of the library's, and the class is a subclass of
  ///   ``AtomicStore`` or ``IncrementalStore``.
  public static func registerStoreClass(
    _ storeClass: CustomStore.Type?, forStoreType type: PersistentStore.StoreType
  ) {
    require(
      ![.sqlite, .inMemory, .postgreSQL].contains(type)
        && !documentTypes.contains { $0.type == type },
      "\(type) is a store type of the library: choose another name.")
    StoreClasses.shared.set(storeClass, for: type)
  }

  /// The store types that classes were registered for, sorted by name.
  ///
  /// Follows Core Data's `registeredStoreTypes`, without the library's own types.
  public static var registeredStoreTypes: [PersistentStore.StoreType] { StoreClasses.shared.types }

  /// The store types of documents.
  static var documentTypes: [any DocumentFormat.Type] { DocumentReader.kinds }

  /// Opens or creates a store of a type.
  ///
  /// - Throws: `PersistentStoreError` with the reason.
  static func makeStore(
    _ type: PersistentStore.StoreType, at url: URL?, configuration: String? = nil,
    model: ManagedObjectModel, options: PersistentStoreOptions, offset: Int
  ) throws -> any RowStore {
    if type == .inMemory {
      try model.checkDerivations()
      return InMemoryStore(model: model, identifier: UUID().uuidString, offset: offset)
    }
    if let storeClass = StoreClasses.shared[type] {
      var description = PersistentStoreDescription(type: type, url: url)
      description.configuration = configuration
      description.options = options
      return try storeClass.openOrMigrate(
        StoreParameters(description: description, managedObjectModel: model, offset: offset))
    }
    guard type != .sqlite else {
      guard let url else { fatalError("A \(type) store needs a URL.") }
      return try openOrMigrate(url, model: model, options: options, offset: offset)
    }
    #if PostgreSQL
      if type == .postgreSQL {
        guard let url else { fatalError("A \(type) store needs a URL.") }
        return try PostgreSQLStore.openOrMigrate(
          url, model: model, options: options, offset: offset)
      }
    #endif
    let document = try documentType(type)
    guard let url else { fatalError("\(type == .xml ? "An" : "A") \(type) store needs a URL.") }
    return try DocumentStore.openOrMigrate(
      url, as: document, model: model, options: options, offset: offset)
  }

  /// The document format of a store type.
  ///
  /// - Throws: `PersistentStoreError.unknownStoreType`.
  static func documentType(
    _ type: PersistentStore.StoreType
  ) throws(PersistentStoreError) -> any DocumentFormat.Type {
    guard let document = documentTypes.first(where: { $0.type == type }) else {
      throw .unknownStoreType(type)
    }
    return document
  }
}
