import CBaseline
import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Fetches with bounds on an indexed attribute, without sorting.
extension LibraryBenchmarks {
  /// The number of times a fetch is repeated within a round.
  private var repetitions: Int { 50 }

  // A walk each minute: a thousand of the hundred thousand.
  private var start: Double { 800_000_000 + 40_000 * 60 }
  private var end: Double { start + 1_000 * 60 }

  private var request: FetchRequest<Walk> {
    var request = Walk.fetchRequest()
    request.predicate = .all([
      .comparison("date", .greaterThanOrEqual, .date(Date(timeIntervalSinceReferenceDate: start))),
      .comparison("date", .lessThan, .date(Date(timeIntervalSinceReferenceDate: end))),
    ])
    return request
  }

  func range(in store: SampleStore, bar: Double) throws -> Result {
    var sums: (ours: WalkSum, yardstick: WalkSum) = (WalkSum(), WalkSum())
    let comparison = try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      return try clock.measure {
        for _ in 0..<repetitions {
          sums.ours = WalkSum()
          for walk in try context.fetch(request) { sums.ours.add(walk) }
        }
      }
    } yardstick: {
      let baseline = try store.makeBaseline()
      return try clock.measure {
        for _ in 0..<repetitions {
          sums.yardstick = WalkSum(try baseline.readWalks(from: start, to: end))
        }
      }
    }
    precondition(
      sums.ours == sums.yardstick && sums.ours != WalkSum(), "the two sides read different walks")
    return comparison.result(
      "\(repetitions) × a range on an indexed attribute, 1 % of 100,000 walks, objects", bar: bar)
  }

  func keysOfRange(in store: SampleStore, bar: Double?) throws -> Result {
    var counts = (ours: 0, yardstick: 0)
    let comparison = try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      return try clock.measure {
        for _ in 0..<repetitions { counts.ours = try context.fetchIDs(request).count }
      }
    } yardstick: {
      let baseline = try store.makeBaseline()
      return try clock.measure {
        for _ in 0..<repetitions {
          counts.yardstick = Int(try baseline.readKeys(from: start, to: end).rows)
        }
      }
    }
    precondition(counts.ours == 1_000 && counts.yardstick == 1_000, "not all walks were found")
    return comparison.result("  the same, IDs", bar: bar)
  }
}
