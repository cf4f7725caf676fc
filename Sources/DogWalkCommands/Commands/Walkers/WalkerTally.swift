import CommandLineKit
import DogWalkModel
import SystemLibraries

/// What somebody has walked: outings, minutes and the last one.
struct WalkerTally {
  /// Who.
  let walker: Walker
  /// How many times out: a walk of several dogs is one.
  private(set) var count = 0
  /// How long altogether, in seconds; what is going on counts for nothing yet.
  private(set) var seconds = 0.0
  /// When the last one began.
  private(set) var last: Moment?
  /// The length of each outing by when it began, that of the longest dog's walk.
  private var outings: [Date: Double] = [:]

  private init(_ walker: Walker) { self.walker = walker }

  /// Everybody's, by name, of walks that have begun.
  ///
  /// One pass over the walks; memory grows with the outings.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  static func all(in run: CommandRun) throws -> [WalkerTally] {
    let log = try run.log()
    let now = try run.clock().now
    var tallies: [String: WalkerTally] = [:]
    for walker in try log.walkers() { tallies[walker.nameKey] = WalkerTally(walker) }
    try log.forEachWalk(WalkQuery()) { walk in
      guard let key = walk.walker?.nameKey, let start = walk.start(in: run.zone),
        start.date <= now.date
      else { return }
      tallies[key]?.add(walk, from: start)
    }
    return tallies.values.map { $0.finished }.sorted { $0.walker.nameKey < $1.walker.nameKey }
  }

  private mutating func add(_ walk: Walk, from start: Moment) {
    // The newest comes first.
    if last == nil { last = start }
    outings[start.date] = max(outings[start.date] ?? 0, walk.seconds ?? 0)
  }

  private var finished: WalkerTally {
    var tally = self
    tally.count = outings.count
    tally.seconds = outings.values.reduce(0, +)
    tally.outings = [:]
    return tally
  }
}

@available(*, unavailable)
extension WalkerTally: Sendable {}
