import CBaseline
import DogWalkModel
import ManagedObjects

/// The library compared with C code that does the same work on the same tables, in one process.
struct LibraryBenchmarks {
  let rounds = 7
  private let walks = 100_000
  let clock = ContinuousClock()

  func run() throws -> [Result] {
    var results = [try insertion(dogs: 100, bar: 1.8), try insertion(dogs: 1, bar: 1.8)]
    let full = try SampleStore(dogs: 100, walks: walks)
    results += [
      try fetch(from: full, bar: 3.5),
      try fetchBesideKeptRows(from: full),
      try memory(of: full, bar: 260),
      try relationship(in: full, bar: 1.6),
      try range(in: full, bar: 1.3),
      try keysOfRange(in: full, bar: nil),
      try cachedList(in: full, bar: 0.33),
      try problems(in: full, bar: 1.7),
      try update(in: full, bar: 2),
      try deletion(in: full, bar: 2),
      try deletionFromReadLists(in: full, bar: 2),
      try findOrCreate(bar: 2.5),
      try undo(bar: 1.3),
      try subentity(bar: 3.5),
    ]
    return results
  }

  private func insertion(dogs: Int, bar: Double) throws -> Result {
    let empty = try SampleStore(dogs: dogs, walks: 0)
    return try Comparison(rounds: rounds) {
      let store = try empty.copy()
      // Keeps the store's folder while the context is in use.
      defer { withExtendedLifetime(store) {} }
      let context = try store.makeContext()
      let owners = try context.fetch(Dog.fetchRequest())
      return try clock.measure {
        for number in 0..<walks {
          let walk = Walk(context: context)
          SampleWalk.fill(walk, number: number)
          owners[number % dogs].addToWalks(walk)
        }
        try context.save()
      }
    } yardstick: {
      let store = try empty.copy()
      let baseline = try store.makeBaseline()
      return try clock.measure { try baseline.insertWalks(walks, dogs: dogs) }
    }
    .result("insert 100,000 walks for \(dogs) \(dogs == 1 ? "dog" : "dogs"), one save", bar: bar)
  }

  private func fetch(from store: SampleStore, bar: Double) throws -> Result {
    var sums: (ours: WalkSum, yardstick: WalkSum) = (WalkSum(), WalkSum())
    let comparison = try Comparison(rounds: rounds) {
      let (sum, duration) = try fetchAndRead(from: store)
      sums.ours = sum
      return duration
    } yardstick: {
      let baseline = try store.makeBaseline()
      var sum = CBaselineSum()
      let duration = try clock.measure { sum = try baseline.readWalks() }
      sums.yardstick = WalkSum(sum)
      return duration
    }
    precondition(sums.ours == sums.yardstick, "the two sides read different walks")
    return comparison.result("fetch 100,000 walks, every attribute read", bar: bar)
  }

  private func fetchBesideKeptRows(from store: SampleStore) throws -> Result {
    try Comparison(rounds: rounds) {
      try fetchAndRead(from: store).duration
    } yardstick: {
      let baseline = try store.makeBaseline()
      var sum = CBaselineSum()
      var kept: Baseline.Walks?
      let duration = try clock.measure { kept = try baseline.fetchWalks(sum: &sum) }
      return withExtendedLifetime(kept) { duration }
    }
    .result("  the same, where C keeps every row too", bar: nil)
  }

  private func fetchAndRead(
    from store: SampleStore
  ) throws -> (sum: WalkSum, duration: Duration) {
    let context = try store.makeContext()
    var sum = WalkSum()
    var fetched: [Walk] = []
    let duration = try clock.measure {
      fetched = try context.fetch(Walk.fetchRequest())
      for walk in fetched { sum.add(walk) }
    }
    // Freeing the objects is not part of the fetch, and C frees nothing during the measurement
    // either.
    return withExtendedLifetime(fetched) { (sum, duration) }
  }

  private func memory(of store: SampleStore, bar: Double) throws -> Result {
    let name = "memory of a fetched walk, every attribute read"
    let context = try store.makeContext()
    // A first fetch fills SQLite's page cache, so that it is not counted.
    _ = try context.fetch(Walk.fetchRequest()).count
    let before = cbaseline_bytes_in_use()
    let fetched = try context.fetch(Walk.fetchRequest())
    var sum = WalkSum()
    for walk in fetched { sum.add(walk) }
    let bytes = Double(cbaseline_bytes_in_use() - before) / Double(fetched.count)
    return withExtendedLifetime(fetched) {
      Result(
        name: name, ours: bytes.fixed(0) + " bytes", value: before < 0 ? nil : bytes, bar: bar)
    }
  }

