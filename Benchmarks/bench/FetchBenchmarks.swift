import CBaseline
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Fetches in stores of very different sizes, compared with C and with each other.
struct FetchBenchmarks {
  private let rounds = 7
  private let clock = ContinuousClock()

  func run() throws -> [Result] {
    let million = try SampleStore.madeElsewhere(dogs: 100, walks: 1_000_000)
    let tenThousand = try SampleStore.madeElsewhere(dogs: 100, walks: 10_000)
    return [
      try streaming(million, bar: 2.5),
      try newest(million, bar: 1.2),
      try week(million, bar: 2),
      try prefetching(bar: 1.3),
      parsing(bar: 20),
      try rowCost(million, tenThousand, bar: 1.25),
    ]
  }

  // MARK: Streaming

  /// Reads every attribute of all walks with a cursor.
  static func stream(_ context: ManagedObjectContext) throws -> WalkSum {
    var sum = WalkSum()
    let cursor = try context.cursor(for: Walk.fetchRequest())
    while let walk = try cursor.next() { sum.add(walk) }
    return sum
  }

  private func streaming(_ store: SampleStore, bar: Double) throws -> Result {
    var sums: (ours: WalkSum, yardstick: WalkSum) = (WalkSum(), WalkSum())
    let comparison = try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      return try clock.measure { sums.ours = try Self.stream(context) }
    } yardstick: {
      let baseline = try store.makeBaseline()
      return try clock.measure { sums.yardstick = WalkSum(try baseline.readWalks()) }
    }
    precondition(sums.ours == sums.yardstick, "the two sides read different walks")
    return comparison.result("stream 1,000,000 walks, every attribute read", bar: bar)
  }

  // MARK: Few of many

  /// The number of times a short fetch is repeated within a round.
  private let repetitions = 200

  private func newest(_ million: SampleStore, bar: Double) throws -> Result {
    let thousand = try SampleStore(dogs: 100, walks: 1_000)
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "date", ascending: false)]
    request.fetchLimit = 20
    func fetch(from store: SampleStore) throws -> Duration {
      let context = try store.makeContext()
      var fetched = 0
      let duration = try clock.measure {
        for _ in 0..<repetitions { fetched += try context.fetch(request).count }
      }
      precondition(fetched == 20 * repetitions, "not all walks were found")
      return duration
    }
    return try Comparison(rounds: rounds) {
      try fetch(from: million)
    } yardstick: {
      try fetch(from: thousand)
    }
    .result("\(repetitions) × newest 20 of 1,000,000 walks / of 1,000", bar: bar)
  }

  private func week(_ store: SampleStore, bar: Double) throws -> Result {
    // A walk each minute, a hundred dogs alternating: a hundred walks a week for each.
    let start = 815_000_000.0
    let end = start + 7 * 86_400
    let dog = 42
    var sums: (ours: WalkSum, yardstick: WalkSum) = (WalkSum(), WalkSum())
    let comparison = try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      let id = context.persistentStoreCoordinator.managedObjectID(
        entityName: "Dog", primaryKey: Int64(dog),
        in: context.persistentStoreCoordinator.persistentStores[0])
      return try clock.measure {
        for _ in 0..<repetitions {
          var request = Walk.fetchRequest()
          request.predicate = .all([
            .relationship("dog", isIn: id.map { [$0] } ?? []),
            .comparison(
              "date", .greaterThanOrEqual, .date(Date(timeIntervalSinceReferenceDate: start))),
            .comparison("date", .lessThan, .date(Date(timeIntervalSinceReferenceDate: end))),
          ])
          request.sortDescriptors = [.init(key: "date")]
          sums.ours = WalkSum()
          for walk in try context.fetch(request) { sums.ours.add(walk) }
        }
      }
    } yardstick: {
      let baseline = try store.makeBaseline()
      return try clock.measure {
        for _ in 0..<repetitions {
          sums.yardstick = WalkSum(try baseline.readWalks(ofDog: dog, from: start, to: end))
        }
      }
    }
    precondition(
      sums.ours == sums.yardstick && sums.ours != WalkSum(), "the two sides read different walks")
    return comparison.result(
      "\(repetitions) × a dog's walks of a week among 1,000,000", bar: bar)
  }

  // MARK: Prefetching

  private func prefetching(bar: Double) throws -> Result {
    let store = try SampleStore(dogs: 100, walks: 100_000)
    return try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      var request = Dog.fetchRequest()
      request.relationshipKeyPathsForPrefetching = ["walks"]
      var dogs: [Dog] = []
      let duration = try clock.measure { dogs = try context.fetch(request) }
      precondition(
        dogs.allSatisfy { !$0.hasFault(forRelationshipNamed: "walks") && $0.walks.count == 1_000 },
        "the walks were not prefetched")
      return duration
    } yardstick: {
      let context = try store.makeContext()
      var fetched: (dogs: [Dog], walks: [Walk]) = ([], [])
      let duration = try clock.measure {
        fetched.dogs = try context.fetch(Dog.fetchRequest())
        fetched.walks = try context.fetch(Walk.fetchRequest())
      }
      return withExtendedLifetime(fetched) { duration }
    }
    .result("prefetch the 100,000 walks of 100 dogs / two plain fetches", bar: bar)
  }

  // MARK: Parsing

  private func parsing(bar: Double) -> Result {
    let text = """
      date >= %@ AND date < %@ AND duration > 1800 AND distance BETWEEN {500, 5000.5} \
      AND (note CONTAINS[cd] "park" OR note IN {"Ana", "Bo"}) AND NOT isOngoing == YES \
      AND peeCount != nil AND pooCount <= 3 AND dog.name BEGINSWITH "Fi"
      """
    let start = Date(timeIntervalSinceReferenceDate: 815_000_000)
    let times = 1_000
    let microseconds = (0...rounds).map { _ in
      let duration = clock.measure {
        for _ in 0..<times {
          guard let predicate = try? FetchPredicate(format: text, start, start + 86_400),
            predicate != .constant(true)
          else { preconditionFailure("the predicate cannot be read") }
        }
      }
      return duration.milliseconds * 1_000 / Double(times)
    }
    .dropFirst()
    let median = Array(microseconds).median
    return Result(
      name: "read a predicate of ten comparisons", ours: median.fixed(2) + " µs", value: median,
      range: (microseconds.min() ?? 0)...(microseconds.max() ?? 0), bar: bar)
  }

  // MARK: Per row

  private func rowCost(
    _ million: SampleStore, _ tenThousand: SampleStore, bar: Double
  ) throws -> Result {
    /// Returns the time for 10,000 rows of a store.
    func fetch(from store: SampleStore, walks: Int) throws -> Duration {
      let context = try store.makeContext()
      var fetched: [Walk] = []
      var sum = WalkSum()
      let duration = try clock.measure {
        fetched = try context.fetch(Walk.fetchRequest())
        for walk in fetched { sum.add(walk) }
      }
      precondition(fetched.count == walks, "not all walks were found")
      return duration * 10_000 / walks
    }
    return try Comparison(rounds: rounds) {
      try fetch(from: million, walks: 1_000_000)
    } yardstick: {
      try fetch(from: tenThousand, walks: 10_000)
    }
    .result("fetch 1,000,000 walks, 10,000 of them / 10,000 walks", bar: bar)
  }
}
