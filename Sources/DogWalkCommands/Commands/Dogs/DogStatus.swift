import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// The state of a dog: its last walk, today's minutes, its streak.
struct DogStatus {
  /// The dog.
  let dog: Dog
  /// The walk in progress, else the newest one that has begun; `nil` if there is none.
  let lastWalk: Walk?
  /// The walk in progress, else the one that ended last; `nil` if there is none.
  ///
  /// This is not always the newest walk, since that may lie within a longer one.
  let lastOut: Walk?
  /// The minutes of today's walks, as far as they are known.
  let minutesToday: Double
  /// The number of consecutive days with walks.
  let streak: Streak
  /// Whether it is the dog to use if none is named.
  let isCurrent: Bool
  /// Whether its last walk ended longer ago than its gap.
  let isOverdue: Bool

  /// Returns the state of some dogs in a run's store, in their order; future walks are ignored.
  ///
  /// - Parameters:
  ///   - areAll: Whether these are all dogs.
  ///   - isExact: Whether to count streaks to their end, however long that takes; else up to
  ///     ``Streak/usualDays``.
  static func all(
    of dogs: [Dog], areAll: Bool, in run: CommandRun, isExact: Bool = false
  ) throws -> [DogStatus] {
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
    // The same period is used for all dogs, so that the results are consistent; it is bounded,
    // since no index covers `isOngoing`.
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
      return DogStatus(
        dog: dog, lastWalk: onWalk ?? newest.first, lastOut: lastOut,
        minutesToday: minutes[ObjectIdentifier(dog)] ?? 0,
        streak: try reader.streak(
          after: newest, hasOlder: hasOlder, of: query, in: log,
          atMost: isExact ? nil : Streak.usualDays),
        isCurrent: dog.nameKey == current,
        isOverdue: dog.gap.map { !wasOut(on: lastOut, within: $0, now: now.date) } ?? false)
    }
  }

  /// The age in seconds up to which a walk in progress counts, although there are later ones: 31
  /// days.
  private static let longestGoingOn = 31.0 * 86_400

  /// Returns whether a dog was out within a number of seconds, if its last walk to end is the given
  /// one.
  static func wasOut(on walk: Walk?, within seconds: Double, now: Date) -> Bool {
    guard let walk, let last = walk.end ?? walk.start else { return false }
    return walk.isOngoing || now.timeIntervalSince(last) <= seconds
  }

  /// Returns the overdue dogs, the most urgent first: by the time since their gap was exceeded.
  ///
  /// Dogs that never were out come first.
  static func overdue(among statuses: [DogStatus], now: Date) -> [DogStatus] {
    func need(_ status: DogStatus) -> Double {
      guard let walk = status.lastOut, let last = walk.end ?? walk.start else {
        return .infinity
      }
      return now.timeIntervalSince(last) - (status.dog.gap ?? 0)
    }
    let overdue = statuses.filter(\.isOverdue).map { (need: need($0), status: $0) }
    return overdue.sorted { $0.need > $1.need }.map(\.status)
  }

  // MARK: For people

  /// Returns the last walk: `today 07:30 (3 h ago, Ana)`, `out since 18:40 (20 min, Ana)`.
  func lastWalkReading(now: Moment, _ zone: LocalZone) -> String {
    guard let lastWalk, let start = lastWalk.start(in: zone) else { return "no walks" }
    let walker = lastWalk.walkerName.map { ", \($0.escapingControls)" } ?? ""
    guard lastWalk.isOngoing else {
      return "\(start.reading(now: now)) (\(start.ago(now: now))\(walker))"
    }
    let begin = start.day == now.day ? start.time.reading : start.reading(now: now)
    return "out since \(begin) (\(start.going(now: now))\(walker))"
  }

  /// Today's minutes: `35 of 60 min`, or `35 min today` without a target.
  var todayReading: String {
    let minutes = minutesToday.rounded(.down).shortest
    guard let target = dog.target else {
      return minutesToday < 1 ? "" : "\(minutes) min today"
    }
    return "\(minutes) of \(target) min"
  }

  /// Whether today's target is set and reached.
  var hasReachedTarget: Bool { dog.target.map { minutesToday >= Double($0) } ?? false }

  /// The word for an overdue dog.
  static let overdue = "overdue"

  /// The other facts: `overdue`, `9 days in a row`.
  var states: [String] {
    [isOverdue ? Self.overdue : "", streak.reading].filter { !$0.isEmpty }
  }

  // MARK: For programs

  /// Writes the states as a document; unknown values are `null`.
  static func writeJSON(_ statuses: [DogStatus], _ run: CommandRun) throws {
    try run.writeDocument("dogs", of: statuses) { json, status in
      json.member("name", status.dog.name)
      json.member("current", status.isCurrent)
      json.member("last", status.lastWalk?.start(in: run.zone)?.iso8601)
      json.member("minutes_today", status.minutesToday.hundredths)
      json.member("target_minutes", status.dog.target)
      json.member("streak_days", status.streak.days)
      json.member("streak_is_longer", status.streak.isLonger)
      json.member("overdue", status.isOverdue)
    }
  }
}

extension WalkLog {
  /// How long before another walk an earlier one that ends later may have begun: 24 hours, in
  /// seconds.
  private static let longestLookedFor = 86_400.0

  /// Returns the walk of a dog that ended last.
  ///
  /// - Parameters:
  ///   - newest: Its newest walks, the newest first.
  ///   - hasOlder: Whether there are older ones, read only if one may have ended later.
  ///   - query: The query for its walks.
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
extension DogStatus: Sendable {}
