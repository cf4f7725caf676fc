import CommandLineKit

/// A length of time as typed: `35m`, `1h15`, `1h 15m`, `90s`, `75`, `3 days`.
struct WrittenDuration: Hashable, Sendable {
  /// What a number counts, from the longest.
  enum Unit: Int, Comparable, Sendable {
    case weeks, days, hours, minutes, seconds

    /// Reads a unit in lower case; `m` is always minutes.
    init?(_ word: String) {
      switch word {
      case "w", "week", "weeks": self = .weeks
      case "d", "day", "days": self = .days
      case "h", "hr", "hrs", "hour", "hours": self = .hours
      case "m", "min", "mins", "minute", "minutes": self = .minutes
      case "s", "sec", "secs", "second", "seconds": self = .seconds
      default: return nil
      }
    }

    /// How many seconds one has; a day has none of its own, since clocks change.
    var seconds: Int {
      switch self {
      case .weeks, .days: 0
      case .hours: 3600
      case .minutes: 60
      case .seconds: 1
      }
    }

    /// Whether one is longer than another.
    static func < (left: Unit, right: Unit) -> Bool { left.rawValue < right.rawValue }
  }

  private struct Part: Hashable, Sendable {
    let number: Int
    let unit: Unit
  }

  /// What was typed.
  let text: String
  /// Whether it is a number without a unit, which counts minutes.
  let isBareNumber: Bool
  private let parts: [Part]

  /// Reads words in lower case; `nil` where they do not have the form of a duration.
  init?(words: some Sequence<String>) {
    let text = TypedWords.text(of: words)
    var scanner = WordScanner(text)
    var parts: [Part] = []
    var isBareNumber = false
    while !scanner.isAtEnd {
      guard let digits = scanner.digits() else { return nil }
      scanner.spaces()
      let letters = scanner.letters()
      scanner.spaces()
      let longest = parts.last?.unit
      if let unit = Unit(String(letters)) {
        guard longest.map({ $0 < unit }) ?? true else { return nil }
        parts.append(Part(number: digits.value, unit: unit))
      } else {
        // A number without a unit counts minutes: alone, or at the end behind hours.
        guard letters.isEmpty, scanner.isAtEnd, longest == nil || longest == .hours else {
          return nil
        }
        isBareNumber = parts.isEmpty
        parts.append(Part(number: digits.value, unit: .minutes))
      }
    }
    guard !parts.isEmpty else { return nil }
    self.text = text
    self.isBareNumber = isBareNumber
    self.parts = parts
  }

  /// Its whole days, where it is a number of days or weeks and nothing else.
  var days: Int? {
    guard let part = parts.first, parts.count == 1 else { return nil }
    switch part.unit {
    case .days: return part.number
    case .weeks: return part.number * 7
    case .hours, .minutes, .seconds: return nil
    }
  }

  /// The clock time that `18` or `18h30` may have been meant as: `18:30`.
  var asClock: String? {
    guard let first = parts.first, isBareNumber || first.unit == .hours, parts.count <= 2,
      let time = ClockTime(hour: first.number, minute: parts.count == 2 ? parts[1].number : 0),
      time.hour >= 5
    else { return nil }
    return "\(time)"
  }

  /// Whether it is made of hours, minutes and seconds.
  var isClockTime: Bool { parts.allSatisfy { $0.unit > .days } }

  /// Its length in seconds.
  ///
  /// - Throws: `ValidationError` where it is too long, or 60 minutes and more stand beside hours.
  func seconds() throws(ValidationError) -> Int {
    for part in parts where part.number >= 1_000_000 {
      throw complaint("that is too long")
    }
    for part in parts.dropFirst() where part.number > 59 {
      throw complaint(
        part.unit == .minutes
          ? "beside hours, minutes go to 59" : "beside minutes, seconds go to 59")
    }
    return parts.reduce(0) { $0 + $1.number * $1.unit.seconds }
  }

  private func complaint(_ reason: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) is no duration: \(reason)", hint: "Write 35m or 1h15.")
  }
}
