import CommandLineKit

/// Phrases for times and lengths that are too vague.
extension MistypedWord {
  /// Creates the error about vague words in lower case at the beginning; `nil` if they are exact.
  ///
  /// - Parameter clock: The clock that tells which times have passed, for hints.
  init?(vague words: [String], clock wallClock: WallClock) {
    guard let first = words.first else { return nil }
    let two = words.count > 1 ? words[1] : ""
    let day = WrittenDay(first).map { _ in first }
    if let (said, better) = Self.timeBeforePart(words) {
      self.init(said, write: better)
      return
    }
    if let half = Self.half(two), let repaired = Self.repaired(first + half) {
      self.init(
        complaint: ValidationError(
          "\(ValidationError.quoted("\(first) \(two)")) is not understood",
          hint: "Write \(repaired)."))
    } else if WordScanner.isNumber(first[...]), let unit = Self.unit(two) {
      self.init(
        complaint: ValidationError(
          "\(ValidationError.quoted("\(first) \(two)")) is not understood",
          hint: "Write \(first)\(unit)."))
    } else if WordScanner.isNumber(first[...]), two == "ago", let number = Int(first) {
      self.init(
        complaint: ValidationError(
          "\(ValidationError.quoted("\(first) ago")) has no unit",
          hint: number > 12
            ? "Write \(number)m ago." : "Write \(number)h ago, or \(number) days ago."))
    } else if let day, words.count > 2, two == "last", words[2] == "week" {
      self.init(
        complaint: ValidationError(
          "\(ValidationError.quoted("\(first) last week")) is not understood",
          hint: "Write last \(day), or a day as 2026-11-20."))
    } else if let day, two == "at", words.count > 3, let minutes = Self.minutes(around: words[2]),
      ["past", "to"].contains(words[3])
    {
      let clocks = Self.clocks(after: words.dropFirst(4), minutes, isPast: words[3] == "past")
      self.init(words.prefix(5).joined(separator: " "), write: "\(day) \(clocks)")
    } else if let day, two == "at", words.count > 2, let hour = Int(words[2]),
      (0..<24).contains(hour),
      WrittenWhen(words: words.prefix(4)[...]) == nil
    {
      let night = (1..<12).contains(hour) ? ", or \(day) \(hour + 12):00" : ""
      self.init("\(first) at \(hour)", write: "\(day) \(hour):00\(night)")
    } else if let clock = Self.clock(ofPart: two), let day = Self.day(first) ?? day {
      // A time after it is the exact one.
      let exact = Self.time(after: two, words.dropFirst(2))
      let isNight = two == "night" && first == "last"
      let better =
        isNight
        ? "\(Self.night(of: exact ?? clock)) \(exact ?? clock)"
        : exact.map { "\(day) \($0)" } ?? Self.passed(day, usual: clock, wallClock)
      self.init("\(first) \(two)", write: better)
    } else if words.count > 2, let clock = Self.clock(ofPart: words[2]),
      WrittenDay(words: words.prefix(2)[...]) != nil
    {
      let exact = Self.time(after: words[2], words.dropFirst(3)) ?? clock
      self.init("\(first) \(two) \(words[2])", write: "\(first) \(two) \(exact)")
    } else if ["in", "at", "over", "during", "after", "before"].contains(first),
      let part = words.dropFirst().prefix(2).first(where: { $0 != "the" }),
      let clock = Self.clock(ofPart: part)
    {
      let rest = words.drop { $0 != part }.dropFirst()
      self.init(
        Self.text(of: words, through: part),
        write: Self.time(after: part, rest).map { "today \($0)" }
          ?? Self.passed("today", usual: clock, wallClock))
    } else if first == "day" || first == "the", words.contains("before"),
      words.contains("yesterday")
    {
      self.init(Self.text(of: words, through: "yesterday"), write: "2 days ago 18:00")
    } else if ["last", "this"].contains(first), ["week", "month", "weekend", "year"].contains(two) {
      self.init("\(first) \(two)", write: "last saturday 10:00, or 2026-11-20 10:00")
    } else if let ago = words.prefix(6).firstIndex(of: "ago"), ago > 0,
      Self.vagueAmounts.contains(first) || ["a", "an", "the"].contains(first),
      words[..<ago].contains(where: Self.vagueAmounts.contains)
    {
      self.init(words[...ago].joined(separator: " "), write: "2h ago, or 18:00")
    } else if let minutes = Self.minutes(around: first), ["past", "to"].contains(two) {
      let said = words.prefix(3).joined(separator: " ")
      self.init(
        said, write: Self.clocks(after: words.dropFirst(2), minutes, isPast: two == "past"))
    } else if two == "o'clock" || two == "oclock" || two == "uhr", let hour = Int(first),
      (0..<24).contains(hour)
    {
      let night = hour < 12 ? ", or \(hour + 12):00" : ""
      self.init("\(first) \(two)", write: "\(hour):00\(night)")
    } else {
      return nil
    }
  }

  /// Creates the error about words in lower case that begin with a spelled-out number and a unit.
  init?(phrase words: [String]) {
    guard words.count > 1, let first = words.first, let number = Self.number(first),
      let unit = WrittenDuration.Unit(words[1])
    else { return nil }
    self.init(
      complaint: ValidationError(
        "\(ValidationError.quoted("\(first) \(words[1])")) is not understood",
        hint:
          "Write the number in figures: \(number)\(unit < .hours ? " \(words[1])" : String(unit.letter))."
      ))
  }

