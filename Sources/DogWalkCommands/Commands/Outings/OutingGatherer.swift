import DogWalkModel

/// Groups walks that are sorted by date, in either direction, into outings.
///
///     var outings = OutingGatherer()
///     try log.forEachWalk(query) { walk in
///       for outing in outings.take(walk) { print(outing.walks.count) }
///     }
///     for outing in outings.end() { print(outing.walks.count) }
struct OutingGatherer {
  /// The outings with the current start, which may get more walks.
  private var open: [Outing] = []

  /// Adds the next walk, and returns the outings that are now complete.
  mutating func take(_ walk: Walk) -> [Outing] {
    guard let start = walk.start, start == open.first?.walk.start else {
      defer { open = [Outing(walk)] }
      return open
    }
    for index in open.indices where open[index].take(walk) { return [] }
    open.append(Outing(walk))
    return []
  }

  /// Returns the remaining outings.
  mutating func end() -> [Outing] {
    defer { open = [] }
    return open
  }

  /// Returns the outings of walks, in the same order.
  static func outings(of walks: some Sequence<Walk>) -> [Outing] {
    var gatherer = OutingGatherer()
    return walks.flatMap { gatherer.take($0) } + gatherer.end()
  }
}

@available(*, unavailable)
extension OutingGatherer: Sendable {}
