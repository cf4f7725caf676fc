import CommandLineKit
import DogWalkModel

/// What was walked in a period, span by span: what every form of `dogwalk report` shows.
struct WalkReport {
  /// A line: what was walked in one span of time.
  struct Row {
    /// Whose walks they are, by name; `nil` for walks of nobody in particular.
    let name: String?
    /// The days of the span that lie in the period.
    let days: Range<CivilDate>
    /// What was walked in them.
    let part: WalkTally.Part
    /// The target for these days, in minutes; `nil` where there is none.
    let targetMinutes: Int?

    /// What was walked in minutes, as far as that is known.
    var minutes: Double { part.seconds / 60 }
    /// The last day, itself inside.
    var lastDay: CivilDate { days.upperBound.adding(days: -1) }
  }

  /// Whose walks are counted together.
  let group: ReportGroup
  /// What a line is about.
  let span: ReportSpan
  /// The days that are reported.
  let days: Range<CivilDate>
  /// What each of the group walked, by name; counted back from `anchor`.
  let tallies: [WalkTally]
  /// What all of them walked; an outing of several dogs counts once.
  let total: WalkTally
  /// A day at or after the last one.
  private let anchor: CivilDate

  /// Whether there is nothing to show.
  var isEmpty: Bool { tallies.allSatisfy(\.parts.isEmpty) }

  /// How many days there are.
  var dayCount: Int { days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 }

  /// Reads the walks of a period, one after the other; none is kept.
  ///
  /// Days to come are left out, but where there are walks on them, by clocks farther east.
  ///
  /// - Parameters:
  ///   - query: Picks the walks, by the period and all else.
  ///   - dogs: Whose walks to count; the query asks for no others.
  ///   - period: Where it has no first or no last day, the walks decide.
  ///   - body: Told of each outing that is counted.
  init(
    _ query: WalkQuery, of dogs: [Dog], in group: ReportGroup, by span: ReportSpan,
    in period: Period, log: WalkLog, clock: WallClock, _ body: (Outing) throws -> Void = { _ in }
  ) throws {
    let today = clock.now.day
    let zone = clock.zone
    let bounds = period.dayBounds(in: zone)
    let anchor = try bounds.last ?? Self.anchor(query, today: today, log: log, zone: zone)
    var tallies = TallyTable(group, of: dogs, tags: try log.tags())
    var oldest = bounds.first ?? min(today, anchor)
    var newest = oldest
    func count(_ outing: Outing) throws {
      guard let day = outing.walk.start(in: zone)?.day else { return }
      (oldest, newest) = (min(oldest, day), max(newest, day))
      tallies.count(
        outing, part: max(0, span.number(of: anchor) - span.number(of: day)),
        day: max(0, anchor.daysSince1970 - day.daysSince1970))
      try body(outing)
    }
    var outings = OutingGatherer()
    try log.forEachWalk(query) { walk in
      for outing in outings.take(walk) { try count(outing) }
    }
    for outing in outings.end() { try count(outing) }
    self.group = group
    self.span = span
    self.tallies = tallies.inOrder
    self.total = tallies.total
    self.anchor = anchor
    days = oldest..<max(newest, min(today, anchor)).adding(days: 1)
  }

  /// A day that no walk lies behind.
  private static func anchor(
    _ query: WalkQuery, today: CivilDate, log: WalkLog, zone: LocalZone
  ) throws -> CivilDate {
    var query = query
    query.isDated = true
    query.limit = 1
    let newest = try log.walks(query).first?.start(in: zone)?.day ?? today
    // An older walk may lie on a later day, by its own clock.
    return max(today, newest).adding(days: 2)
  }

  /// The lines of a tally, the oldest span first; each is made when it is looked at.
  func rows(of tally: WalkTally) -> LazyMapCollection<ClosedRange<Int>, Row> {
    let anchor = span.number(of: anchor)
    let first = span.number(of: days.lowerBound)
    let last = span.number(of: days.upperBound.adding(days: -1))
    return (first...last).lazy.map { number in
      let days = span.days(number).clamped(to: self.days)
      let length = days.upperBound.daysSince1970 - days.lowerBound.daysSince1970
      return Row(
        name: tally.name, days: days, part: tally.part(anchor - number),
        targetMinutes: tally.target.map { $0 * length })
    }
  }

  /// The seconds that were walked day by day, the oldest first; `nil` for a day without a walk.
  func secondsByDay(of tally: WalkTally) -> [Double?] {
    (days.lowerBound.daysSince1970..<days.upperBound.daysSince1970).map { day in
      let age = anchor.daysSince1970 - day
      return age < tally.days.count ? tally.days[age] : nil
    }
  }
}

@available(*, unavailable)
extension WalkReport: Sendable {}
@available(*, unavailable)
extension WalkReport.Row: Sendable {}

extension Period {
  /// The first and the last day that it reaches into; `nil` where it has no such end.
  fileprivate func dayBounds(in zone: LocalZone) -> (first: CivilDate?, last: CivilDate?) {
    let first: CivilDate? =
      switch start {
      case nil: nil
      case .day(let day): day
      case .instant(let date): zone.moment(at: date).day
      }
    let last: CivilDate? =
      switch end {
      case nil: nil
      case .day(let day): day.adding(days: -1)
      case .instant(let date): zone.moment(at: date).day
      }
    return (first, last)
  }
}
