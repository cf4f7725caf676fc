import DogWalkModel
import SystemLibraries

/// The walks of several dogs that one walker took out at the same time.
///
/// Walks belong together if they have the same start, UTC offset, duration and walker, or no
/// walker. Each dog has its own walk, and for the walker all of them count as one.
struct Outing {
  /// The walks, one for each dog, at least one.
  private(set) var walks: [Walk]

  /// Creates the outing of a single dog.
  init(_ walk: Walk) { walks = [walk] }

  /// A walk that represents the values common to all.
  var walk: Walk { walks[0] }

  /// The length in seconds; nil if it is unknown.
  var seconds: Double? { walk.seconds }

  /// The distance in metres: the longest one of the dogs.
  var metres: Double? { walks.compactMap(\.metres).max() }

  /// Adds a walk if it belongs to the outing; returns whether it does.
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
