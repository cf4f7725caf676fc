import SystemLibraries

/// Reads the tags of walks.
///
/// Most logs have no tags; then no walk's tags are fetched, which would take a query for each walk.
package struct WalkTags: Sendable {
  /// Whether any walk may have tags.
  package let areThere: Bool

  /// Creates a tag reader.
  package init(areThere: Bool) { self.areThere = areThere }

  /// Returns the names of a walk's tags.
  package func names(of walk: Walk) -> [String] { areThere ? walk.tagNames : [] }
}
