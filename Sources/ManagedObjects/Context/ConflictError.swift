/// The store changed since an object was read, so that saving it would overwrite another's work.
///
///     do { try context.save() } catch let conflict as ConflictError {
///       try context.refresh(context.object(with: conflict.objectID), mergeChanges: true)
///       try context.save()
///     }
///
/// Thrown by `save()`; nothing was saved, and the context's changes are still there. To go on,
/// `refresh(_:mergeChanges:)` the object and save again, or choose a `mergePolicy` that does so.
/// Follows Core Data's optimistic locking (Z_OPT).
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// The object whose row was changed or deleted meanwhile.
  public let objectID: ManagedObjectID

  /// One sentence, for a log.
  public var description: String { "\(objectID) was changed by someone else since it was read." }
}
