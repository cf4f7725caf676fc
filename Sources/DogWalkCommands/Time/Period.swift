import SystemLibraries

/// A period that walks are selected by, from one day or instant up to another.
///
///     let period = Period(days: today..<tomorrow)
///     period.contains(clock.now)
///
/// A walk belongs to the day in the offset it was entered with, so a period of days compares the
/// walker's local calendar; a period of instants compares instants.
struct Period: Hashable, Sendable {
  /// A bound of a period.
  enum Bound: Hashable, Sendable {
    /// The start of a day, in each walk's own calendar.
    case day(CivilDate)
    /// An instant.
    case instant(Date)
  }

  /// The start; `nil` if unbounded.
  var start: Bound?
  /// The end, exclusive; `nil` if unbounded.
  var end: Bound?

  /// Creates a period between two bounds.
  init(start: Bound? = nil, end: Bound? = nil) {
    self.start = start
    self.end = end
  }

  /// Creates a period of whole days, without the upper bound.
  init(days: Range<CivilDate>) {
    self.init(start: .day(days.lowerBound), end: .day(days.upperBound))
  }

  /// Creates a period of one day.
  init(day: CivilDate) {
    self.init(days: day..<day.adding(days: 1))
  }

  /// The days, if both bounds are days.
  var days: Range<CivilDate>? {
    guard case .day(let first) = start, case .day(let last) = end, first <= last else { return nil }
    return first..<last
  }

  /// Returns whether the period contains a moment.
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

  /// Instants between which everything in the period lies, and possibly more.
  ///
  /// The store only compares instants, so `contains` must filter the result. A day begins and ends
  /// within 18 hours of the same day in UTC, whatever the offset.
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
