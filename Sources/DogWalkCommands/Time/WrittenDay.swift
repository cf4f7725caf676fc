import CommandLineKit

/// A day as typed: `today`, `yesterday`, `mon`, `last monday`, `2 days ago`, `2026-11-20`.
enum WrittenDay: Hashable, Sendable {
  /// The current day.
  case today
  /// The day before.
  case yesterday
  /// The latest such weekday, today included.
  case weekday(Weekday)
  /// The latest such weekday before today.
  case lastWeekday(Weekday)
  /// A number of days before today.
  case daysAgo(Int)
  /// A date, which may be invalid.
  case date(WrittenDate)

  /// The number of words of the longest form, `a week ago`.
  static let greatestWordCount = 3

  /// Reads a word in lower case; `nil` if it is not a day.
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

  /// Reads words in lower case; `nil` if they are not a day.
  init?(words: ArraySlice<String>) {
    guard let first = words.first, let last = words.last else { return nil }
    if words.count == 1 {
      self.init(first)
    } else if words.count == 2, first == "last", let weekday = Weekday(last) {
      self = .lastWeekday(weekday)
    } else if words.count <= Self.greatestWordCount, last == "ago",
      let days = WrittenDuration(words: words.dropLast())?.days
    {
      self = .daysAgo(days)
    } else {
      return nil
    }
  }

  /// Whether it is a weekday without `last`, which may be today.
  var isWeekday: Bool {
    if case .weekday = self { true } else { false }
  }

  /// Returns the day.
  ///
  /// - Throws: `ValidationError` if there is no such date.
  func day(today: CivilDate) throws(ValidationError) -> CivilDate {
    switch self {
    case .today: return today
    case .yesterday: return today.adding(days: -1)
    case .weekday(let weekday): return today.last(weekday)
    case .lastWeekday(let weekday): return today.adding(days: -1).last(weekday)
    case .daysAgo(let days):
      guard days <= Self.mostDaysAgo else { throw Self.tooLongAgo(days) }
      return today.adding(days: -days)
    case .date(let date): return try date.civilDate()
    }
  }

  /// The maximum number of days ago: a hundred years.
  static let mostDaysAgo = 36_525

  /// Returns the error about more days than that.
  static func tooLongAgo(_ days: Int) -> ValidationError {
    ValidationError("\(days) days ago is too long ago", hint: "Write 3 days ago or 2h ago.")
  }
}
