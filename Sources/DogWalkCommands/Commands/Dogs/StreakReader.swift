import DogWalkModel

/// Finds a streak by reading walks from the newest on until a day is missing.
struct StreakReader {
  private let today: CivilDate
  private let zone: LocalZone
  /// Whether the dog was out, indexed by the number of days before today.
  private var isOut: [Bool] = [false]

  /// Creates a reader without any walks.
  init(today: CivilDate, zone: LocalZone) {
    self.today = today
    self.zone = zone
  }

  /// The number of days before today of the first day without a walk, yesterday at the latest.
  private var gap: Int {
    var gap = 1
    while gap < isOut.count, isOut[gap] { gap += 1 }
    return gap
  }

  /// Records walks.
  mutating func read(_ walks: [Walk]) {
    for walk in walks {
      guard let day = walk.start(in: zone)?.day else { continue }
      let age = today.daysSince1970 - day.daysSince1970
      // By their own clocks, walks of a streak are two days apart at most; larger distances end it.
      guard age >= 0, age <= isOut.count + 2 else { continue }
      while isOut.count <= age { isOut.append(false) }
      isOut[age] = true
    }
  }

  /// Reads more walks from a log until a day is missing.
  ///
  ///     let newest = try log.walks(query)
  ///     let streak = try reader.streak(
  ///       after: newest, hasOlder: true, of: query, in: log, atMost: 10)
  ///
  /// - Parameters:
  ///   - newest: The newest walks of a dog.
  ///   - hasOlder: Whether it may have older ones.
  ///   - query: The query for its walks.
  ///   - most: The maximum number of days to count; `nil` for no limit.
  mutating func streak(
    after newest: [Walk], hasOlder: Bool, of query: WalkQuery, in log: WalkLog, atMost most: Int?
  ) throws -> Streak {
    var query = query
    var walks = newest
    var hasOlder = hasOlder
    var piece = 16
    while true {
      let known = self.gap
      read(walks)
      let gap = self.gap
      // With many walks a day, one of each day is enough, apart from those in between: by another
      // clock a day may begin half a day earlier or later.
      let found = gap - known
      piece = found == 0 || found > walks.count / 8 ? min(piece * 2, 1024) : 1
      let days = gap - 1 + (isOut[0] ? 1 : 0)
      if let most, days > most { return Streak(days: most, isLonger: true) }
      let bounds = Period(day: today.adding(days: -gap)).instantBounds
      guard hasOlder, let oldest = walks.last?.start, let earliest = bounds.earliest,
        let latest = bounds.latest, oldest >= earliest
      else { return Streak(days: days, isLonger: false) }
      let next = min(oldest, latest)
      // If all walks read have the same start, more are read.
      query.limit = next == query.latest ? walks.count * 2 : piece
      query.latest = next
      walks = try log.walks(query)
      hasOlder = walks.count == query.limit
    }
  }
}
