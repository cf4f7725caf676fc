/// The changes of one save, which an ``IncrementalStore`` must write atomically.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       override func execute(_ request: SaveChangesRequest) throws {
///         for object in request.deletedObjects { try Disk.remove(referenceObject(for: object.objectID)) }
///       }
///     }
///
/// Follows Core Data's `NSSaveChangesRequest`.
public struct SaveChangesRequest: PersistentStoreRequest {
  /// The new objects, with the permanent IDs that the store assigned.
  ///
  /// A to-many with an inverse to-one is included only if it is ordered; otherwise the members'
  /// to-ones determine it.
  public let insertedObjects: Set<ManagedObjectSnapshot>
  /// The changed objects with all their values; `changedKeys` names what has changed.
  ///
  /// A to-many is included only if it has changed, with all its members.
  public let updatedObjects: Set<ManagedObjectSnapshot>
  /// The deleted objects, without values.
  public let deletedObjects: Set<ManagedObjectSnapshot>
  /// Objects that are not written but must be unchanged since they were read
  /// (`detectConflicts(for:)`), without values.
  public let lockedObjects: Set<ManagedObjectSnapshot>

  /// The type of the request: a save.
  public var requestType: PersistentStoreRequestType { .save }

  /// Creates a request from its parts.
  public init(
    inserted: Set<ManagedObjectSnapshot> = [], updated: Set<ManagedObjectSnapshot> = [],
    deleted: Set<ManagedObjectSnapshot> = [], locked: Set<ManagedObjectSnapshot> = []
  ) {
    insertedObjects = inserted
    updatedObjects = updated
    deletedObjects = deleted
    lockedObjects = locked
  }
}
