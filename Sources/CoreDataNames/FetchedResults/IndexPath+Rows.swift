public import Foundation

/// Places in a list with sections, as UIKit and AppKit have them.
extension IndexPath {
  /// Creates a place.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// Creates a place.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The section's index.
  public var section: Int { self[0] }
  /// The object's index in its section.
  public var item: Int { self[1] }
  /// The object's index in its section.
  public var row: Int { self[1] }
}