  private func relationship(in store: SampleStore, bar: Double) throws -> Result {
    let dogs = 20
    var sums: (ours: WalkSum, yardstick: [CBaselineSum]) = (WalkSum(), [])
    let comparison = try Comparison(rounds: rounds) {
      let context = try store.makeContext()
      let owners = try context.fetch(Dog.fetchRequest()).prefix(dogs)
      return clock.measure {
        for dog in owners {
          sums.ours = WalkSum()
          for walk in dog.walks { sums.ours.add(walk) }
        }
      } / dogs
    } yardstick: {
      let baseline = try store.makeBaseline()
      return try clock.measure {
        sums.yardstick = try (1...dogs).map { try baseline.readWalks(ofDog: $0) }
      } / dogs
    }
    precondition(sums.yardstick.allSatisfy { $0.rows == 1000 }, "a dog has another number of walks")
    precondition(
      sums.yardstick.contains { WalkSum($0) == sums.ours }, "the two sides read different walks")
    return comparison.result("one dog's 1,000 walks in order, through the relationship", bar: bar)
  }

  private func update(in full: SampleStore, bar: Double) throws -> Result {
    try Comparison(rounds: rounds) {
      let store = try full.copy()
      // Keeps the store's folder while the context is in use.
      defer { withExtendedLifetime(store) {} }
      let context = try store.makeContext()
      let walks = try context.fetch(Walk.fetchRequest()).prefix(changed)
      return try clock.measure {
        for (number, walk) in walks.enumerated() { walk.duration = 100 + Double(number) }
        try context.save()
      }
    } yardstick: {
      let store = try full.copy()
      let baseline = try store.makeBaseline()
      var sum = CBaselineSum()
      let walks = try baseline.fetchWalks(limit: changed, sum: &sum)
      return try clock.measure { try baseline.update(walks, duration: 100) }
    }
    .result("update 10,000 walks, one save", bar: bar)
  }

  private func deletion(in full: SampleStore, bar: Double) throws -> Result {
    try Comparison(rounds: rounds) {
      let store = try full.copy()
      // Keeps the store's folder while the context is in use.
      defer { withExtendedLifetime(store) {} }
      let context = try store.makeContext()
      let walks = try context.fetch(Walk.fetchRequest()).prefix(changed)
      return try clock.measure {
        try context.performWriting {
          for walk in walks { context.delete(walk) }
          try context.save()
        }
      }
    } yardstick: {
      let store = try full.copy()
      let baseline = try store.makeBaseline()
      var sum = CBaselineSum()
      let walks = try baseline.fetchWalks(limit: changed, sum: &sum)
      return try clock.measure { try baseline.delete(walks) }
    }
    .result("delete 10,000 walks, one save", bar: bar)
  }

  private func subentity(bar: Double) throws -> Result {
    let store = try AnimalStore(hounds: walks)
    var sums = (ours: CBaselineSum(), yardstick: CBaselineSum())
    let comparison = try Comparison(rounds: rounds) {
      var sum = CBaselineSum()
      let context = try store.makeContext()
      var hounds: [AnimalStore.Hound] = []
      let duration = try clock.measure {
        hounds = try context.fetch(FetchRequest<AnimalStore.Hound>())
        for hound in hounds {
          sum.rows += 1
          sum.integers += Int64(hound.age ?? 0) + Int64(hound.tricks ?? 0)
          sum.reals += hound.weight ?? 0
          sum.text_bytes += Int64((hound.name?.utf8.count ?? 0) + (hound.breed?.utf8.count ?? 0))
        }
      }
      sums.ours = sum
      return withExtendedLifetime(hounds) { duration }
    } yardstick: {
      var sum = CBaselineSum()
      let duration = clock.measure { _ = cbaseline_read_hounds(store.path, &sum) }
      sums.yardstick = sum
      return duration
    }
    precondition(
      sums.ours.rows == sums.yardstick.rows && sums.ours.integers == sums.yardstick.integers
        && sums.ours.text_bytes == sums.yardstick.text_bytes, "the two sides read different hounds")
    return comparison.result("fetch 100,000 rows of a subentity, every attribute read", bar: bar)
  }

  /// The number of walks that are updated and deleted.
  let changed = 10_000
}
