import CommandLineKit

/// A calendar day without a time zone: 20 November 2026.
///
///     let day = CivilDate(year: 2026, month: 11, day: 20)!
///     day.weekday                // .friday
///     day.adding(days: 11)       // 2026-12-01
///
/// The calendar is the Gregorian one, also for years before its introduction.
struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Days since 1 January 1970.
  let daysSince1970: Int

  /// Creates the day a number of days after 1 January 1970.
  init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// Creates a day from its components; `nil` if there is no such day.
  init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, ofYear: year)
    else { return nil }
    // The computation begins years in March, so that a leap day comes last; 400 years have 146,097
    // days.
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear % 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(daysSince1970: era * 146_097 + dayOfEra - 719_468)
  }

  /// The year, month and day.
  var components: (year: Int, month: Int, day: Int) {
    let shifted = daysSince1970 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// The day of the week.
  var weekday: Weekday {
    // 1 January 1970 was a Thursday. The value is 0 to 6, so it is a valid raw value.
    let remainder = (daysSince1970 + Weekday.thursday.rawValue) % 7
    return Weekday(rawValue: remainder < 0 ? remainder + 7 : remainder)!
  }

  /// Returns the day a number of days later, or earlier if negative.
  func adding(days: Int) -> CivilDate {
    CivilDate(daysSince1970: daysSince1970 + days)
  }

  /// Returns the latest day of the given weekday up to and including this day.
  func last(_ weekday: Weekday) -> CivilDate {
    adding(days: -((self.weekday.rawValue - weekday.rawValue + 7) % 7))
  }

  /// Returns the number of days in a month.
  static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the three-letter name of a month: `Nov`.
  static func abbreviation(ofMonth month: Int) -> String {
    [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][month - 1]
  }

  /// The day in ISO 8601: `2026-11-20`.
  var description: String {
    let (year, month, day) = components
    return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  /// Returns whether one day is before another.
  static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }
}
