import CommandLineKit

/// A day as typed: `today`, `yesterday`, `mon`, `2026-11-20`.
enum WrittenDay: Hashable, Sendable {
  /// The day it is.
  case today
  /// The day before.
  case yesterday
  /// The last such day, today included.
  case weekday(Weekday)
  /// A date, which may not exist.
  case date(WrittenDate)

  /// Reads a word in lower case; `nil` where it is no day.
  init?(_ word: String) {
    switch word {
    case "today": self = .today
    case "yesterday": self = .yesterday
    default:
      if let weekday = Weekday(word) {
        self = .weekday(weekday)
      } else if let date = WrittenDate(word) {
        self = .date(date)
      } else {
        return nil
      }
    }
  }

  /// Whether it is a day of the week.
  var isWeekday: Bool {
    if case .weekday = self { true } else { false }
  }

  /// The day it names.
  ///
  /// - Throws: `ValidationError` where the calendar has no such date.
  func day(today: CivilDate) throws(ValidationError) -> CivilDate {
    switch self {
    case .today: today
    case .yesterday: today.adding(days: -1)
    case .weekday(let weekday): today.last(weekday)
    case .date(let date): try date.civilDate()
    }
  }
}
