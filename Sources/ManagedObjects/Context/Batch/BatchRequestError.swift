/// Why a batch request was refused; nothing was changed.
public enum BatchRequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A required property would have no value, in the object at an index of the request.
  case missingValue(String, at: Int)
  /// A required attribute would be set to nil.
  case requiredValue(String)
  /// The value of a to-one is not the URI of an object of its destination entity.
  case notAnObject(String)
  /// Objects are still members of a relationship whose delete rule is Deny.
  case deniedDeletion(ManagedObjectID, relationship: String)

  /// One sentence that names the property or the object.
  public var description: String {
    switch self {
    case .missingValue(let property, let index):
      "\(property) is required and has no value in object \(index + 1) of the batch."
    case .requiredValue(let property): "\(property) is required: it cannot be set to nil."
    case .notAnObject(let property):
      "\(property) needs the URI of an object of its destination entity."
    case .deniedDeletion(let id, let relationship):
      "\(id) cannot be deleted: \(relationship) still has members."
    }
  }
}
