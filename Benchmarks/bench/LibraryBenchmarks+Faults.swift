import CBaseline
import DogWalkModel
import ManagedObjects

extension LibraryBenchmarks {
  /// Measures firing faults one by one, each with its own query, in one read transaction.
  func problems(in store: SampleStore, bar: Double) throws -> Result {
    let count = 10_000
    var sums: (ours: WalkSum, yardstick: WalkSum) = (WalkSum(), WalkSum())
    let comparison = try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      let coordinator = context.persistentStoreCoordinator
      // The primary keys begin at 1.
      let ids = (1...Int64(count)).compactMap {
        coordinator.managedObjectID(
          entityName: "Walk", primaryKey: $0, in: coordinator.persistentStores[0])
      }
      let faults = ids.compactMap { context.object(with: $0) as? Walk }
      sums.ours = WalkSum()
      let duration = try clock.measure {
        try context.performReading { for walk in faults { sums.ours.add(walk) } }
      }
      return withExtendedLifetime(faults) { duration }
    } yardstick: {
      let baseline = try store.makeBaseline()
      var sum = CBaselineSum()
      let duration = try clock.measure { sum = try baseline.readWalksOneByOne(count) }
      sums.yardstick = WalkSum(sum)
      return duration
    }
    precondition(sums.ours == sums.yardstick, "the two sides read different walks")
    return comparison.result("fire 10,000 faults one by one, one read transaction", bar: bar)
  }
}
