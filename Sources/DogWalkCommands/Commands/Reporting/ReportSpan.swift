/// The unit of a report's lines: a day, a week or a month.
///
/// Spans are numbered consecutively.
enum ReportSpan: Hashable, Sendable {
  /// A day.
  case day
  /// Seven days, starting on the given day of the week.
  case week(from: Weekday)
  /// A calendar month.
  case month

  /// Returns the number of the span that contains a day.
  func number(of day: CivilDate) -> Int {
    switch self {
    case .day: return day.daysSince1970
    case .week(let first):
      return (day.daysSince1970 - Self.epoch(first)).flooredDivision(by: 7).quotient
    case .month:
      let (year, month, _) = day.components
      return year * 12 + month - 1
    }
  }

  /// Returns the days of the span with a number.
  func days(_ number: Int) -> Range<CivilDate> {
    switch self {
    case .day:
      let day = CivilDate(daysSince1970: number)
      return day..<day.adding(days: 1)
    case .week(let first):
      let day = CivilDate(daysSince1970: number * 7 + Self.epoch(first))
      return day..<day.adding(days: 7)
    case .month:
      let (year, month) = number.flooredDivision(by: 12)
      // A number comes from a day, so its month is valid.
      let day = CivilDate(year: year, month: month + 1, day: 1)!
      return day..<day.adding(days: CivilDate.days(inMonth: month + 1, ofYear: year))
    }
  }

  /// Returns the first such weekday on or after 1 January 1970, a Thursday, in days since then.
  private static func epoch(_ first: Weekday) -> Int {
    (first.rawValue - Weekday.thursday.rawValue + 7) % 7
  }
}
