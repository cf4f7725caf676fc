import DogWalkModel

/// The newest walks of all dogs, read with one fetch instead of one for each dog.
struct RecentWalks {
  /// The walks, the newest first.
  let walks: [Walk]
  /// Whether there are older ones, which were not read.
  let hasOlder: Bool
  private var walksByDog: [ObjectIdentifier: [Walk]] = [:]

  /// Creates an empty value, although there may be walks.
  init() {
    walks = []
    hasOlder = true
  }

  /// Reads as many walks for each dog as if all had equally many.
  ///
  /// That is enough for the longest streak that is shown, if each dog is out twice a day.
  ///
  /// - Parameters:
  ///   - query: the query for the walks, without a limit.
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

  /// Returns the walks of a dog, the newest first; may be empty although the dog has walks.
  func walks(of dog: Dog) -> [Walk] { walksByDog[ObjectIdentifier(dog)] ?? [] }

  /// Returns the walks in a period; nil if older ones may be in it too.
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
