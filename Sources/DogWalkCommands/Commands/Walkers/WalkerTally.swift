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

  private init(_ walker: Walker) { self.walker = walker }

  /// Everybody's, by name, of walks that have begun; outings are those that reports count.
  ///
  /// One pass over the walks, of which no more are held than began at one moment.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  static func all(in run: CommandRun) throws -> [WalkerTally] {
    let log = try run.log()
    let now = try run.clock().now
    let walkers = try log.walkers()
    if walkers.isEmpty { return [] }
    var tallies: [ObjectIdentifier: WalkerTally] = [:]
    for walker in walkers { tallies[ObjectIdentifier(walker)] = WalkerTally(walker) }
    func count(_ outings: [Outing]) {
      for outing in outings {
        guard let walker = outing.walk.walker, let start = outing.walk.start(in: run.zone),
          start.date <= now.date
        else { continue }
        tallies[ObjectIdentifier(walker)]?.add(outing, from: start)
      }
    }
    var outings = OutingGatherer()
    try log.forEachWalk(WalkQuery()) { count(outings.take($0)) }
    count(outings.end())
    return walkers.compactMap { tallies[ObjectIdentifier($0)] }
  }

  private mutating func add(_ outing: Outing, from start: Moment) {
    // The newest comes first.
    if last == nil { last = start }
    count += 1
    seconds += outing.seconds ?? 0
  }
}

@available(*, unavailable)
extension WalkerTally: Sendable {}
