import Dispatch
import DogWalkModel
import ManagedObjects
import Synchronization
import SystemLibraries

/// Contexts of one coordinator that read concurrently, and while another one saves.
struct ConcurrencyBenchmarks {
  /// The number of seconds for which eight readers and a writer run.
  var seconds = 10.0
  private let walks = 100_000
  private let clock = ContinuousClock()

  func run() throws -> [Result] {
    let store = try SampleStore(dogs: 100, walks: walks)
    defer { withExtendedLifetime(store) {} }
    let container = try PersistentContainer(
      name: "DogWalk", model: .dogWalk, storeURL: URL(filePath: store.path))
    return [try fetchingAtOnce(container)] + (try readingBesideSave())
      + (try readersAndWriter(container, store))
  }

  /// Measures two threads on two cores.
  private func fetchingAtOnce(_ container: PersistentContainer) throws -> Result {
    try Comparison(rounds: 7) {
      try clock.measure {
        try atOnce([{ try fetch(in: container) }, { try fetch(in: container) }])
      }
    } yardstick: {
      try clock.measure {
        try fetch(in: container)
        try fetch(in: container)
      }
    }
    .result("two contexts fetch 100,000 each, at once / in turn", bar: 0.6)
  }

  private func fetch(in container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    var sum = 0.0
    for walk in try context.fetch(Walk.fetchRequest()) { sum += walk.duration ?? 0 }
    precondition(sum > 0, "nothing was read")
  }

  /// Measures the slowest of many reads that begin while 100,000 walks are saved.
  private func readingBesideSave() throws -> [Result] {
    var slowest: (counts: [Double], faults: [Double]) = ([], [])
    for _ in 0..<5 {
      let store = try SampleStore(dogs: 100, walks: 1_000)
      defer { withExtendedLifetime(store) {} }
      let container = try PersistentContainer(
        name: "DogWalk", model: .dogWalk, storeURL: URL(filePath: store.path))
      let isSaving = Atomic(false)
      let isDone = Atomic(false)
      let times = Mutex<(count: Double, fault: Double)>((0, 0))
      try atOnce([
        {
          defer { isDone.store(true, ordering: .releasing) }
          let context = container.newBackgroundContext()
          let owners = try context.fetch(Dog.fetchRequest())
          for number in 0..<walks {
            let walk = Walk(context: context)
            SampleWalk.fill(walk, number: number)
            owners[number % owners.count].addToWalks(walk)
          }
          isSaving.store(true, ordering: .releasing)
          try context.save()
          isSaving.store(false, ordering: .releasing)
        },
        {
          let context = container.newBackgroundContext()
          let dogs = try context.fetch(Dog.fetchRequest())
          while !isDone.load(ordering: .acquiring) {
            for dog in dogs {
              try context.refresh(dog, mergeChanges: false)
              let before = isSaving.load(ordering: .acquiring)
              let fault = clock.measure { _ = dog.name }.milliseconds
              let count = try clock.measure { _ = try context.count(for: Dog.fetchRequest()) }
                .milliseconds
              guard before, isSaving.load(ordering: .acquiring) else { continue }
              times.withLock { $0 = (max($0.count, count), max($0.fault, fault)) }
            }
          }
        },
      ])
      times.withLock {
        slowest.counts.append($0.count)
        slowest.faults.append($0.fault)
      }
    }
    return [
      figure("slowest count while 100,000 are saved", slowest.counts, "ms", bar: 5),
      figure("slowest fault while 100,000 are saved", slowest.faults, "ms", bar: 5),
    ]
  }

  /// Measures eight threads that fetch the newest walks, and one that changes a walk and saves.
  private func readersAndWriter(
    _ container: PersistentContainer, _ store: SampleStore
  ) throws -> [Result] {
    let reads = Atomic(0)
    let writes = Atomic(0)
    let log = store.path + "-wal"
    let longestLog = Atomic(0)
    let end = clock.now + .seconds(seconds)
    let reader: @Sendable () throws -> Void = {
      let context = container.newBackgroundContext()
      var request = Walk.fetchRequest()
      request.fetchLimit = 20
      request.sortDescriptors = [.init(key: "date", ascending: false)]
      while ContinuousClock.now < end {
        _ = try context.fetch(request)
        context.reset()
        reads.add(1, ordering: .relaxed)
      }
    }
    let writer: @Sendable () throws -> Void = {
      let context = container.newBackgroundContext()
      let walk = try context.fetch(Walk.fetchRequest())[0]
      while ContinuousClock.now < end {
        walk.duration = (walk.duration ?? 0) + 1
        try context.save()
        writes.add(1, ordering: .relaxed)
        let size = fileSize(log)
        longestLog.max(size, ordering: .relaxed)
      }
    }
    try atOnce(Array(repeating: reader, count: 8) + [writer])
    func rate(_ name: String, _ count: borrowing Atomic<Int>) -> Result {
      let value = Double(count.load(ordering: .relaxed)) / seconds
      return Result(name: name, ours: value.fixed(0) + "/s", value: value, bar: nil)
    }
    let longest = Double(longestLog.load(ordering: .relaxed)) / 1_048_576
    return [
      rate("8 readers and a writer, \(seconds.fixed(0)) s: reads of 20 walks", reads),
      rate("  the same: saves", writes),
      Result(
        name: "  the same: longest log", ours: longest.fixed(2) + " MiB", value: longest, bar: 64),
    ]
  }

  private func figure(
    _ name: String, _ values: [Double], _ unit: String, bar: Double
  ) -> Result {
    Result(
      name: name, ours: "\(values.median.fixed(2)) \(unit)", value: values.median,
      range: (values.min() ?? 0)...(values.max() ?? 0), bar: bar)
  }

  /// Runs closures on separate threads; throws the first error.
  private func atOnce(_ bodies: [@Sendable () throws -> Void]) throws {
    let error = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    for (index, body) in bodies.enumerated() {
      // A serial queue for each, since a concurrent one has no more threads than there are cores.
      DispatchQueue(label: "bench \(index)").async(group: group) {
        do {
          try body()
        } catch let failure {
          error.withLock { $0 = $0 ?? failure }
        }
      }
    }
    group.wait()
    if let error = error.withLock({ $0 }) { throw error }
  }
}

private func fileSize(_ path: String) -> Int {
  var info = stat()
  return stat(path, &info) == 0 ? Int(info.st_size) : 0
}
