public import DataModel
import SystemLibraries

/// A store of a program's own that is asked for what is needed when it is needed: a server, a
/// folder, another database.
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
/// These three make a store that is read; `obtainPermanentIDs(for:)` and `execute(_:)` for saves
/// make one that is written. The library does predicates, sorts, limits, counts, dictionaries and
/// subentities over what a fetch gives, unless the store says that it has (``StoreFetchResult``),
/// and finds the members of a to-many by the to-ones that lead back, unless the store gives them.
/// Nothing that a store gave is kept but in the objects of contexts. Uniqueness, and whether what a
/// to-one leads to is there, are the store's to know; it throws
/// `PersistentStoreError.uniquenessViolation` or a `ConflictError`. One of another version of the
/// model, by the version hashes in its metadata, is not migrated by the library:
/// `loadMetadata()` may bring it to the model's version itself. See ``CustomStore`` for what holds
/// for both kinds. Follows Core Data's `NSIncrementalStore`.
open class IncrementalStore: CustomStore, @unchecked Sendable {
  let versions = NodeVersions()

  // MARK: To be overridden

  /// Gives the objects that a fetch asks for, or more: see ``StoreFetchResult``.
  ///
  /// - Throws: whatever is wrong; the fetch throws that.
  open func execute(_ request: StoreFetchRequest) throws -> StoreFetchResult { .nodes([]) }

  /// Writes the changes of a save: all, or none.
  ///
  /// Asked even where nothing has changed, as in Core Data.
  ///
  /// - Throws: whatever is wrong; the context's save throws that, and has changed nothing. A
  ///   `ConflictError` goes to the context's merge policy first. Unless overridden,
  ///   `PersistentStoreError.unsupportedOperation` where there are changes.
  open func execute(_ request: SaveChangesRequest) throws {
    let isEmpty =
      request.insertedObjects.isEmpty && request.updatedObjects.isEmpty
      && request.deletedObjects.isEmpty
    if !isEmpty { throw PersistentStoreError.unsupportedOperation(type, "be written") }
  }

  /// The values of an object; nil where there is no such object any more.
  ///
  /// - Throws: whatever is wrong; where an accessor asked, the context's `faultingError` has it.
  open func newValues(forObjectWith objectID: ManagedObjectID) throws -> IncrementalStoreNode? {
    nil
  }

  /// What a relationship of an object leads to: the members of a to-many, in their order where they
  /// have one, or the end of a to-one that its node left out.
  ///
  /// nil, unless overridden: then a to-one leads nowhere, and the members of a to-many are those
  /// that lead back by a to-one, which a fetch finds.
  ///
  /// - Throws: whatever is wrong; where an accessor asked, the context's `faultingError` has it.
  open func newValue(
    forRelationship relationship: RelationshipDescription,
    forObjectWith objectID: ManagedObjectID
  ) throws -> PropertyValue? { nil }

  /// The permanent IDs of new objects, in their order; asked before the save that they are part of.
  ///
  /// Unless overridden each is known by a random UUID.
  open func obtainPermanentIDs(
    for objects: [ManagedObjectSnapshot]
  ) throws -> [ManagedObjectID] {
    objects.map { objectID(for: $0.entity, referenceObject: ReferenceObject(UUID())) }
  }

  /// Keeps ``CustomStore/metadata`` that an application has changed.
  ///
  /// Unless overridden they are kept as long as the store is open.
  open func saveMetadata() throws {}

  /// Tells that a context has objects that none had before; before the next question.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [ManagedObjectID]) {}

  /// Tells that no context has some objects any more; before the next question.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [ManagedObjectID]) {}

  // MARK: Opening

  override func prepare() throws {
    references.noteIncremental()
    try refuseDerivedAttributes()
    try loadMetadata()
    try adoptMetadata()
  }

  override var rowStore: any RowStore { self }

  /// Tells which objects contexts have come to have, and have no more.
  func tellRegistrations() {
    guard let (registered, unregistered) = references.takeRegistrations() else { return }
    if !registered.isEmpty {
      managedObjectContextDidRegisterObjects(with: registered.compactMap { objectID(of: $0) })
    }
    if !unregistered.isEmpty {
      managedObjectContextDidUnregisterObjects(with: unregistered.compactMap { objectID(of: $0) })
    }
  }
}
