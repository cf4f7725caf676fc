/// The store changed since an object was read, so that saving it would overwrite another's work.
///
/// Thrown by `save()`; nothing was saved. The context's objects stay as they were read: to try again,
/// fetch them in another context and make the change there. Follows Core Data's optimistic locking
/// (Z_OPT).
public struct ConflictError: Error, Sendable, CustomStringConvertible {
  /// The object whose row was changed or deleted meanwhile.
  public let objectID: ManagedObjectID

  /// One sentence, for a log.
  public var description: String { "\(objectID) was changed by someone else since it was read." }
}
