/// An optimistic-locking failure: rows changed in the store since the objects were read.
///
///     do { try context.save() } catch let conflict as ConflictError {
///       for id in conflict.objectIDs {
///         try context.refresh(context.object(with: id), mergeChanges: true)
///       }
///       try context.save()
///     }
///
/// Thrown by `save()`; nothing was saved, and the context keeps its changes. To continue, call
/// `refresh(_:mergeChanges:)` for the objects and save again, or choose a `mergePolicy` that
/// resolves conflicts. Follows Core Data's optimistic locking (Z_OPT), whose error names all
/// objects in conflict too.
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// The objects whose rows were changed or deleted in the meantime; at least one.
  public let objectIDs: [ManagedObjectID]

  /// The first of them.
  public var objectID: ManagedObjectID { objectIDs[0] }

  init(objectID: ManagedObjectID) { objectIDs = [objectID] }

  /// Creates an error about objects, each named once: for an ``IncrementalStore`` whose data has
  /// changed.
  ///
  /// - Precondition: `objectIDs` is not empty.
  public init(objectIDs: [ManagedObjectID]) {
    var seen: Set<ManagedObjectID> = []
    self.objectIDs = objectIDs.filter { seen.insert($0).inserted }
  }

  /// A sentence for a log.
  public var description: String {
    objectIDs.count == 1
      ? "\(objectID) was changed by someone else since it was read."
      : "\(objectIDs.count) objects were changed by someone else since they were read: "
        + objectIDs.map(\.description).joined(separator: ", ") + "."
  }
}
