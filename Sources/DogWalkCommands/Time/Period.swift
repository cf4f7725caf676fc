import SystemLibraries

/// A stretch of time that walks are picked by: from one day or instant up to another.
///
///     let period = Period(days: today..<tomorrow)
///     period.contains(clock.now)
///
/// A walk belongs to the day of the offset it was entered with, so a period of days compares the
/// calendar that its walker saw; a period of instants compares instants.
struct Period: Hashable, Sendable {
  /// One end of a period.
  enum Bound: Hashable, Sendable {
    /// The start of a day, by each walk's own calendar.
    case day(CivilDate)
    /// An instant.
    case instant(Date)
  }

  /// Where it begins; `nil` where it always has.
  var start: Bound?
  /// Where it ends, itself outside; `nil` where it never does.
  var end: Bound?

  /// A period between two bounds.
  init(start: Bound? = nil, end: Bound? = nil) {
    self.start = start
    self.end = end
  }

  /// Whole days; the upper bound is outside.
  init(days: Range<CivilDate>) {
    self.init(start: .day(days.lowerBound), end: .day(days.upperBound))
  }

  /// One day.
  init(day: CivilDate) {
    self.init(days: day..<day.adding(days: 1))
  }

  /// Its days, where it begins and ends with one.
  var days: Range<CivilDate>? {
    guard case .day(let first) = start, case .day(let last) = end, first <= last else { return nil }
    return first..<last
  }

  /// Whether a moment lies in it.
  func contains(_ moment: Moment) -> Bool {
    let isAfterStart =
      switch start {
      case nil: true
      case .day(let day): moment.day >= day
      case .instant(let date): moment.date >= date
      }
    let isBeforeEnd =
      switch end {
      case nil: true
      case .day(let day): moment.day < day
      case .instant(let date): moment.date < date
      }
    return isAfterStart && isBeforeEnd
  }

  /// Instants between which everything in the period lies, and some things around it.
  ///
  /// For the store, which knows instants only; `contains` then sorts out what does not belong. A
  /// day begins and ends within 18 hours of the same day in UTC, whatever the offset.
  var instantBounds: (earliest: Date?, latest: Date?) {
    let slack = WrittenOffset.greatest
    let earliest: Date? =
      switch start {
      case nil: nil
      case .day(let day): Self.midnight(day, plus: -slack)
      case .instant(let date): date
      }
    let latest: Date? =
      switch end {
      case nil: nil
      case .day(let day): Self.midnight(day, plus: slack)
      case .instant(let date): date
      }
    return (earliest, latest)
  }

  private static func midnight(_ day: CivilDate, plus seconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 + seconds))
  }
}
