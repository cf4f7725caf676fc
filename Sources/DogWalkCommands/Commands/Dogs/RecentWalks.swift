import DogWalkModel

/// The newest walks of all dogs, read together: one look into the store in place of one a dog.
struct RecentWalks {
  /// The walks, the newest first.
  let walks: [Walk]
  /// Whether there are older ones, which were not read.
  let hasOlder: Bool
  private var walksByDog: [ObjectIdentifier: [Walk]] = [:]

  /// None, though there may be some.
  init() {
    walks = []
    hasOlder = true
  }

  /// Reads as many for each dog as if all were out equally often: enough for the longest streak
  /// that is shown, where each is out twice a day.
  ///
  /// - Parameters:
  ///   - query: what gives them; it has no limit of its own.
  ///   - dogs: all dogs of the log.
  init(_ query: WalkQuery, of dogs: [Dog], in log: WalkLog) throws {
    var query = query
    query.limit = min(24 * dogs.count, 1_000)
    walks = try log.walks(query)
    hasOlder = walks.count == query.limit
    for walk in walks {
      if let dog = walk.dog { walksByDog[ObjectIdentifier(dog), default: []].append(walk) }
    }
  }

  /// Those of a dog, the newest first; there may be none though it has some.
  func walks(of dog: Dog) -> [Walk] { walksByDog[ObjectIdentifier(dog)] ?? [] }

  /// Those in a period; nil where older ones may lie in it too.
  func walks(in period: Period, zone: LocalZone) -> [Walk]? {
    if hasOlder {
      guard let oldest = walks.last?.start, let earliest = period.instantBounds.earliest,
        oldest < earliest
      else { return nil }
    }
    return walks.filter { $0.lies(in: period, zone) }
  }
}

@available(*, unavailable)
extension RecentWalks: Sendable {}
