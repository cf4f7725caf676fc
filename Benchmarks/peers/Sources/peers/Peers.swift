import Dispatch
import Foundation
import GRDB
import ManagedObjects
import Synchronization

/// The library compared with GRDB: the same work on the same tables, alternately.
///
///     make bench-peers
///
/// Both write with `synchronous=FULL`, and their stores are on the same disk. Exits with 1 if a bar
/// is missed.
@main
struct Peers {
  private static let clock = ContinuousClock()
  private static let rounds = 5

  static func main() throws {
    let ours = try Kennel(isFull: true)
    let theirs = try Kennel(isFull: true)
    let pool = try pool(theirs)
    var results = [try inserting()]
    results += [
      try fetching(ours, pool), try fetchingOne(ours, pool), try updating(ours, pool),
    ]
    results += try readersAndWriter(ours, pool)
    print(Result.table(results))
    if results.contains(where: { $0.verdict == .over }) { exit(1) }
  }

  private static func pool(_ kennel: Kennel) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = 8
    configuration.busyMode = .timeout(20)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return try DatabasePool(path: kennel.url.path, configuration: configuration)
  }

  // MARK: One thread

  private static func inserting() throws -> Result {
    try Comparison(rounds: rounds) {
      let kennel = try Kennel(isFull: false)
      return try clock.measure {
        try Kennel.addWalks(in: kennel.container.newBackgroundContext())
      }
    } yardstick: {
      let kennel = try Kennel(isFull: false)
      let pool = try pool(kennel)
      return try clock.measure {
        try pool.write { database in
          for number in 0..<Kennel.walkCount { try WalkRecord(number: number).insert(database) }
        }
      }
    }
    .result("insert 100,000 in one save", bar: 1)
  }

  private static func fetching(_ kennel: Kennel, _ pool: DatabasePool) throws -> Result {
    try Comparison(rounds: rounds) {
      try clock.measure {
        let context = kennel.container.newBackgroundContext()
        var sum = 0
        for walk in try context.fetch(Walk.fetchRequest()) {
          sum += Int(walk.minutes) + (walk.note?.utf8.count ?? 0)
        }
        precondition(sum > 0)
      }
    } yardstick: {
      try clock.measure {
        var sum = 0
        for walk in try pool.read({ try WalkRecord.fetchAll($0) }) {
          sum += Int(walk.minutes) + (walk.note?.utf8.count ?? 0)
        }
        precondition(sum > 0)
      }
    }
    .result("fetch 100,000", bar: 1)
  }

  private static func fetchingOne(_ kennel: Kennel, _ pool: DatabasePool) throws -> Result {
    let context = kennel.container.newBackgroundContext()
    let dog = try context.fetch(Dog.fetchRequest())[0]
    var request = Walk.fetchRequest()
    request.predicate = \Walk.dog == dog
    request.sortDescriptors = [.init(key: "date")]
    return try Comparison(rounds: rounds * 10) {
      try clock.measure {
        let found = try context.fetch(request)
        precondition(found.count == 1_000)
        context.reset()
      }
    } yardstick: {
      try clock.measure {
        let found = try pool.read { database in
          try WalkRecord.filter(Column("ZDOG") == 1).order(Column("ZDATE")).fetchAll(database)
        }
        precondition(found.count == 1_000)
      }
    }
    .result("one dog's 1,000 walks in order", bar: 1)
  }

  private static func updating(_ kennel: Kennel, _ pool: DatabasePool) throws -> Result {
    let context = kennel.container.newBackgroundContext()
    var request = Walk.fetchRequest()
    request.fetchLimit = 10_000
    let walks = try context.fetch(request)
    var records = try pool.read { try WalkRecord.limit(10_000).fetchAll($0) }
    return try Comparison(rounds: rounds) {
      try clock.measure {
        for walk in walks { walk.minutes += 1 }
        try context.save()
      }
    } yardstick: {
      try clock.measure {
        try pool.write { database in
          for index in records.indices {
            records[index].minutes += 1
            records[index].lockCount += 1
            try records[index].update(database, columns: ["ZMINUTES", "Z_OPT"])
          }
        }
      }
    }
    .result("update 10,000 in one save", bar: 1)
  }

  // MARK: Eight readers and a writer

  /// Measures the reads of eight threads and the saves of one in ten seconds, three times
  /// alternately.
  ///
  /// With two cores, more reads leave less time for the writer, so saves are also counted while our
  /// readers pause between reads, so that they read as often as GRDB's did just before.
  private static func readersAndWriter(
    _ kennel: Kennel, _ pool: DatabasePool
  ) throws -> [Result] {
    var (ours, resting, theirs): ([Rates], [Rates], [Rates]) = ([], [], [])
    for _ in 0..<3 {
      ours.append(try ourRates(kennel))
      theirs.append(try theirRates(pool))
      resting.append(try ourRates(kennel, readsPerSecond: theirs.last?.reads))
    }
    func result(
      _ name: String, _ rates: [Rates], _ rate: (Rates) -> Double, bar: Double?
    ) -> Result {
      let (ours, theirs) = (rates.map(rate), theirs.map(rate))
      let ratios = zip(theirs, ours).map { $0 / $1 }
      return Result(
        name: name, ours: ours.median.fixed(0) + "/s", yardstick: theirs.median.fixed(0) + "/s",
        value: theirs.median / ours.median, range: (ratios.min() ?? 0)...(ratios.max() ?? 0),
        bar: bar)
    }
    return [
      result("8 readers and a writer, 10 s: reads of 20 walks", ours, \.reads, bar: 1 / 0.8),
      result("  the same: saves", ours, \.writes, bar: nil),
      result("  at GRDB's number of reads: reads", resting, \.reads, bar: 1 / 0.8),
      result("  at GRDB's number of reads: saves", resting, \.writes, bar: 1),
    ]
  }

  /// Operations in a second.
  private struct Rates {
    var reads: Double
    var writes: Double
  }

  private static func ourRates(_ kennel: Kennel, readsPerSecond: Double? = nil) throws -> Rates {
    let container = kennel.container
    return try rates(readsPerSecond: readsPerSecond) {
      let context = container.newBackgroundContext()
      var request = Walk.fetchRequest()
      request.fetchLimit = 20
      request.sortDescriptors = [.init(key: "date", ascending: false)]
      return {
        let found = try context.fetch(request)
        precondition(found.count == 20)
        context.reset()
      }
    } writer: {
      let context = container.newBackgroundContext()
      var request = Walk.fetchRequest()
      request.fetchLimit = 1
      let walk = try context.fetch(request)[0]
      return {
        walk.minutes += 1
        try context.save()
      }
    }
  }

  private static func theirRates(_ pool: DatabasePool) throws -> Rates {
    try rates {
      let request = WalkRecord.order(Column("ZDATE").desc).limit(20)
      return {
        let found = try pool.read { try request.fetchAll($0) }
        precondition(found.count == 20)
      }
    } writer: {
      var record = try pool.read { try WalkRecord.fetchOne($0, key: 1)! }
      return {
        record.minutes += 1
        record.lockCount += 1
        let changed = record
        try pool.write { try changed.update($0, columns: ["ZMINUTES", "Z_OPT"]) }
      }
    }
  }

  /// Runs eight readers and a writer on separate threads for ten seconds.
  ///
  /// - Parameter readsPerSecond: the maximum rate of all readers together; `nil` for no limit.
  private static func rates(
    readsPerSecond: Double? = nil,
    reader: @escaping @Sendable () throws -> () throws -> Void,
    writer: @escaping @Sendable () throws -> () throws -> Void
  ) throws -> Rates {
    let seconds = 10.0
    let reads = Atomic(0)
    let writes = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    let readerCount = 8
    let pause = readsPerSecond.map { Duration.seconds(Double(readerCount) / $0) }
    let start = clock.now
    let end = start + .seconds(seconds)
    @Sendable func work(
      _ count: borrowing Atomic<Int>, every pause: Duration?,
      _ make: () throws -> () throws -> Void
    ) {
      do {
        let step = try make()
        var next = start
        while ContinuousClock.now < end {
          try step()
          count.add(1, ordering: .relaxed)
          guard let pause else { continue }
          next += pause
          let rest = ContinuousClock.now.duration(to: next)
          if rest > .zero { Thread.sleep(forTimeInterval: rest / .seconds(1)) }
        }
      } catch let error {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    let group = DispatchGroup()
    for index in 0..<readerCount {
      // A serial queue for each, since a concurrent one has no more threads than there are cores.
      DispatchQueue(label: "reader \(index)").async(group: group) {
        work(reads, every: pause, reader)
      }
    }
    DispatchQueue(label: "writer").async(group: group) {
      work(writes, every: nil, writer)
    }
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
    return Rates(
      reads: Double(reads.load(ordering: .relaxed)) / seconds,
      writes: Double(writes.load(ordering: .relaxed)) / seconds)
  }
}
