/// The type of a step; follows Core Data's `NSFetchedResultsChangeType`.
public enum FetchedResultsChangeType: Sendable, Hashable {
  /// An insertion.
  case insert
  /// A deletion.
  case delete
  /// A change of the position, and maybe of values.
  case move
  /// A change of values at the same index.
  case update
}
