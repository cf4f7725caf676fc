import CommandLineKit
import DogWalkModel

/// How many days in a row a dog was out, up to today.
///
/// A day counts where a walk began on it, by the clock that the walk was written down by. Today
/// counts as soon as the dog was out; until then the row up to yesterday stands.
struct Streak: Hashable, Sendable {
  /// The days.
  let days: Int
  /// Whether there are more of them, which were not counted.
  let isLonger: Bool

  /// The streak as people read it, `9 days in a row`; empty for a day or none.
  var reading: String {
    days < 2 ? "" : "\(days)\(isLonger ? "+" : "") days in a row"
  }

  /// How many days are counted where nobody asks for more, whichever dogs are asked for: reading
  /// the walks of many years takes long.
  static let usualDays = 10

  /// The rule in words.
  static let rule =
    "In a row are the days on which the dog was out; today counts as soon as it was."
}

/// Finds a streak in walks that are read from the newest on, until a day is missing.
struct StreakReader {
  private let today: CivilDate
  private let zone: LocalZone
  /// Whether the dog was out, by days before today.
  private var isOut: [Bool] = [false]

  /// A reader that has read nothing.
  init(today: CivilDate, zone: LocalZone) {
    self.today = today
    self.zone = zone
  }

  /// How many days before today the first is, yesterday or before, on which no walk was found.
  private var gap: Int {
    var gap = 1
    while gap < isOut.count, isOut[gap] { gap += 1 }
    return gap
  }

  /// Takes note of walks.
  mutating func read(_ walks: [Walk]) {
    for walk in walks {
      guard let day = walk.start(in: zone)?.day else { continue }
      let age = today.daysSince1970 - day.daysSince1970
      // By their own clocks, walks in a row lie two days apart at most; farther off is no streak.
      guard age >= 0, age <= isOut.count + 2 else { continue }
      while isOut.count <= age { isOut.append(false) }
      isOut[age] = true
    }
  }

  /// Reads on in a log until a day is missing.
  ///
  ///     let newest = try log.walks(query)
  ///     let streak = try reader.streak(
  ///       after: newest, hasOlder: true, of: query, in: log, atMost: 10)
  ///
  /// - Parameters:
  ///   - newest: The newest walks of a dog.
  ///   - hasOlder: Whether it may have older ones.
  ///   - query: What gives them.
  ///   - most: How many days to count; `nil` for as many as there are.
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
      // Where many walks lie on a day, one of each day will do, but for those that are passed over
      // on the way to the day: it may begin half a day earlier or later by another clock.
      let found = gap - known
      piece = found == 0 || found > walks.count / 8 ? min(piece * 2, 1024) : 1
      let days = gap - 1 + (isOut[0] ? 1 : 0)
      if let most, days > most { return Streak(days: most, isLonger: true) }
      let bounds = Period(day: today.adding(days: -gap)).instantBounds
      guard hasOlder, let oldest = walks.last?.start, let earliest = bounds.earliest,
        let latest = bounds.latest, oldest >= earliest
      else { return Streak(days: days, isLonger: false) }
      let next = min(oldest, latest)
      // As many walks as were asked for began at one moment: ask for more of them.
      query.limit = next == query.latest ? walks.count * 2 : piece
      query.latest = next
      walks = try log.walks(query)
      hasOlder = walks.count == query.limit
    }
  }
}
