import DogWalkModel
import SystemLibraries

/// Walks that several dogs took together: one time out of the door, with one walker.
///
/// Dogs are walked together where their walks began at one moment, by one clock, took as long and
/// had the same walker, or none. Each dog has a walk of its own; the walker has one.
struct Outing {
  /// The walks, one a dog, at least one.
  private(set) var walks: [Walk]

  /// The walk of a dog that is out alone, as far as is known.
  init(_ walk: Walk) { walks = [walk] }

  /// One of the walks: what they have in common can be asked of it.
  var walk: Walk { walks[0] }

  /// How many seconds it took; nil where nobody said.
  var seconds: Double? { walk.seconds }

  /// How far it was, in metres: the longest way that one of the dogs went.
  var metres: Double? { walks.compactMap(\.metres).max() }

  /// Takes a walk in that belongs to it; false where it does not.
  mutating func take(_ walk: Walk) -> Bool {
    guard let start = walk.start, start == self.walk.start, walk.seconds == seconds,
      walk.isOngoing == self.walk.isOngoing, walk.clockOffset == self.walk.clockOffset,
      walk.walker === self.walk.walker, !walks.contains(where: { $0.dog === walk.dog })
    else { return false }
    walks.append(walk)
    return true
  }
}

@available(*, unavailable)
extension Outing: Sendable {}

/// Puts walks that come by their dates, in either direction, together into outings.
///
///     var outings = OutingGatherer()
///     try log.forEachWalk(query) { walk in
///       for outing in outings.take(walk) { print(outing.walks.count) }
///     }
///     for outing in outings.end() { print(outing.walks.count) }
struct OutingGatherer {
  /// Outings of one moment, which may get more walks.
  private var open: [Outing] = []

  /// Takes the next walk; gives the outings that are whole with it.
  mutating func take(_ walk: Walk) -> [Outing] {
    guard let start = walk.start, start == open.first?.walk.start else {
      defer { open = [Outing(walk)] }
      return open
    }
    for index in open.indices where open[index].take(walk) { return [] }
    open.append(Outing(walk))
    return []
  }

  /// Gives what is left.
  mutating func end() -> [Outing] {
    defer { open = [] }
    return open
  }

  /// The outings that walks make, in their order.
  static func outings(of walks: some Sequence<Walk>) -> [Outing] {
    var gatherer = OutingGatherer()
    return walks.flatMap { gatherer.take($0) } + gatherer.end()
  }
}

@available(*, unavailable)
extension OutingGatherer: Sendable {}
