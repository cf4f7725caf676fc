import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// How a dog stands now: its last walk, today's minutes, its streak.
struct DogStanding {
  /// The dog.
  let dog: Dog
  /// The walk it is on, else its newest one that has begun; `nil` where it has none.
  let lastWalk: Walk?
  /// The walk it is on, else the one it came home from last: not its newest one, where that lies
  /// within a longer one; `nil` where it has none.
  let lastOut: Walk?
  /// The minutes of today's walks, as far as they are known.
  let minutesToday: Double
  /// How many days in a row it was out.
  let streak: Streak
  /// Whether it is meant where no dog is named.
  let isCurrent: Bool
  /// Whether it has been in for longer than it should be.
  let isOverdue: Bool

  /// Some dogs of a run's store, in their order; a walk that is still to come counts for nothing.
  ///
  /// - Parameters:
  ///   - areAll: Whether these are all dogs there are.
  ///   - isExact: Whether streaks are counted to their end, however long that takes; else up to
  ///     ``Streak/usualDays``.
  static func all(
    of dogs: [Dog], areAll: Bool, in run: CommandRun, isExact: Bool = false
  ) throws -> [DogStanding] {
    guard !dogs.isEmpty else { return [] }
    let log = try run.log()
    let now = try run.clock().now
    let zone = run.zone
    var past = WalkQuery()
    past.isDated = true
    past.latest = now.date
    let recent = areAll ? try RecentWalks(past, of: dogs, in: log) : RecentWalks()
    let today = Period(day: now.day)
    let todaysWalks =
      try recent.walks(in: today, zone: zone) ?? log.walks(past.within(today, zone: zone))
    var minutes: [ObjectIdentifier: Double] = [:]
    for walk in todaysWalks {
      if let dog = walk.dog { minutes[ObjectIdentifier(dog), default: 0] += walk.minutes ?? 0 }
    }
    // The same period for every question, so that the answers agree; bounded, since no index covers
    // `isOngoing`.
    let earliest = now.date.addingTimeInterval(-longestGoingOn)
    let goingOn =
      try recent.hasOlder
      ? log.walksGoingOn(since: earliest, until: now.date)
      : recent.walks.filter { $0.isOngoing && $0.date >= earliest }
    let current = try run.currentDogName(among: areAll ? dogs : nil).map(NameKey.of)
    return try dogs.map { dog in
      var query = past
      query.dogs = [dog]
      query.limit = 8
      var newest = recent.walks(of: dog)
      var hasOlder = recent.hasOlder
      if newest.isEmpty, hasOlder {
        newest = try log.walks(query)
        hasOlder = newest.count == query.limit
      }
      let onWalk = goingOn.first { $0.dog === dog }
      let lastOut = try onWalk ?? log.walkThatEndedLast(newest, hasOlder: hasOlder, of: query)
      var reader = StreakReader(today: now.day, zone: zone)
      return DogStanding(
        dog: dog, lastWalk: onWalk ?? newest.first, lastOut: lastOut,
        minutesToday: minutes[ObjectIdentifier(dog)] ?? 0,
        streak: try reader.streak(
          after: newest, hasOlder: hasOlder, of: query, in: log,
          atMost: isExact ? nil : Streak.usualDays),
        isCurrent: dog.nameKey == current,
        isOverdue: dog.gap.map { !wasOut(on: lastOut, within: $0, now: now.date) } ?? false)
    }
  }

  /// An ongoing walk counts for so many seconds once there are later ones: 31 days.
  private static let longestGoingOn = 31.0 * 86_400

  /// Whether a dog that came home last from a walk was out at some time within so many seconds.
  static func wasOut(on walk: Walk?, within seconds: Double, now: Date) -> Bool {
    guard let walk, let last = walk.end ?? walk.start else { return false }
    return walk.isOngoing || now.timeIntervalSince(last) <= seconds
  }

