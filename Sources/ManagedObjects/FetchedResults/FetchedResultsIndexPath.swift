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

  /// Compares by section, then by index in the section.
  public static func < (one: FetchedResultsIndexPath, other: FetchedResultsIndexPath) -> Bool {
    (one.section, one.item) < (other.section, other.item)
  }

  /// The two indices: `1.4`.
  public var description: String { "\(section).\(item)" }
}
