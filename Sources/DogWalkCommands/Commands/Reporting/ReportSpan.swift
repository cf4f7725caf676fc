/// What a line of a report is about: a day, a week or a month.
///
/// Each span of time has a number; the next one has the next.
enum ReportSpan: Hashable, Sendable {
  /// A day.
  case day
  /// Seven days from that day of the week on.
  case week(from: Weekday)
  /// A month of the calendar.
  case month

  /// The number of the span in which a day lies.
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

  /// The days of the span of a number.
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
      // A number comes from a day, so its month is one of the calendar's.
      let day = CivilDate(year: year, month: month + 1, day: 1)!
      return day..<day.adding(days: CivilDate.days(inMonth: month + 1, ofYear: year))
    }
  }

  /// The first such day of the week after 1 January 1970, which was a Thursday.
  private static func epoch(_ first: Weekday) -> Int {
    (first.rawValue - Weekday.thursday.rawValue + 7) % 7
  }
}