  /// Those that are overdue, the most urgent first: the one whose gap was passed the longest ago,
  /// before all of them those that never were out.
  static func overdue(among standings: [DogStanding], now: Date) -> [DogStanding] {
    func need(_ standing: DogStanding) -> Double {
      guard let walk = standing.lastOut, let last = walk.end ?? walk.start else {
        return .infinity
      }
      return now.timeIntervalSince(last) - (standing.dog.gap ?? 0)
    }
    let overdue = standings.filter(\.isOverdue).map { (need: need($0), standing: $0) }
    return overdue.sorted { $0.need > $1.need }.map(\.standing)
  }

  // MARK: For people

  /// The last walk: `today 07:30 (3 h ago, Ana)`, `out since 18:40 (20 min, Ana)`.
  func lastWalkReading(now: Moment, _ zone: LocalZone) -> String {
    guard let lastWalk, let start = lastWalk.start(in: zone) else { return "no walks" }
    let walker = lastWalk.walkerName.map { ", \($0.escapingControls)" } ?? ""
    guard lastWalk.isOngoing else {
      return "\(start.reading(now: now)) (\(start.ago(now: now))\(walker))"
    }
    let begin = start.day == now.day ? start.time.reading : start.reading(now: now)
    return "out since \(begin) (\(start.going(now: now))\(walker))"
  }

  /// Today's minutes: `35 of 60 min`, or `35 min today` where there is no target.
  var todayReading: String {
    let minutes = minutesToday.rounded(.down).shortest
    guard let target = dog.target else {
      return minutesToday < 1 ? "" : "\(minutes) min today"
    }
    return "\(minutes) of \(target) min"
  }

  /// Whether there is a target for a day, and today's is reached.
  var hasReachedTarget: Bool { dog.target.map { minutesToday >= Double($0) } ?? false }

  /// The word for a dog that is.
  static let overdue = "overdue"

  /// What else there is to say: `overdue`, `9 days in a row`.
  var states: [String] {
    [isOverdue ? Self.overdue : "", streak.reading].filter { !$0.isEmpty }
  }

  // MARK: For programs

  /// Writes some as a document; what is not known is `null`.
  static func writeJSON(_ standings: [DogStanding], _ run: CommandRun) throws {
    try run.writeDocument("dogs", of: standings) { json, standing in
      json.member("name", standing.dog.name)
      json.member("current", standing.isCurrent)
      json.member("last", standing.lastWalk?.start(in: run.zone)?.iso8601)
      json.member("minutes_today", standing.minutesToday.hundredths)
      json.member("target_minutes", standing.dog.target)
      json.member("streak_days", standing.streak.days)
      json.member("streak_is_longer", standing.streak.isLonger)
      json.member("overdue", standing.isOverdue)
    }
  }
}

extension WalkLog {
  /// A walk that began up to so many seconds before another may have ended after it: 24 hours.
  private static let longestLookedFor = 86_400.0

  /// The walk of a dog that ended last.
  ///
  /// - Parameters:
  ///   - newest: Its newest walks, the newest first.
  ///   - hasOlder: Whether there are older ones, which are read where one of them may count.
  ///   - query: What gives them.
  fileprivate func walkThatEndedLast(
    _ newest: [Walk], hasOlder: Bool, of query: WalkQuery
  ) throws -> Walk? {
    func lastEnd(_ walks: [Walk]) -> (walk: Walk, end: Date)? {
      walks.compactMap { walk in (walk.end ?? walk.start).map { (walk, $0) } }
        .reduce(nil) { last, next in last.map { $0.end >= next.1 } ?? false ? last : next }
    }
    guard let known = lastEnd(newest), hasOlder, let oldest = newest.last?.start else {
      return lastEnd(newest)?.walk
    }
    let earliest = known.end.addingTimeInterval(-Self.longestLookedFor)
    guard earliest < oldest else { return known.walk }
    var query = query
    (query.earliest, query.latest, query.limit) = (earliest, oldest, nil)
    let older = lastEnd(try walks(query))
    return older.map { $0.end > known.end } ?? false ? older?.walk : known.walk
  }
}

@available(*, unavailable)
extension DogStanding: Sendable {}
