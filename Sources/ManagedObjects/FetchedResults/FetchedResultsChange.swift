/// One step from a list of fetched results to the next.
///
/// A report is an array of steps to apply one by one: the indexes of each refer to the list after
/// the steps before it. Objects are identified by their IDs, so a report may be sent anywhere.
/// Steps that correct IDs come first in a report.
public enum FetchedResultsChange: Sendable, Hashable {
  /// A section without objects was inserted at an index.
  case insertSection(name: String, at: Int)
  /// The section at an index, which has no objects any more, was deleted.
  case deleteSection(name: String, at: Int)
  /// An object was inserted at an index.
  case insert(ManagedObjectID, at: FetchedResultsIndexPath)
  /// The object at an index was deleted.
  case delete(ManagedObjectID, at: FetchedResultsIndexPath)
  /// An object was removed at one index and then inserted at another; its values may have changed.
  case move(ManagedObjectID, from: FetchedResultsIndexPath, to: FetchedResultsIndexPath)
  /// The values of the object at an index have changed.
  case update(ManagedObjectID, at: FetchedResultsIndexPath)
  /// The object at an index has received its permanent ID, since it was saved.
  ///
  /// It was reported with a temporary one before.
  case obtainPermanentID(
    ManagedObjectID, insteadOf: ManagedObjectID, at: FetchedResultsIndexPath)

  /// Whether the step changes only an ID.
  var isAboutID: Bool {
    if case .obtainPermanentID = self { true } else { false }
  }
}
