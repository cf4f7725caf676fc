/// A date and time of day in UTC, in the proleptic Gregorian calendar.
///
///     CivilTime(secondsSinceReferenceDate: 0)   // 2001-01-01 00:00:00
struct CivilTime {
  let year, month, day, hour, minute, second: Int64

  /// The time at a number of seconds after 2001-01-01 00:00 UTC.
  init(secondsSinceReferenceDate seconds: Int64) {
    let (days, second) = seconds.flooredDivision(by: 86_400)
    // Counted from a 1 March, so that a leap day comes last.
    let (era, dayOfEra) = (days + 730_791).flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    (hour, minute, self.second) = (second / 3600, second / 60 % 60, second % 60)
  }

  /// The number of bytes in `2026-11-21T09:00:00`.
  static let byteCount = 19

  /// Parses `2026-11-21T09:00:00` at the beginning of a text; nil if that is not a valid date and
  /// time.
  init?(beginning text: Span<UInt8>) {
    guard text.count >= Self.byteCount, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let year = Int64(digits: text, 0..<4), let month = Int64(digits: text, 5..<7),
      let day = Int64(digits: text, 8..<10), let hour = Int64(digits: text, 11..<13),
      let minute = Int64(digits: text, 14..<16), let second = Int64(digits: text, 17..<19),
      year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
    // A day that its month does not have would fall into the next month.
    guard day <= 28 || Self(secondsSinceReferenceDate: daysSinceReferenceDate * 86_400).day == day
    else { return nil }
  }

  /// The seconds since 2001-01-01 00:00 UTC.
  var secondsSinceReferenceDate: Int64 {
    ((daysSinceReferenceDate * 24 + hour) * 60 + minute) * 60 + second
  }

  private var daysSinceReferenceDate: Int64 {
    // In years that begin in March, so that a leap day comes last.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 730_791
  }
}

extension [UInt8] {
  /// Appends a time as `2026-11-21T09:00:00`.
  mutating func append(_ time: CivilTime) {
    append(decimal: Int(time.year), digits: 4)
    append(ascii: "-")
    append(twoDigits: time.month)
    append(ascii: "-")
    append(twoDigits: time.day)
    append(ascii: "T")
    append(twoDigits: time.hour)
    append(ascii: ":")
    append(twoDigits: time.minute)
    append(ascii: ":")
    append(twoDigits: time.second)
  }

  /// - Parameter number: less than 100.
  private mutating func append(twoDigits number: Int64) {
    append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Parses decimal digits in a range of a text; nil for anything else.
  init?(digits text: Span<UInt8>, _ range: Range<Int>) {
    self = 0
    for index in range {
      guard (0x30...0x39).contains(text[index]) else { return nil }
      self = self * 10 + Int64(text[index] - 0x30)
    }
  }
}
