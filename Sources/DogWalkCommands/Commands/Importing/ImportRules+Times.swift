import CommandLineKit
import DataFormats

/// Times in the formats of other programs and people.
extension ImportRules {
  /// The hint about a time that cannot be read.
  private static let timeHint = "write 2026-11-20 18:00 or 20.11.2026 18:00"

  /// Returns the moment of a text in its own UTC offset, else in the zone.
  ///
  ///     try ImportRules().moment("20.11.2026 6:00 PM", zone: .system)
  ///
  /// - Throws: `ValidationError` if it is not a time, the order of its numbers is ambiguous, or the
  ///   day or time does not exist.
  func moment(_ typed: String, zone: LocalZone) throws(ValidationError) -> Moment {
    let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let compact = Self.compact(text) {
      // A program that stores UTC does not know the walker's local time.
      return zone.moment(at: try Moment(iso8601: compact, zone: zone).date)
    }
    guard let written = WrittenTime(dated: try isoText(text)) else {
      let isTime = Self.time(text) != nil
      throw ValidationError(
        "\(ValidationError.quoted(typed)) \(isTime ? "has no day" : "is no time"): \(Self.timeHint)"
      )
    }
    return try written.moment(in: zone)
  }

  /// Returns a day and a time of day in ISO 8601; a text without a day at its start stays
  /// unchanged.
  ///
  ///     try ImportRules().isoText("20.11.2026 18:00")   // 2026-11-20T18:00:00
  ///
  /// - Throws: `ValidationError` if the order of its numbers is ambiguous, the day does not exist,
  ///   or no time of day follows.
  func isoText(_ text: String) throws(ValidationError) -> String {
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" || $0 == "t" }
    guard let day = parts.first, let separator = day.first(where: { "./-".contains($0) }) else {
      return text
    }
    let numbers = day.split(separator: separator, omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers.allSatisfy({ WordScanner.isNumber($0) }) else { return text }
    // A year of four digits determines the order, regardless of other dates.
    let order = numbers[0].count == 4 ? .ymd : dates ?? (separator == "." ? .dmy : nil)
    guard let order else { throw Self.openOrder(of: text, day: day, numbers) }
    guard let date = Self.date(numbers, order) else {
      throw ValidationError(
        "there is no day \(ValidationError.quoted(day))"
          + (numbers[0].count == 4 ? "" : ", read as \(order.rawValue)"))
    }
    guard parts.count == 2 else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) has no time of day: \(Self.timeHint)")
    }
    if let time = Self.time(String(parts[1])) { return "\(date)T\(time.inFull)" }
    // With an offset from UTC, or a fraction of a second.
    guard let clock = WrittenClock(parts[1].lowercased()), (try? clock.time()) != nil else {
      throw ValidationError(
        "\(ValidationError.quoted(parts[1])) is not a time of day: write 18:00 or 6:00 pm")
    }
    return "\(date)T\(parts[1])"
  }

  /// Returns the error about a day with an ambiguous order of numbers.
  private static func openOrder(
    of text: String, day: Substring, _ numbers: [Substring]
  ) -> ValidationError {
    let orders = [DateOrder.dmy, .mdy].filter { date(numbers, $0) != nil }
    guard let only = orders.first else {
      return ValidationError("there is no day \(ValidationError.quoted(day))")
    }
    return ValidationError(
      orders.count > 1
        ? "\(ValidationError.quoted(text)) may be two days: say --dates dmy or --dates mdy"
        : "\(ValidationError.quoted(text)) has the \(only == .dmy ? "day" : "month") in front: "
          + "say --dates \(only.rawValue)")
  }

  /// Returns the day of three numbers in an order; `nil` if it does not exist.
  private static func date(_ numbers: [Substring], _ order: DateOrder) -> CivilDate? {
    let positions: (year: Int, month: Int, day: Int) =
      switch order {
      case .dmy: (2, 1, 0)
      case .mdy: (2, 0, 1)
      case .ymd: (0, 1, 2)
      }
    guard let year = Int(numbers[positions.year]), let month = Int(numbers[positions.month]),
      let day = Int(numbers[positions.day])
    else { return nil }
    let century = numbers[positions.year].count == 2 ? 2000 : 0
    return CivilDate(year: century + year, month: month, day: day)
  }

  /// Converts timewarrior's form, `20261120T170000Z`, to ISO 8601; nil for any other text.
  private static func compact(_ text: String) -> String? {
    guard isCompact(text) else { return nil }
    let bytes = Array(text.utf8)
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):"
      + "\(part(13..<15))Z"
  }

  /// Returns whether a text has that form.
  static func isCompact(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 16 && bytes[8] == UInt8(ascii: "T") && bytes[15] == UInt8(ascii: "Z")
      && bytes.enumerated().allSatisfy {
        [8, 15].contains($0.offset) || WordScanner.isDigit($0.element)
      }
  }

  /// The possible endings of a time of day: the half of the day, if any, and whether an hour alone
  /// may precede it.
  private static let endings: [(text: String, isAfternoon: Bool?, allowsHour: Bool)] = [
    ("a.m.", false, true), ("am", false, true), ("p.m.", true, true), ("pm", true, true),
    ("uhr", nil, true),
    // An hour alone could be a length as well.
    ("h", nil, false),
  ]

  /// Returns a time of day: `18:00`, `18.00.30`, `6:00 PM`, `6 p.m.`, `18.00 Uhr`; `nil` if it is
  /// none.
  static func time(_ text: String) -> ClockTime? {
    var digits = text.lowercased().filter { !$0.isWhitespace }
    let ending = endings.first { digits.hasSuffix($0.text) }
    if let ending { digits.removeLast(ending.text.count) }
    let numbers = digits.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
    guard (ending?.allowsHour == true ? 1...3 : 2...3).contains(numbers.count),
      numbers.allSatisfy({ WordScanner.isNumber($0) }), var hour = Int(numbers[0]),
      numbers.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let rest = numbers.dropFirst().map { Int($0) ?? 60 }
    if let isAfternoon = ending?.isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    return ClockTime(hour: hour, minute: rest.first ?? 0, second: rest.count > 1 ? rest[1] : 0)
  }
}

extension ClockTime {
  /// The time with its seconds: `07:30:00`.
  fileprivate var inFull: String { "\(self):\(second.padded(to: 2))" }
}
