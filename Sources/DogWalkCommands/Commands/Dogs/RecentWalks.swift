import DogWalkModel

/// The newest walks of all dogs, read together: one look into the store in place of one a dog.
struct RecentWalks {
  /// The walks, the newest first.
  let walks: [Walk]
  /// Whether there are older ones, which were not read.
  let hasOlder: Bool
  /// Whose each is, by the dogs' places.
  private var owners: [Int] = []

  /// None, though there may be some.
  init() {
    walks = []
    hasOlder = true
  }

  /// Reads so many for each dog, as if all were out equally often.
  ///
  /// - Parameter dogs: all dogs of the log.
  init(of dogs: [Dog], perDog count: Int, in log: WalkLog) throws {
    var query = WalkQuery()
    query.limit = min(count * dogs.count, 1_000)
    walks = try log.walks(query)
    hasOlder = walks.count == query.limit
    for walk in walks {
      let dog = walk.dog
      owners.append(dogs.firstIndex { $0 === dog } ?? -1)
    }
  }

  /// Those of the dog at a place, the newest first; there may be none though it has some.
  func walks(ofDogAt place: Int) -> [Walk] {
    owners.indices.compactMap { owners[$0] == place ? walks[$0] : nil }
  }

  /// Those in a period; nil where older ones may lie in it too.
  func walks(in period: Period, zone: LocalZone) -> [Walk]? {
    if hasOlder {
      guard let oldest = walks.last, let earliest = period.instantBounds.earliest,
        oldest.date < earliest
      else { return nil }
    }
    return walks.filter { period.contains($0.start(in: zone)) }
  }
}

@available(*, unavailable)
extension RecentWalks: Sendable {}
