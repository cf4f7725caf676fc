/// The type of result of a batch insertion.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case statusOnly
  /// The IDs of the new objects.
  case objectIDs
  /// The number of new objects.
  case count
}
