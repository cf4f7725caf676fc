/// The type of a change of an object or a section of the list.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// An insertion.
  case insert = 1
  /// A deletion.
  case delete
  /// A change of the position.
  case move
  /// A change of values.
  case update
}
