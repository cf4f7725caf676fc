import CommandLineKit

/// Phrases that leave open what the clock showed, or how long it was.
extension WordSlip {
  /// Judges the beginning of words in lower case; `nil` where it says something exact.
  init?(vague words: [String]) {
    guard let first = words.first else { return nil }
    let two = words.count > 1 ? words[1] : ""
    let day = WrittenDay(first) == nil ? nil : first
    if let clock = Self.partsOfDay[two], let day = Self.day(first) ?? day {
      // With a time behind it, that is what the clock showed.
      let shown = words.dropFirst(2).prefix(2).first { WrittenClock($0) != nil }
      let isNight = two == "night" && first == "last"
      self.init("\(first) \(two)", write: "\(isNight ? "yesterday" : day) \(shown ?? clock)")
    } else if ["in", "at", "over", "during", "after", "before"].contains(first),
      let part = words.dropFirst().prefix(2).first(where: { $0 != "the" }),
      let clock = Self.partsOfDay[part]
    {
      self.init(Self.text(of: words, through: part), write: "today \(clock)")
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
    } else if let minutes = Self.minutesAround[first], ["past", "to"].contains(two) {
      let said = words.prefix(3).joined(separator: " ")
      let hour = words.count > 2 ? Int(words[2]) ?? Self.numbers[words[2]] : nil
      self.init(said, write: Self.clocks(hour, minutes, isPast: two == "past"))
    } else if two == "o'clock" || two == "oclock" || two == "uhr", let hour = Int(first), hour < 25
    {
      let night = hour < 12 ? ", or \(hour + 12):00" : ""
      self.init("\(first) \(two)", write: "\(hour):00\(night)")
    } else {
      return nil
    }
  }

  /// Judges the beginning of words in lower case that name no dog.
  init?(phrase words: [String]) {
    guard words.count > 1, let first = words.first, let number = Self.numbers[first],
      let unit = WrittenDuration.Unit(words[1])
    else { return nil }
    self.init(
      complaint: ValidationError(
        "\(ValidationError.quoted("\(first) \(words[1])")) is not understood",
        hint:
          "Write the number in figures: \(number)\(unit < .hours ? " \(words[1])" : String(unit.letter))."
      ))
  }

  private init(_ text: String, write better: String) {
    self.init(
      complaint: ValidationError(
        "\(ValidationError.quoted(text)) is no time that a clock shows", hint: "Write \(better)."))
  }

  /// The times that `half past 7` may be: `7:30, or 19:30`.
  private static func clocks(_ hour: Int?, _ minutes: Int, isPast: Bool) -> String {
    guard let hour, (1...12).contains(hour) else { return "18:30" }
    let first = isPast ? hour * 60 + minutes : hour * 60 - minutes
    return [first, first + 12 * 60].map { time in
      "\(time / 60 % 24):\((time % 60).padded(to: 2))"
    }.joined(separator: ", or ")
  }

  private static let minutesAround = [
    "half": 30, "quarter": 15, "ten": 10, "five": 5, "twenty": 20,
  ]

  private static func text(of words: [String], through last: String) -> String {
    let end = words.firstIndex(of: last) ?? words.startIndex
    return words[...end].joined(separator: " ")
  }

  /// The day that stands before a part of it.
  private static func day(_ word: String) -> String? {
    ["this": "today", "last": "yesterday", "today": "today", "early": "today", "late": "today"][
      word]
  }

  private static let vagueAmounts = [
    "few", "couple", "some", "several", "while", "bit", "time", "moment",
  ]

  /// Parts of a day, with a time in each.
  private static let partsOfDay = [
    "morning": "7:30", "afternoon": "15:00", "evening": "18:00", "night": "22:30", "lunch": "12:30",
    "lunchtime": "12:30", "breakfast": "7:30", "dinner": "19:00", "work": "18:00", "dawn": "6:00",
    "dusk": "19:00", "school": "8:00", "bed": "22:30",
  ]

  private static let numbers = [
    "one": 1, "eleven": 11, "twelve": 12, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "ninety": 90,
  ]
}
