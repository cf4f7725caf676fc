import CommandLineKit

extension Period {
  /// The period that options ask for; `nil` where none does.
  ///
  /// - Parameters:
  ///   - values: What was typed; `Option.period` names the options read.
  ///   - environment: Read for `DOGWALK_WEEK_START`.
  ///   - clock: What "today" means.
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

  /// `--since` and `--until`, of which one may be missing.
  ///
  /// - Parameter words: The words beside them: what belongs to a time lacks its quotes there.
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
        throw ValidationError("\(ValidationError.quoted(text)) is no time", hint: hint)
      }
      return try When(text, clock: clock, forms: "Write mon, 2026-11-20 or \"3 days ago\"")
    } catch {
      throw ValidationError("--\(option.name): \(error.message)")
    }
  }

  /// What to write in place of a text in lower case that another option or another form says.
  private static func hint(for text: String) -> String? {
    if let hint = optionHint(for: text) { return hint }
    // `3 days` is most likely `3 days ago`.
    let meant = text + " ago"
    guard WrittenWhen(words: TypedWords(meant).lowercased[...]) != nil else { return nil }
    return "Write \(ValidationError.quoted(meant)) or 2026-11-20."
  }

  /// What to write where the rest of a time stands beside its option: `--since 2 weeks ago`; nil
  /// where nothing there goes on with it.
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

  /// What to write for words in lower case that begin with a period where a day could stand: `last
  /// week`, `7 days`; `nil` for others.
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
    if words.count > 1, WordScanner.isNumber(words[0][...]), WrittenWhen.isMonth(words[1]) {
      return optionHint(for: words[1])
    }
    return optionHint(for: TypedWords.text(of: words.prefix(2)))
      ?? words.first.flatMap(optionHint)
  }

  /// The option that says what a text in lower case says.
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

  /// The month that is written as `2026-11`; nil for another text.
  static func month(in text: String) -> (year: Int, month: Int)? {
    var scanner = WordScanner(text)
    guard let year = scanner.digits(), year.count == 4, scanner.take("-"),
      let month = scanner.digits(), month.count == 2, scanner.isAtEnd,
      CivilDate(year: year.value, month: month.value, day: 1) != nil
    else { return nil }
    return (year.value, month.value)
  }

  /// A month written as `2026-11`; without a value, this one.
  private init(month text: String?, today: CivilDate) throws(ValidationError) {
    var (year, month, _) = today.components
    if let text {
      guard let written = Self.month(in: text) else {
        throw ValidationError(
          "--month: \(ValidationError.quoted(text)) is no month",
          hint: "Write --month=2026-11, or --month for this one.")
      }
      (year, month) = written
    }
    // Checked above, or today's own month.
    let first = CivilDate(year: year, month: month, day: 1)!
    self.init(days: first..<first.adding(days: CivilDate.days(inMonth: month, ofYear: year)))
  }

  /// A year written as `2025`; without a value, this one.
  private init(year text: String?, today: CivilDate) throws(ValidationError) {
    var year = today.components.year
    if let text {
      var scanner = WordScanner(text)
      guard let digits = scanner.digits(), digits.count == 4, digits.value > 0, scanner.isAtEnd
      else {
        throw ValidationError(
          "--year: \(ValidationError.quoted(text)) is no year",
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
        "--days: \(ValidationError.quoted(text)) is no number of days",
        hint: "Write --days 7 for the last seven.")
    }
    self.init(days: today.adding(days: 1 - digits.value)..<today.adding(days: 1))
  }

  /// The day weeks start on: `--week-start`, else `DOGWALK_WEEK_START`, else Monday.
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