  /// Creates the error about words that begin with a start and an end which are not both clock
  /// times; `nil` for others.
  init?(range words: TypedWords, clock: WallClock) {
    guard let range = LooseRange(words, clock: clock) else { return nil }
    self.init(
      complaint: ValidationError(
        "\(ValidationError.quoted(range.text)) is not understood",
        hint: "Write \(range.readings.joined(separator: ", or "))."))
  }

  /// Creates the error about words in lower case that begin with a number and a unit that walks are
  /// not measured in: `500 yards`, `5000 steps`.
  init?(unit words: [String]) {
    guard words.count > 1, WordScanner.isNumber(words[0][...]), let number = Double(words[0]) else {
      return nil
    }
    let metres: Double? =
      switch words[1] {
      case "yards", "yard", "yds", "yd": 0.9144
      case "feet", "foot", "ft": 0.3048
      case "steps", "step": nil
      default: .nan
      }
    let text = "\(words[0]) \(words[1])"
    let hint: String
    if let metres {
      guard metres.isFinite, let kilometres = Self.kilometres(number * metres) else { return nil }
      hint = "Write \(kilometres)km."
    } else {
      hint =
        "Write a distance, as in 2.4km, or a note, \(text.shellValue(of: "note"))."
    }
    self.init(
      complaint: ValidationError("\(ValidationError.quoted(text)) is not understood", hint: hint))
  }

  /// Returns metres as kilometres with two decimals; `nil` for less than 10 m, and for more than
  /// 1000 km.
  private static func kilometres(_ metres: Double) -> String? {
    guard (10...1_000_000).contains(metres) else { return nil }
    let hundredths = Int((metres / 10).rounded())
    return "\(hundredths / 100).\((hundredths % 100).padded(to: 2))"
  }

  private init(_ text: String, write better: String) {
    self.init(
      complaint: ValidationError(
        "\(ValidationError.quoted(text)) is not a valid time of day", hint: "Write \(better)."))
  }

  /// Returns the times that `half past 7` may mean: `7:30, or 19:30`.
  ///
  /// - Parameter words: The words after `past`.
  private static func clocks(
    after words: ArraySlice<String>, _ minutes: Int, isPast: Bool
  ) -> String {
    let named = ["noon": 12, "midday": 12, "midnight": 24]
    guard let word = words.first, let hour = named[word] ?? Int(word) ?? number(word),
      (0...24).contains(hour)
    else { return "18:30" }
    let first = hour * 60 + (isPast ? minutes : -minutes)
    let isExact = named[word] != nil || !(1...12).contains(hour)
    return (isExact ? [first] : [first, first + 12 * 60]).map { time in
      "\((time + 24 * 60) / 60 % 24):\(((time + 24 * 60) % 60).padded(to: 2))"
    }.joined(separator: ", or ")
  }

  /// Returns the minutes of the `half` in `half past`, and so on.
  private static func minutes(around word: String) -> Int? {
    switch word {
    case "half": 30
    case "quarter": 15
    case "five": 5
    case "ten": 10
    case "twenty": 20
    default: nil
    }
  }

  /// Returns a day with the usual time; if it is today and that is still to come, an earlier time.
  private static func passed(_ day: String, usual: String, _ clock: WallClock) -> String {
    guard day == "today" else { return "\(day) \(usual)" }
    return clock.passedTime(on: clock.now.day, usual: usual).map { "today \($0)" } ?? "2h ago"
  }

  private static func text(of words: [String], through last: String) -> String {
    let end = words.firstIndex(of: last) ?? words.startIndex
    return words[...end].joined(separator: " ")
  }

  /// Returns the day that a word before a part of the day means.
  private static func day(_ word: String) -> String? {
    switch word {
    case "this", "today", "early", "late": "today"
    case "last": "yesterday"
    default: nil
    }
  }

  private static let vagueAmounts = [
    "few", "couple", "some", "several", "while", "bit", "time", "moment",
  ]

  /// Returns a unit for one with a full stop or in German: `min` for `min.` and `h` for `std`.
  private static func unit(_ word: String) -> String? {
    let isCut = word.last == "."
    let text = isCut ? String(word.dropLast()) : word
    if isCut, let unit = WrittenDuration.Unit(text), unit > .days { return text }
    return switch text {
    case "std", "stunde", "stunden": "h"
    case "minuten": "min"
    default: nil
    }
  }

  /// Returns the half of the day that a word means: `pm` for `p.m.`.
  private static func half(_ word: String) -> String? {
    switch word {
    case "am", "a.m.": "am"
    case "pm", "p.m.": "pm"
    default: nil
    }
  }

  /// Returns the value of a spelled-out number.
  private static func number(_ word: String) -> Int? {
    switch word {
    case "one": 1
    case "two": 2
    case "three": 3
    case "four": 4
    case "five": 5
    case "six": 6
    case "seven": 7
    case "eight": 8
    case "nine": 9
    case "ten": 10
    case "eleven": 11
    case "twelve": 12
    case "fifteen": 15
    case "twenty": 20
    case "thirty": 30
    case "forty": 40
    case "fifty": 50
    case "sixty": 60
    case "ninety": 90
    default: nil
    }
  }
}
