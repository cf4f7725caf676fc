import TextMatching

extension Sequence {
  /// The elements by their names, as people expect them in a list.
  ///
  ///     ["zoe", "Äla", "Rex 10", "Rex 2"].sorted(byName: \.self)   // Äla, Rex 2, Rex 10, zoe
  ///
  /// Without regard to case and marks, numbers by their value; names that are equal stay as they
  /// come. The same everywhere, whatever the locale. What has no name comes last. O(n log n).
  package func sorted(byName name: (Element) -> String?) -> [Element] {
    let elements = Array(self)
    guard elements.count > 1 else { return elements }
    return elements.map { (name: name($0), element: $0) }.sorted { one, other in
      guard let mine = one.name, let theirs = other.name else {
        return one.name != nil && other.name == nil
      }
      return NaturalOrder.compare(mine, theirs) < 0
    }.map(\.element)
  }
}
