import DogWalkModel
import ManagedObjects
import SystemLibraries

/// Lists of fetched results controllers.
extension LibraryBenchmarks {
  /// Compares a list in sections from its cache with one fetched from the store.
  func cachedList(in store: SampleStore, bar: Double) throws -> Result {
    setenv("XDG_CACHE_HOME", URL(filePath: store.path).deletingLastPathComponent().path, 1)
    // The cache does not trust stores that were changed at this very moment.
    usleep(50_000)
    var counts = (ours: 0, yardstick: 0)
    let comparison = try Comparison(rounds: rounds) {
      try look(in: store, cacheName: "walks", count: &counts.ours)
    } yardstick: {
      try look(in: store, cacheName: nil, count: &counts.yardstick)
    }
    precondition(counts.ours == counts.yardstick, "the two lists differ")
    return comparison.result(
      "a list of 100,000 walks in sections from its cache, beside one without", bar: bar)
  }

  private func look(
    in store: SampleStore, cacheName: String?, count: inout Int
  ) throws -> Duration {
    let context = try store.makeContext()
    var request = Walk.fetchRequest()
    request.sortDescriptors = [.init(key: "dog.name"), .init(key: "date")]
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "dog.name",
      cacheName: cacheName)
    let duration = try clock.measure { try controller.performFetch() }
    count = controller.fetchedObjects.count * 1_000 + controller.sections.count
    return duration
  }
}
