import CommandLineKit
import DogWalkModel

/// The totals of walks in a period, span by span, which all formats of `dogwalk report` show.
struct WalkReport {
  /// The totals of one span.
  struct Row {
    /// The name of the dog, walker or tag; `nil` for walks without one.
    let name: String?
    /// The days of the span within the period.
    let days: Range<CivilDate>
    /// The totals of these days.
    let part: WalkTally.Part
    /// The target for these days in minutes; `nil` without one.
    let targetMinutes: Int?

    /// The total in minutes, as far as lengths are known.
    var minutes: Double { part.seconds / 60 }
    /// The last day, inclusive.
    var lastDay: CivilDate { days.upperBound.adding(days: -1) }
  }

  /// How walks are grouped.
  let group: ReportGroup
  /// The unit of the lines.
  let span: ReportSpan
  /// The days of the report.
  let days: Range<CivilDate>
  /// The tallies of the group by name, with spans and days counted back from `anchor`.
  let tallies: [WalkTally]
  /// The totals of all walks; an outing of several dogs counts once.
  let total: WalkTally
  /// A day on or after the last one.
  private let anchor: CivilDate

  /// Whether there are no walks.
  var isEmpty: Bool { tallies.allSatisfy(\.parts.isEmpty) }

  /// The number of days.
  var dayCount: Int { days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 }

  /// Reads the walks of a period one by one, without keeping them in memory.
  ///
  /// Future days are left out, unless there are walks on them in zones farther east.
  ///
  /// - Parameters:
  ///   - query: The query for the walks in the period.
  ///   - dogs: The dogs whose walks are counted; the query selects no others.
  ///   - period: Without a first or last day, the walks determine it.
  ///   - body: Called with each outing that is counted.
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

  /// Returns a day after which there are no walks.
  private static func anchor(
    _ query: WalkQuery, today: CivilDate, log: WalkLog, zone: LocalZone
  ) throws -> CivilDate {
    var query = query
    query.isDated = true
    query.limit = 1
    let newest = try log.walks(query).first?.start(in: zone)?.day ?? today
    // An older walk may be on a later day in its own zone.
    return max(today, newest).adding(days: 2)
  }

  /// Returns the lines of a tally, the oldest span first, created lazily.
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

  /// Returns the seconds of each day, the oldest first; `nil` for a day without a walk.
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
  /// Returns the first and the last day that it includes; `nil` if unbounded.
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
