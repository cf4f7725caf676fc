import DogWalkModel

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
