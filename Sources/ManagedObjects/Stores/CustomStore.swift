public import DataModel
public import SystemLibraries

/// A store of a program's own: what ``AtomicStore`` and ``IncrementalStore`` have in common.
///
///     PersistentStoreCoordinator.registerStoreClass(FolderStore.self, forStoreType: .init("Folder"))
///     try coordinator.addPersistentStore(type: .init("Folder"), at: url)
///
/// Subclass one of the two. All calls come through the coordinator's lock, one at a time, so a
/// store needs no lock of its own; it must not call the coordinator or a context. What its methods
/// throw comes out of the fetch or the save as it is. Stands for the part of Core Data's
/// `NSPersistentStore` that such stores override.
open class CustomStore: PersistentStore, @unchecked Sendable {
  /// The part of the model that the store holds.
  public let managedObjectModel: ManagedObjectModel
  /// How the store was described: its options, its configuration.
  public let storeDescription: PersistentStoreDescription
  /// What the store knows of itself, and what an application keeps beside it.
  ///
  /// `loadMetadata()` sets it: `NSStoreUUID` at least, a text of letters, digits and hyphens that
  /// is the same in every run. With `NSStoreModelVersionHashes` among it a store of another version
  /// of the model is refused, or migrated: see ``AtomicStore/willMigrate()``.
  public var metadata: [String: PropertyList] = [:]
  let references: ReferenceTable
  let bound: ModelBinding
  private let bindingsByName: [String: EntityBinding]

  /// Makes a store that is not read yet; called by the coordinator.
  public required init(_ opening: StoreOpening) {
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
  /// - Throws: whatever is wrong; the store is not added then.
  open func loadMetadata() throws {}

  /// The UUID for a store that is made.
  ///
  /// A random one unless overridden. Follows Core Data's `identifierForNewStore(at:)`.
  open class func identifierForNewStore(at url: URL?) -> String { UUID().uuidString }

  /// The metadata of a store that is not open, of whichever model.
  ///
  /// Unless overridden a store is made for a model without entities, and has to load its metadata.
  /// Follows Core Data's `metadataForPersistentStore(with:)`.
  ///
  /// - Throws: what `loadMetadata()` throws; `PersistentStoreError.fileNotFound` where it finds no
  ///   metadata.
  open class func metadataForPersistentStore(
    at url: URL, type: StoreType
  ) throws -> [String: PropertyList] {
    let store = self.init(
      StoreOpening(
        description: PersistentStoreDescription(type: type, url: url),
        managedObjectModel: ManagedObjectModel(entities: []), offset: 0))
    try store.loadMetadata()
    guard !store.metadata.isEmpty else { throw PersistentStoreError.fileNotFound(url) }
    return store.metadata
  }

  /// Replaces an application's metadata of a store that is not open, of whichever model.
  ///
  /// Unless overridden it throws. Follows Core Data's `setMetadata(_:forPersistentStoreAt:)`.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`.
  open class func setMetadata(
    _ metadata: [String: PropertyList], forPersistentStoreAt url: URL, type: StoreType
  ) throws {
    throw PersistentStoreError.unsupportedOperation(type, "get metadata while they are closed")
  }

  /// Takes a store that is not open away.
  ///
  /// Unless overridden it throws.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`.
  open class func destroyPersistentStore(
    at url: URL, type: StoreType, options: PersistentStoreOptions
  ) throws {
    throw PersistentStoreError.unsupportedOperation(type, "be destroyed")
  }

  /// Puts a copy of a store that is not open in the place of another one, or where there is none.
  ///
  /// In one step: where it throws, what was there must still be there. Unless overridden it throws.
  /// It is called for `replacePersistentStore` and for `copy` of a coordinator.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`.
  open class func replacePersistentStore(
    at destinationURL: URL, destinationOptions: PersistentStoreOptions,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: PersistentStoreOptions, type: StoreType
  ) throws {
    throw PersistentStoreError.unsupportedOperation(type, "be copied; migrate them instead")
  }

  // MARK: Identity

  /// The ID of the object that the store knows by a reference.
  ///
  ///     let id = folderStore.objectID(
  ///       for: model.entitiesByName["File"]!, referenceObject: "a.txt")
  ///
  /// The same for the same entity and reference, as long as the store is open; its URI is the same
  /// in every run. Name the object's own entity, not one that it inherits from. Follows Core Data's
  /// `newObjectID(for:referenceObject:)`.
  ///
  /// - Precondition: the store has the entity, which is not abstract.
  public func objectID(
    for entity: EntityDescription, referenceObject: ReferenceObject
  ) -> ManagedObjectID {
    let binding = binding(of: entity)
    require(!binding.isAbstract, "The entity \(entity.name) is abstract: it has no objects.")
    return ManagedObjectID(
      binding: binding, key: references.key(of: referenceObject, entity: binding.index))
  }

  /// What the store knows an object by.
  ///
  /// Follows Core Data's `referenceObject(for:)`.
  ///
  /// - Precondition: the ID is this store's, and permanent.
  public func referenceObject(for objectID: ManagedObjectID) -> ReferenceObject {
    guard objectID.binding.store === identity, let known = references[objectID.key] else {
      fatalError("\(objectID) is no object of this store.")
    }
    return known.reference
  }

  // MARK: Opening

  /// Opens a store, or makes one.
  ///
  /// - Throws: `PersistentStoreError` with the reason; what the store throws.
  static func open(_ opening: StoreOpening) throws -> any RowStore {
    let store = self.init(opening)
    let rowStore = store.rowStore
    try store.prepare()
    return rowStore
  }

  /// Reads what has to be known before the store is the coordinator's.
  func prepare() throws { fatalError("Subclass AtomicStore or IncrementalStore.") }

  /// What the store answers, where it is added.
  var rowStore: any RowStore { fatalError("Subclass AtomicStore or IncrementalStore.") }

  /// Checks that the metadata are of this kind of store and fit the model; the store has their
  /// identifier from then on.
  func adoptMetadata() throws {
    if case .string(let found)? = metadata["NSStoreType"], found != type.rawValue {
      throw PersistentStoreError.typeMismatch(urlForErrors, expected: type, found: found)
    }
    metadata["NSStoreType"] = .string(type.rawValue)
    guard case .string(let identifier)? = metadata[StoredMetadata.uuidKey], !identifier.isEmpty,
      identifier.utf8.allSatisfy(\.isPartOfUUID)
    else { throw invalid("its metadata have no NSStoreUUID of letters, digits and hyphens") }
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

  /// An entity as the store has it.
  func binding(of entity: EntityDescription) -> EntityBinding {
    guard let binding = bindingsByName[entity.name] else {
      fatalError("The store has no entity \(entity.name).")
    }
    return binding
  }

  /// The ID of an object of this store by its key.
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
