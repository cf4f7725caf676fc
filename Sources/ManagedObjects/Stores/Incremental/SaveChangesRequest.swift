/// The changes of one save, as an ``IncrementalStore`` is asked to write them: all, or none.
///
///     final class FolderStore: IncrementalStore, @unchecked Sendable {
///       override func execute(_ request: SaveChangesRequest) throws {
///         for object in request.deletedObjects { try Disk.remove(referenceObject(for: object.objectID)) }
///       }
///     }
///
/// Follows Core Data's `NSSaveChangesRequest`.
public struct SaveChangesRequest: PersistentStoreRequest {
  /// The new objects, with the permanent IDs that the store gave.
  ///
  /// Of to-manys that a to-one leads back to, only ordered ones are among their values: who is a
  /// member, the members' to-ones say.
  public let insertedObjects: Set<ManagedObjectSnapshot>
  /// The changed objects, whole; `changedKeys` says what has changed.
  ///
  /// Of their to-manys those that have changed are there, with all members.
  public let updatedObjects: Set<ManagedObjectSnapshot>
  /// The deleted objects, without values.
  public let deletedObjects: Set<ManagedObjectSnapshot>
  /// Objects that are not written, but must be what they were when they were read
  /// (`detectConflicts(for:)`), without values.
  public let lockedObjects: Set<ManagedObjectSnapshot>

  /// A save.
  public var requestType: PersistentStoreRequestType { .save }

  /// Makes a request of its parts.
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
