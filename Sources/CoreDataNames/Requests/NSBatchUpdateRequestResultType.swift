/// The type of result of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case statusOnlyResultType
  /// The IDs of the changed objects.
  case updatedObjectIDsResultType
  /// The number of changed objects.
  case updatedObjectsCountResultType
}
