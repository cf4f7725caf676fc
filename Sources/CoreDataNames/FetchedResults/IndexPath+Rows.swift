public import Foundation

/// Index paths of a list with sections, as in UIKit and AppKit.
extension IndexPath {
  /// Creates an index path.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// Creates an index path.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The section's index.
  public var section: Int { self[0] }
  /// The object's index in its section.
  public var item: Int { self[1] }
  /// The object's index in its section.
  public var row: Int { self[1] }
}
