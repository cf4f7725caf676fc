public import DataModel
public import SystemLibraries

/// The common base class of custom stores: ``AtomicStore`` and ``IncrementalStore``.
///
///     PersistentStoreCoordinator.registerStoreClass(FolderStore.self, forStoreType: .init("Folder"))
///     try coordinator.addPersistentStore(type: .init("Folder"), at: url)
///
/// Subclass one of these two. The coordinator makes all calls under its lock, one at a time, so a
/// store needs no lock of its own; it must not call the coordinator or a context. Errors that its
/// methods throw are rethrown unchanged by the fetch or save. Corresponds to the part of Core
/// Data's `NSPersistentStore` that such stores override.
open class CustomStore: PersistentStore, @unchecked Sendable {
  /// The part of the model that the store holds.
  public let managedObjectModel: ManagedObjectModel
  /// The description that the store was added with: its options and configuration.
  public let storeDescription: PersistentStoreDescription
  /// The store's metadata, including keys that an application adds.
  ///
  /// `loadMetadata()` sets it: at least `NSStoreUUID`, a text of letters, digits and hyphens that
  /// is the same in every run. If it contains `NSStoreModelVersionHashes`, a store of another
  /// version of the model is refused or migrated: see ``AtomicStore/willMigrate()``.
  public var metadata: [String: PropertyList] = [:]
  let references: ReferenceTable
  let bound: ModelBinding
  private let bindingsByName: [String: EntityBinding]

  /// Creates a store that is not loaded yet; called by the coordinator.
  public required init(_ opening: StoreParameters) {
    managedObjectModel = opening.managedObjectModel
    storeDescription = opening.description
    references = ReferenceTable()
    let identity = PersistentStoreIdentity(references: references)
    bound = ModelBinding(opening.managedObjectModel, store: identity, offset: opening.offset)
    bindingsByName = Dictionary(uniqueKeysWithValues: bound.entities.map { ($0.name, $0) })
    super.init(
      type: opening.description.type, url: opening.url, identity: identity,
      bindings: bound.entities, offset: opening.offset,
      isReadOnly: opening.description.options.isReadOnly)
  }

  // MARK: To be overridden

  /// Sets the store's ``metadata``.
  ///
  /// - Throws: any error; then the store is not added.
  open func loadMetadata() throws {}

  /// The UUID for a newly created store.
  ///
  /// A random one unless overridden. Follows Core Data's `identifierForNewStore(at:)`.
  open class func identifierForNewStore(at url: URL?) -> String { UUID().uuidString }

  /// The metadata of a store that is not open, whatever its model.
  ///
  /// Unless overridden, creates a store for a model without entities and loads its metadata.
  /// Follows Core Data's `metadataForPersistentStore(with:)`.
  ///
  /// - Throws: what `loadMetadata()` throws; `PersistentStoreError.fileNotFound` if that sets no
  ///   metadata.
  open class func metadataForPersistentStore(
    at url: URL, type: StoreType
  ) throws -> [String: PropertyList] {
    let store = self.init(
      StoreParameters(
        description: PersistentStoreDescription(type: type, url: url),
        managedObjectModel: ManagedObjectModel(entities: []), offset: 0))
    try store.loadMetadata()
    guard !store.metadata.isEmpty else { throw PersistentStoreError.fileNotFound(url) }
    return store.metadata
  }

  /// Replaces the application's metadata of a store that is not open, whatever its model.
  ///
  /// Throws unless overridden. Follows Core Data's `setMetadata(_:forPersistentStoreAt:)`.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`.
  open class func setMetadata(
    _ metadata: [String: PropertyList], forPersistentStoreAt url: URL, type: StoreType
  ) throws {
    throw PersistentStoreError.unsupportedOperation(type, "get metadata while they are closed")
  }

  /// Destroys a store that is not open.
  ///
  /// Throws unless overridden.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`.
  open class func destroyPersistentStore(
    at url: URL, type: StoreType, options: PersistentStoreOptions
  ) throws {
    throw PersistentStoreError.unsupportedOperation(type, "be destroyed")
  }

