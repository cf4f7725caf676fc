import TextMatching

extension Sequence {
  /// Returns the elements sorted by name, in the order that people expect in a list.
  ///
  ///     ["zoe", "Äla", "Rex 10", "Rex 2"].sorted(byName: \.self)   // Äla, Rex 2, Rex 10, zoe
  ///
  /// Case and diacritics are ignored, numbers compare by value, and elements with equal names keep
  /// their order. The order does not depend on the locale. Elements without a name come last. O(n
  /// log n).
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
