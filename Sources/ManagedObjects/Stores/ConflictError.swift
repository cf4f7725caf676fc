/// The store changed since objects were read, so that saving them would overwrite another's work.
///
///     do { try context.save() } catch let conflict as ConflictError {
///       for id in conflict.objectIDs {
///         try context.refresh(context.object(with: id), mergeChanges: true)
///       }
///       try context.save()
///     }
///
/// Thrown by `save()`; nothing was saved, and the context's changes are still there. To go on,
/// `refresh(_:mergeChanges:)` the objects and save again, or choose a `mergePolicy` that does so.
/// Follows Core Data's optimistic locking (Z_OPT), whose error names all objects in conflict too.
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// The objects whose rows were changed or deleted meanwhile; at least one.
  public let objectIDs: [ManagedObjectID]

  /// The first of them.
  public var objectID: ManagedObjectID { objectIDs[0] }

  init(objectID: ManagedObjectID) { objectIDs = [objectID] }

  /// Names objects, each once: for an ``IncrementalStore`` whose rows others have changed.
  ///
  /// - Precondition: there is one.
  public init(objectIDs: [ManagedObjectID]) {
    var seen: Set<ManagedObjectID> = []
    self.objectIDs = objectIDs.filter { seen.insert($0).inserted }
  }

  /// One sentence, for a log.
  public var description: String {
    objectIDs.count == 1
      ? "\(objectID) was changed by someone else since it was read."
      : "\(objectIDs.count) objects were changed by someone else since they were read: "
        + objectIDs.map(\.description).joined(separator: ", ") + "."
  }
}
