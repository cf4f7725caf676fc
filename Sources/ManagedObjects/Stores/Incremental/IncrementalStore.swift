public import DataModel
import SystemLibraries

/// A custom store that is queried on demand: backed by a server, a folder or another database.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       override func loadMetadata() throws { metadata = ["NSStoreUUID": .string("F01D")] }
///       override func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult {
///         .objectIDs(try Disk.paths().map { objectID(for: request.entity, referenceObject: .init($0)) })
///       }
///       override func newValues(
///         forObjectWith objectID: ManagedObjectID
///       ) throws -> IncrementalStoreNode? {
///         let path = referenceObject(for: objectID).description
///         return IncrementalStoreNode(objectID: objectID, values: try Disk.values(of: path))
///       }
///     }
///
/// These three methods make a read-only store; `obtainPermanentIDs(for:)` and `execute(_:)` for
/// saves make it writable. The library applies predicates, sorts, limits, counts, dictionaries and
/// subentities to the objects that a fetch returns, except for the parts that the store declares to
/// have applied (``StoreFetchResult``), and finds the members of a to-many by their inverse to-ones
/// unless the store returns them. Nothing that a store returns is cached outside the contexts'
/// objects. The store must check uniqueness and whether the destination of a to-one exists; it
/// throws `PersistentStoreError.uniquenessViolation` or a `ConflictError`. The library does not
/// migrate a store whose version hashes name another version of the model: `loadMetadata()` may do
/// so itself. See ``CustomStore`` for what applies to both classes. Follows Core Data's
/// `NSIncrementalStore`.
open class IncrementalStore: CustomStore, @unchecked Sendable {
  let versions = NodeVersions()

  // MARK: To be overridden

  /// Returns the objects that a fetch requests, or more: see ``StoreFetchResult``.
  ///
  /// - Throws: any error; the fetch rethrows it.
  open func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult { .nodes([]) }

  /// Writes the changes of a save: all or none.
  ///
  /// Called even if nothing has changed, as in Core Data.
  ///
  /// - Throws: any error; the context's save rethrows it, and nothing has changed. A
  ///   `ConflictError` is first passed to the context's merge policy. By default,
  ///   `PersistentStoreError.unsupportedOperation` if there are changes.
  open func execute(_ request: SaveChangesRequest) throws {
    let isEmpty =
      request.insertedObjects.isEmpty && request.updatedObjects.isEmpty
      && request.deletedObjects.isEmpty
    if !isEmpty { throw PersistentStoreError.unsupportedOperation(type, "be written") }
  }

  /// The values of an object; nil if it no longer exists.
  ///
  /// - Throws: any error; if an accessor fired the fault, the error is in the context's
  ///   `faultingError`.
  open func newValues(forObjectWith objectID: ManagedObjectID) throws -> IncrementalStoreNode? {
    nil
  }

  /// The value of a relationship: the members of a to-many, in order if it is ordered, or the
  /// destination of a to-one that its node left out.
  ///
  /// nil by default: then a to-one has no destination, and the members of a to-many are found by a
  /// fetch for their inverse to-one.
  ///
  /// - Throws: any error; if an accessor fired the fault, the error is in the context's
  ///   `faultingError`.
  open func newValue(
    forRelationship relationship: RelationshipDescription,
    forObjectWith objectID: ManagedObjectID
  ) throws -> PropertyValue? { nil }

  /// The permanent IDs of new objects, in order; called before the save that inserts them.
  ///
  /// By default, each has a random UUID as its reference.
  open func obtainPermanentIDs(
    for objects: [ManagedObjectSnapshot]
  ) throws -> [ManagedObjectID] {
    objects.map { objectID(for: $0.entity, referenceObject: ReferenceObject(UUID())) }
  }

  /// Saves ``CustomStore/metadata`` that an application has changed.
  ///
  /// By default they are kept only while the store is open.
  open func saveMetadata() throws {}

  /// Called before the next request when objects were registered that no context had before.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [ManagedObjectID]) {}

  /// Called before the next request when objects are no longer registered in any context.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [ManagedObjectID]) {}

  // MARK: Opening

  override func prepare() throws {
    references.noteIncremental()
    try refuseDerivedAttributes()
    try loadMetadata()
    try adoptMetadata()
  }

  override var rowStore: any RowStore { self }

  /// Notifies the store of objects registered and unregistered since the last request.
  func notifyRegistrations() {
    guard let (registered, unregistered) = references.takeRegistrations() else { return }
    if !registered.isEmpty {
      managedObjectContextDidRegisterObjects(with: registered.compactMap { objectID(of: $0) })
    }
    if !unregistered.isEmpty {
      managedObjectContextDidUnregisterObjects(with: unregistered.compactMap { objectID(of: $0) })
    }
  }
}