  /// Replaces a store with a copy of another one; neither is open, and the destination may not
  /// exist.
  ///
  /// Must be atomic: if it throws, the destination must be unchanged. Throws unless overridden.
  /// Called by `replacePersistentStore` and `copy` of a coordinator.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`.
  open class func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: PersistentStoreOptions, type: StoreType
  ) throws {
    throw PersistentStoreError.unsupportedOperation(type, "be copied; migrate them instead")
  }

  // MARK: Identity

  /// The ID of the object that the store identifies by a reference.
  ///
  ///     let id = folderStore.objectID(
  ///       for: model.entitiesByName["File"]!, referenceObject: "a.txt")
  ///
  /// The same entity and reference always give the same ID while the store is open; the ID's URI is
  /// the same in every run. Pass the object's own entity, not a superentity. Follows Core Data's
  /// `newObjectID(for:referenceObject:)`.
  ///
  /// - Precondition: the store has the entity, and it is not abstract.
  public func objectID(
    for entity: EntityDescription, referenceObject: ReferenceObject
  ) -> ManagedObjectID {
    let binding = binding(of: entity)
    require(!binding.isAbstract, "The entity \(entity.name) is abstract: it has no objects.")
    return ManagedObjectID(
      binding: binding, key: references.key(of: referenceObject, entity: binding.index))
  }

  /// The reference by which the store identifies an object.
  ///
  /// Follows Core Data's `referenceObject(for:)`.
  ///
  /// - Precondition: the ID is permanent and belongs to this store.
  public func referenceObject(for objectID: ManagedObjectID) -> ReferenceObject {
    guard objectID.binding.store === identity, let known = references[objectID.key] else {
      fatalError("\(objectID) is not an object of this store.")
    }
    return known.reference
  }

  // MARK: Opening

  /// Opens or creates a store.
  ///
  /// - Throws: `PersistentStoreError`; whatever the store throws.
  static func open(_ opening: StoreParameters) throws -> any RowStore {
    let store = self.init(opening)
    let rowStore = store.rowStore
    try store.prepare()
    return rowStore
  }

  /// Reads what must be known before the store is added to the coordinator.
  func prepare() throws { fatalError("Subclass AtomicStore or IncrementalStore.") }

  /// The object that implements `RowStore` for this store.
  var rowStore: any RowStore { fatalError("Subclass AtomicStore or IncrementalStore.") }

  /// Checks that the metadata name this store type and fit the model, and adopts their identifier.
  func adoptMetadata() throws {
    if case .string(let found)? = metadata["NSStoreType"], found != type.rawValue {
      throw PersistentStoreError.typeMismatch(urlForErrors, expected: type, found: found)
    }
    metadata["NSStoreType"] = .string(type.rawValue)
    guard case .string(let identifier)? = metadata[StoredMetadata.uuidKey], !identifier.isEmpty,
      identifier.utf8.allSatisfy(\.isPartOfUUID)
    else { throw invalid("its metadata has no NSStoreUUID of letters, digits and hyphens") }
    if !storeDescription.options.ignoresModelVersioning,
      metadata["NSStoreModelVersionHashes"] != nil,
      let mismatch = StoredMetadata.mismatch(
        of: metadata, with: managedObjectModel, at: urlForErrors)
    {
      throw mismatch
    }
    identity.take(identifier)
  }

  func refuseDerivedAttributes() throws {
    try managedObjectModel.checkDerivations()
    for entity in bindings {
      if let attribute = entity.description.attributes.first(where: \.isDerived) {
        throw PersistentStoreError.unsupportedModel(
          "\(entity.name).\(attribute.name) is derived, which only SQLite stores can have.")
      }
    }
  }

  func invalid(_ reason: String) -> PersistentStoreError { .invalidStore(type, reason) }

  /// The store's binding of an entity.
  func binding(of entity: EntityDescription) -> EntityBinding {
    guard let binding = bindingsByName[entity.name] else {
      fatalError("The store has no entity \(entity.name).")
    }
    return binding
  }

  /// The ID of the object with a key; nil if no reference has that key.
  func objectID(of key: Int64) -> ManagedObjectID? {
    references[key].map { ManagedObjectID(binding: binding(at: $0.entity), key: key) }
  }
}

extension UInt8 {
  fileprivate var isPartOfUUID: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
