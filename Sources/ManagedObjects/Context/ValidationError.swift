/// What the model forbids about some objects, all of it, found before anything was saved.
///
///     Walk.date has no value.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// One thing that the model forbids.
  public struct Failure: Sendable, Hashable {
    /// Why it is forbidden.
    public enum Reason: Sendable, Hashable {
      /// A required attribute has no value, or a required relationship no object.
      case missingValue
      /// A delete rule denies the delete as long as there are members.
      case deleteDenied
    }

    /// The object.
    public let objectID: ManagedObjectID
    /// The name of the property.
    public let property: String
    /// Why it is forbidden.
    public let reason: Reason
  }

  /// Everything that was found.
  public let failures: [Failure]

  /// A sentence for each failure.
  public var description: String {
    failures.map { failure in
      let property = "\(failure.objectID.entity.name).\(failure.property)"
      return switch failure.reason {
      case .missingValue: "\(property) has no value."
      case .deleteDenied:
        "\(property) still has members, so the \(failure.objectID.entity.name) cannot be deleted."
      }
    }.joined(separator: "\n")
  }
}
