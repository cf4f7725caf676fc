/// Properties of a predicate or expression that are known without inspecting it.
///
/// Functions on predicates, including their deallocation, recurse into their parts. So no predicate
/// is created that is nested too deeply for the stack, whether in code or from text.
struct PredicateNesting: Sendable, Hashable {
  /// The maximum nesting depth.
  static let deepest = 1_000

  /// The nesting depth.
  private(set) var depth: UInt16 = 0
  /// Whether it contains a key path over all objects: `@max.date`.
  private(set) var asksAllObjects: Bool

  init(asksAllObjects: Bool = false) { self.asksAllObjects = asksAllObjects }

  /// The combination for parts at the same level.
  init(of parts: some Sequence<PredicateNesting>) {
    self = parts.reduce(PredicateNesting()) { $0.union($1) }
  }

  var isTooDeep: Bool { depth > Self.deepest }

  /// The nesting of an enclosing expression; the depth stays at the limit once it is exceeded.
  var deeper: PredicateNesting {
    var outer = self
    if !isTooDeep { outer.depth += 1 }
    return outer
  }

  /// The combination of two parts at the same level.
  func union(_ other: PredicateNesting) -> PredicateNesting {
    var both = self
    both.depth = max(depth, other.depth)
    both.asksAllObjects = asksAllObjects || other.asksAllObjects
    return both
  }
}
