/// A day of the week; Monday is the first.
enum Weekday: Int, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The name as typed and printed: `monday`.
  var name: String {
    switch self {
    case .monday: "monday"
    case .tuesday: "tuesday"
    case .wednesday: "wednesday"
    case .thursday: "thursday"
    case .friday: "friday"
    case .saturday: "saturday"
    case .sunday: "sunday"
    }
  }

  /// The name in three letters, capitalised: `Mon`.
  var abbreviation: String {
    switch self {
    case .monday: "Mon"
    case .tuesday: "Tue"
    case .wednesday: "Wed"
    case .thursday: "Thu"
    case .friday: "Fri"
    case .saturday: "Sat"
    case .sunday: "Sun"
    }
  }

  /// Returns the day of the week a number of days later.
  func adding(days: Int) -> Weekday {
    // The value is 0 to 6, so it is a valid raw value.
    Weekday(rawValue: (rawValue + days % 7 + 7) % 7)!
  }

  /// Reads a name in lower case: `mon`, `monday`; also `tues`, `weds`, `thur`, `thurs`.
  init?(_ word: String) {
    switch word {
    case "mon", "monday": self = .monday
    case "tue", "tues", "tuesday": self = .tuesday
    case "wed", "weds", "wednesday": self = .wednesday
    case "thu", "thur", "thurs", "thursday": self = .thursday
    case "fri", "friday": self = .friday
    case "sat", "saturday": self = .saturday
    case "sun", "sunday": self = .sunday
    default: return nil
    }
  }
}
