import CommandLineKit

/// A duration as typed: `35m`, `1h15`, `1h 15m`, `90s`, `75`, `3 days`.
struct WrittenDuration: Hashable, Sendable {
  /// The units, from the longest.
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

    /// The unit's length in seconds; zero for days and weeks, which clock changes make variable.
    var seconds: Int {
      switch self {
      case .weeks, .days: 0
      case .hours: 3600
      case .minutes: 60
      case .seconds: 1
      }
    }

    /// The unit's letter: `m` for minutes.
    var letter: Character {
      switch self {
      case .weeks: "w"
      case .days: "d"
      case .hours: "h"
      case .minutes: "m"
      case .seconds: "s"
      }
    }

    /// Returns whether one unit is longer than another.
    static func < (left: Unit, right: Unit) -> Bool { left.rawValue < right.rawValue }
  }

  private struct Part: Hashable, Sendable {
    let number: Int
    let unit: Unit
  }

  /// The typed text.
  let text: String
  /// Whether it is a number without a unit, which means minutes.
  let isBareNumber: Bool
  private let parts: [Part]

  /// The metres that `800m` may mean; `nil` if it can only be a duration.
  let metres: Int?
  /// Whether it has the form `18h30`, `18h` or `18h 20m`, which may mean a clock time.
  let hasLooseHours: Bool
  /// Whether its hours have four digits, as a clock time without a colon: `0800h`, `1830 hours`.
  private let hasFourDigits: Bool
  /// Whether its last number has no unit.
  private let lacksLastUnit: Bool

  /// The meanings of `1.30h`, whose decimals look like minutes: `1h30m or 1h18m`.
  let readings: String?

  /// Reads words in lower case; `nil` if they do not have the form of a duration.
  init?(words: some Sequence<String>) {
    let text = TypedWords.text(of: words)
    // Most words do not begin with a digit, and are refused here.
    guard let first = text.utf8.first, WordScanner.isDigit(first) || "aothq".utf8.contains(first)
    else { return nil }
    var scanner = WordScanner(Self.inFigures(text))
    var parts: [Part] = []
    var isBareNumber = false
    var lastUnit = ""
    var firstCount = 0
    var readings: String?
    while !scanner.isAtEnd {
      guard let digits = scanner.digits() else { return nil }
      if parts.isEmpty { firstCount = digits.count }
      let fraction = Self.fraction(&scanner)
      scanner.spaces()
      let letters = scanner.letters()
      scanner.spaces()
      lastUnit = String(letters)
      let longest = parts.last?.unit
      if let fraction {
        guard longest == nil, scanner.isAtEnd, let unit = Unit(String(letters)),
          let fractions = Self.parts(digits.value, fraction, unit)
        else { return nil }
        parts = fractions
        readings = Self.readings(digits.value, fraction, unit, fractions)
      } else if let unit = Unit(String(letters)) {
        guard longest.map({ $0 < unit }) ?? true else { return nil }
        parts.append(Part(number: digits.value, unit: unit))
      } else {
        // A number without a unit means minutes, on its own or after hours.
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
    self.readings = readings
    metres = parts.count == 1 && lastUnit == "m" ? parts[0].number : nil
    let hasSpace = text.utf8.contains(0x20)
    hasLooseHours =
      parts.first?.unit == .hours
      && (parts.count == 1
        ? lastUnit == "h"
        : parts.count == 2 && (hasSpace ? text.contains("h ") : lastUnit.isEmpty))
    lacksLastUnit = lastUnit.isEmpty
    hasFourDigits = parts.first?.unit == .hours && parts.count < 3 && firstCount == 4
  }

  /// Returns the digits after a point or a comma.
  private static func fraction(_ scanner: inout WordScanner) -> WordScanner.Digits? {
    var ahead = scanner
    guard ahead.take(".") || ahead.take(","), let digits = ahead.digits(), digits.count <= 2 else {
      return nil
    }
    scanner = ahead
    return digits
  }

  /// Returns the meanings of hours whose two decimals look like minutes; nil for a quarter and a
  /// half.
  private static func readings(
    _ whole: Int, _ fraction: WordScanner.Digits, _ unit: Unit, _ parts: [Part]
  ) -> String? {
    guard unit == .hours, fraction.count == 2, (1..<60).contains(fraction.value),
      fraction.value.isMultiple(of: 5), fraction.value != 25, fraction.value != 50
    else { return nil }
    let decimal = parts.map { "\($0.number)\($0.unit.letter)" }.joined()
    return "\(whole > 0 ? "\(whole)h" : "")\(fraction.value)m or \(decimal)"
  }

  /// Returns the hours, minutes and seconds of a number with a fraction.
  private static func parts(_ whole: Int, _ fraction: WordScanner.Digits, _ unit: Unit) -> [Part]? {
    guard unit == .hours || unit == .minutes, whole < 1_000_000 else { return nil }
    let hundredths = whole * 100 + fraction.value * (fraction.count == 1 ? 10 : 1)
    let seconds = hundredths * unit.seconds / 100
    let parts = [
      Part(number: seconds / 3600, unit: .hours), Part(number: seconds / 60 % 60, unit: .minutes),
      Part(number: seconds % 60, unit: .seconds),
    ].filter { $0.number > 0 }
    return parts.isEmpty ? [Part(number: 0, unit: .minutes)] : parts
  }

  /// Returns a text in lower case with digits for `an hour`, `half an hour` and so on.
  private static func inFigures(_ text: String) -> String {
    switch text {
    case "half an hour", "half a hour", "a half hour", "half hour", "a half an hour": return "30m "
    case "an hour and a half", "one and a half hours", "hour and a half": return "1h30m"
    case "a quarter of an hour", "quarter of an hour", "a quarter hour", "quarter hour":
      return "15m "
    case "three quarters of an hour", "three-quarters of an hour": return "45m "
    default: break
    }
    var text = text
    for article in ["a ", "an ", "one "] where text.hasPrefix(article) {
      let rest = text.dropFirst(article.utf8.count)
      let unit = String(rest.prefix { $0 != " " })
      guard Unit(unit) != nil, unit.utf8.count > 2 else { return text }
      text = "1 \(rest)"
    }
    guard text.utf8.count > 7 else { return text }
    for (ending, minutes) in [(" and a half", 30), (" and a quarter", 15)]
    where text.hasSuffix(ending) {
      return "\(text.dropLast(ending.utf8.count)) \(minutes)m"
    }
    return TypedWords.text(of: text.split(separator: " ").filter { $0 != "and" }.map(String.init))
  }

  /// The number of days, if it consists of days or weeks only.
  var days: Int? {
    guard let part = parts.first, parts.count == 1 else { return nil }
    switch part.unit {
    case .days: return part.number
    case .weeks: return part.number * 7
    case .hours, .minutes, .seconds: return nil
    }
  }

  /// The clock time that `18` or `18h30` may mean: `18:30`.
  var asClock: String? {
    guard let first = parts.first, isBareNumber || first.unit == .hours, parts.count <= 2,
      let time = ClockTime(hour: first.number, minute: parts.count == 2 ? parts[1].number : 0),
      time.hour >= 5
    else { return nil }
    return "\(time)"
  }

  /// The clock time that `18h30`, `18h` and `1830h` look like; for `18h 20m` followed by the
  /// length.
  ///
  /// `nil` for a plausible length of a walk.
  var lookalike: String? {
    guard hasLooseHours || hasFourDigits, let hours = parts.first?.number else { return nil }
    let length = parts.count == 2 ? " \(parts[1].number)m" : ""
    if hasFourDigits || parts.count == 1 && hours > 99,
      let time = ClockTime(hour: hours / 100, minute: hours % 100)
    {
      return "\(time)\(length)"
    }
    // In `6 h 30` the last number has no unit, as in `6h30`; `6h 30m` is a length.
    let isOneTime = parts.count == 2 && lacksLastUnit
    guard hours > 6 || isOneTime else { return nil }
    guard parts.count == 2, !isOneTime else { return asClock }
    return ClockTime(hour: hours, minute: 0).map { "\($0)\(length)" }
  }

  /// Its parts with their units in one word, which cannot be a clock time: `18h30m`, `18h0m`.
  var inFull: String {
    var text = ""
    for part in parts { text += "\(part.number)\(part.unit.letter)" }
    return parts.count == 1 && parts[0].unit == .hours ? text + "0m" : text
  }

  /// Whether it consists of hours, minutes and seconds.
  var isClockTime: Bool { parts.allSatisfy { $0.unit > .days } }

  /// Returns the length in seconds.
  ///
  /// - Throws: `ValidationError` if it is too long, has 60 or more minutes after hours, or is
  ///   ambiguous.
  func seconds() throws(ValidationError) -> Int {
    if let readings {
      throw ValidationError(
        "\(ValidationError.quoted(text)) may be \(readings)", hint: "Write one of them.")
    }
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
      "\(ValidationError.quoted(text)) is not a duration: \(reason)", hint: "Write 35m or 1h15.")
  }
}
