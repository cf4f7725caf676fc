import CommandLineKit
import DogWalkModel
import SystemLibraries

/// The totals of a walker: outings, minutes and the latest one.
struct WalkerTally {
  /// The walker.
  let walker: Walker
  /// The number of outings: a walk of several dogs counts once.
  private(set) var count = 0
  /// The total length in seconds, without walks in progress.
  private(set) var seconds = 0.0
  /// The start of the latest outing.
  private(set) var last: Moment?

  private init(_ walker: Walker) { self.walker = walker }

  /// Returns the totals of all walkers by name, of walks that have begun; outings are as in
  /// reports.
  ///
  /// O(walks). Only walks with the same start are in memory at a time.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
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
    // The newest walk comes first.
    if last == nil { last = start }
    count += 1
    seconds += outing.seconds ?? 0
  }
}

@available(*, unavailable)
extension WalkerTally: Sendable {}
