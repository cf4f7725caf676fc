import CommandLineKit

extension Period {
  /// Creates the period given by options; `nil` if none is given.
  ///
  /// - Parameters:
  ///   - values: The typed values; `Option.period` contains the options used.
  ///   - environment: The environment, for `DOGWALK_WEEK_START`.
  ///   - clock: The clock that defines "today".
  /// - Throws: `ValidationError` for two periods at once, a value that cannot be read, and a period
  ///   that ends before it begins.
  init?(
    asked values: ArgumentValues, environment: Environment, clock: WallClock
  ) throws(ValidationError) {
    let named = values.given(among: [
      .today, .yesterday, .week, .lastWeek, .month, .lastMonth, .year, .days,
    ])
    let bounds = values.given(among: [.since, .until])
    guard let option = named.first else {
      guard !bounds.isEmpty else { return nil }
      try self.init(
        since: values[.since], until: values[.until], words: values.operands, clock: clock)
      return
    }
    if let second = named.dropFirst().first ?? bounds.first {
      throw ValidationError(
        "--\(option.name) and --\(second.name) are two periods",
        hint: "Give one, or --since with --until.")
    }
    let today = clock.now.day
    switch option {
    case .today: self.init(days: today..<today.adding(days: 1))
    case .yesterday: self.init(days: today.adding(days: -1)..<today)
    case .month: try self.init(month: values[.month], today: today)
    case .lastMonth:
      let first = today.adding(days: 1 - today.components.day)
      let last = first.adding(days: -1)
      self.init(days: last.adding(days: 1 - last.components.day)..<first)
    case .year: try self.init(year: values[.year], today: today)
    case .days: try self.init(lastDays: values[.days] ?? "", today: today)
    default:
      let start = today.last(try Self.firstWeekday(values, environment))
      let first = option == .week ? start : start.adding(days: -7)
      self.init(days: first..<first.adding(days: 7))
    }
  }

  /// Creates the period between `--since` and `--until`, either of which may be missing.
  ///
  /// - Parameter words: The command's operands, which may contain the rest of an unquoted time.
  private init(
    since: String?, until: String?, words: [String], clock: WallClock
  ) throws(ValidationError) {
    self.init()
    if let since {
      switch try Self.read(since, for: .since, beside: words, clock: clock) {
      case .instant(let moment): start = .instant(moment.date)
      case .day(let day): start = .day(day)
      }
    }
    if let until {
      switch try Self.read(until, for: .until, beside: words, clock: clock) {
      case .instant(let moment): end = .instant(moment.date)
      case .day(let day): end = .day(day.adding(days: 1))
      }
    }
    if let since, let until, endsBeforeItBegins(in: clock.zone) {
      let until = until.escapingControls
      throw ValidationError(
        "--since \(since.escapingControls) is not before --until \(until)",
        hint: "Give the earlier one to --since.")
    }
  }

  private static func read(
    _ text: String, for option: Option, beside others: [String], clock: WallClock
  ) throws(ValidationError) -> When {
    do throws(ValidationError) {
      let words = TypedWords(text)
      if WrittenWhen(words: words.lowercased[...]) == nil,
        let hint = hint(for: TypedWords.text(of: words.lowercased))
          ?? hint(for: text, goingOnIn: others, of: option)
      {
        throw ValidationError("\(ValidationError.quoted(text)) is not a time", hint: hint)
      }
      return try When(text, clock: clock, forms: "Write mon, 2026-11-20 or \"3 days ago\"")
    } catch {
      throw ValidationError("--\(option.name): \(error.message)")
    }
  }

  /// Returns the hint for a text in lower case that another option or form expresses.
  private static func hint(for text: String) -> String? {
    if let hint = optionHint(for: text) { return hint }
    // `3 days` most likely means `3 days ago`.
    let meant = text + " ago"
    guard WrittenWhen(words: TypedWords(meant).lowercased[...]) != nil else { return nil }
    return "Write \(ValidationError.quoted(meant)) or 2026-11-20."
  }

  /// Returns the hint for a time whose rest is among the operands: `--since 2 weeks ago`.
  ///
  /// Returns nil if no operand continues it.
  private static func hint(
    for text: String, goingOnIn words: [String], of option: Option
  ) -> String? {
    for start in words.indices {
      for end in (start..<min(start + 3, words.count)).reversed() {
        let typed = TypedWords.text(of: [text] + words[start...end])
        let meant = TypedWords(typed).lowercased
        if WrittenWhen(words: meant[...]) != nil {
          return "Write \(typed.shellValue(of: option.name))."
        }
        if let hint = hint(for: TypedWords.text(of: meant)) { return hint }
      }
    }
    return nil
  }

