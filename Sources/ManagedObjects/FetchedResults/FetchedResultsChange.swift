/// A position in a list with sections.
public struct FetchedResultsIndexPath: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The section's index, from 0.
  public var section: Int
  /// The object's index in its section, from 0.
  public var item: Int

  /// Creates a position.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Sections first, then indices in them.
  public static func < (one: FetchedResultsIndexPath, other: FetchedResultsIndexPath) -> Bool {
    (one.section, one.item) < (other.section, other.item)
  }

  /// The two indices: `1.4`.
  public var description: String { "\(section).\(item)" }
}

/// One step from a list of fetched results to the next.
///
/// A report is an array of steps to apply one by one: each says where things are after the steps
/// before it. Objects are named by their IDs, so a report may go anywhere. Steps that correct IDs
/// come first in a report.
public enum FetchedResultsChange: Sendable, Hashable {
  /// A section without objects comes in at an index.
  case insertSection(name: String, at: Int)
  /// The section at an index, which has no objects any more, goes.
  case deleteSection(name: String, at: Int)
  /// An object comes in at an index.
  case insert(ManagedObjectID, at: FetchedResultsIndexPath)
  /// The object at an index goes.
  case delete(ManagedObjectID, at: FetchedResultsIndexPath)
  /// An object is taken out at one index and then put in at another; its values may have changed.
  case move(ManagedObjectID, from: FetchedResultsIndexPath, to: FetchedResultsIndexPath)
  /// The object at an index has other values.
  case update(ManagedObjectID, at: FetchedResultsIndexPath)
  /// The object at an index has got its permanent ID, since it was saved; a temporary one was told
  /// before.
  case obtainPermanentID(
    ManagedObjectID, insteadOf: ManagedObjectID, at: FetchedResultsIndexPath)

  /// Whether the step changes nothing but an ID.
  var isAboutID: Bool {
    if case .obtainPermanentID = self { true } else { false }
  }
}
