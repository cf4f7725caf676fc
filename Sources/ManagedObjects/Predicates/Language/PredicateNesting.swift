/// What is known of a predicate or an expression without looking into it.
///
/// Whatever works on a predicate calls itself for what lies within, down to letting it go. So
/// nothing is made that nests too deeply for the stack, by hand as little as from text.
struct PredicateNesting: Sendable, Hashable {
  /// The most levels that may lie in one another.
  static let deepest = 1_000

  /// How many levels lie in one another.
  private(set) var depth: UInt16 = 0
  /// Whether a key path of all objects is in it: `@max.date`.
  private(set) var asksAllObjects: Bool

  init(asksAllObjects: Bool = false) { self.asksAllObjects = asksAllObjects }

  /// That of several that lie beside one another.
  init(of parts: some Sequence<PredicateNesting>) {
    self = parts.reduce(PredicateNesting()) { $0.union($1) }
  }

  var isTooDeep: Bool { depth > Self.deepest }

  /// That of what lies around, which is too deep itself where this is.
  var deeper: PredicateNesting {
    var outer = self
    if !isTooDeep { outer.depth += 1 }
    return outer
  }

  /// That of two that lie beside one another.
  func union(_ other: PredicateNesting) -> PredicateNesting {
    var both = self
    both.depth = max(depth, other.depth)
    both.asksAllObjects = asksAllObjects || other.asksAllObjects
    return both
  }
}