  /// Returns the hint for words that begin with a period instead of a day: `last week`, `7 days`.
  ///
  /// The words are in lower case. Returns `nil` for others.
  static func hint(aboutPeriod words: [String]) -> String? {
    let isLast = ["last", "past"].contains(words.first)
    let counted = isLast ? words.dropFirst() : words[...]
    if counted.count > 1, let number = counted.first.flatMap({ Int($0) }),
      (1...500).contains(number)
    {
      switch counted[counted.startIndex + 1] {
      case "day", "days": return "The last \(number) days are --days \(number)."
      case "week", "weeks": return "The last \(number * 7) days are --days \(number * 7)."
      default: break
      }
    }
    if let ago = words.firstIndex(of: "ago"), ago > 0, ["month", "months"].contains(words[ago - 1])
    {
      return "A month is --last-month, or --month=2026-11."
    }
    if words.count > 1, WordScanner.isNumber(words[0][...]), WrittenWhen.isMonth(words[1]) {
      return optionHint(for: words[1])
    }
    return optionHint(for: TypedWords.text(of: words.prefix(2)))
      ?? words.first.flatMap(optionHint)
  }

  /// Returns the hint about the option that a text in lower case stands for.
  private static func optionHint(for text: String) -> String? {
    switch text.filter({ $0.isASCII && $0.isLetter }) {
    case "lastweek": return "Last week is --last-week."
    case "week", "thisweek": return "This week is --week."
    case "lastmonth": return "Last month is --last-month."
    case "month", "thismonth": return "A month is --month or --month=2026-11."
    case "year", "thisyear": return "A year is --year or --year=2025."
    default: break
    }
    if WrittenWhen.isMonth(text) { return "A month is --month=2026-11, a day 2026-11-20." }
    return month(in: text) == nil ? nil : "A month is --month=\(text)."
  }

  private func endsBeforeItBegins(in zone: LocalZone) -> Bool {
    switch (start, end) {
    case (.day(let first), .day(let last)): last <= first
    case (.instant(let first), .instant(let last)): last < first
    case (.day(let first), .instant(let last)): zone.moment(at: last).day < first
    case (.instant(let first), .day(let last)): last <= zone.moment(at: first).day
    default: false
    }
  }

  /// Returns the month in the form `2026-11`; nil for another text.
  static func month(in text: String) -> (year: Int, month: Int)? {
    var scanner = WordScanner(text)
    guard let year = scanner.digits(), year.count == 4, scanner.take("-"),
      let month = scanner.digits(), month.count == 2, scanner.isAtEnd,
      CivilDate(year: year.value, month: month.value, day: 1) != nil
    else { return nil }
    return (year.value, month.value)
  }

  /// Creates the period of a month in the form `2026-11`; of the current one without a value.
  private init(month text: String?, today: CivilDate) throws(ValidationError) {
    var (year, month, _) = today.components
    if let text {
      guard let written = Self.month(in: text) else {
        throw ValidationError(
          "--month: \(ValidationError.quoted(text)) is not a month",
          hint: "Write --month=2026-11, or --month for this one.")
      }
      (year, month) = written
    }
    // Checked above, or the current month.
    let first = CivilDate(year: year, month: month, day: 1)!
    self.init(days: first..<first.adding(days: CivilDate.days(inMonth: month, ofYear: year)))
  }

  /// Creates the period of a year in the form `2025`; of the current one without a value.
  private init(year text: String?, today: CivilDate) throws(ValidationError) {
    var year = today.components.year
    if let text {
      var scanner = WordScanner(text)
      guard let digits = scanner.digits(), digits.count == 4, digits.value > 0, scanner.isAtEnd
      else {
        throw ValidationError(
          "--year: \(ValidationError.quoted(text)) is not a year",
          hint: "Write --year=2025, or --year for this one.")
      }
      year = digits.value
    }
    // Every year from 1 to 9999 has a first and a last day.
    let first = CivilDate(year: year, month: 1, day: 1)!
    let last = CivilDate(year: year, month: 12, day: 31)!
    self.init(days: first..<last.adding(days: 1))
  }

  private init(lastDays text: String, today: CivilDate) throws(ValidationError) {
    var scanner = WordScanner(text)
    guard let digits = scanner.digits(), scanner.isAtEnd, (1...36_525).contains(digits.value) else {
      throw ValidationError(
        "--days: \(ValidationError.quoted(text)) is not a number of days",
        hint: "Write --days 7 for the last seven.")
    }
    self.init(days: today.adding(days: 1 - digits.value)..<today.adding(days: 1))
  }

  /// Returns the first day of weeks: `--week-start`, else `DOGWALK_WEEK_START`, else Monday.
  static func firstWeekday(
    _ values: ArgumentValues, _ environment: Environment
  ) throws(ValidationError) -> Weekday {
    switch values[.weekStart] ?? environment.nonEmpty("DOGWALK_WEEK_START") ?? "mon" {
    case "mon": return .monday
    case "sun": return .sunday
    case let other:
      throw ValidationError(
        "DOGWALK_WEEK_START cannot be \(ValidationError.quoted(other))",
        hint: "Set it to mon or sun.")
    }
  }
}
