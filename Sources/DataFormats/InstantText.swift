/// A readable date, exact to the last bit of a store's floating-point number.
///
///     InstantText.text(of: 246_810_121.25)               // "2008-10-27T14:22:01.25Z"
///     InstantText.seconds(of: "2008-10-27T16:22:01.25+02:00")   // 246810121.25
///
/// In the format of RFC 3339, for the years 1 to 9999, with the fewest decimals that read back as
/// the same number.
package enum InstantText {
  /// The seconds since 2001-01-01 00:00 UTC at which the years 1 to 9999 begin and end.
  private static let years = -63_113_904_000.0..<252_423_993_600.0

  /// The text of a date in UTC; nil for a year outside of 1 to 9999.
  ///
  /// - Parameter seconds: the seconds since 2001-01-01 00:00 UTC.
  package static func text(of seconds: Double) -> String? {
    var text: [UInt8] = []
    return append(seconds, to: &text) ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Appends the text of a date; returns false without appending anything if its year is not 1 to
  /// 9999.
  package static func append(_ seconds: Double, to text: inout [UInt8]) -> Bool {
    guard years.contains(seconds) else { return false }
    if let (whole, decimals, count) = fewDecimals(of: seconds.magnitude) {
      let isBefore = seconds < 0 && decimals > 0
      let floor = seconds < 0 ? -whole - (isBefore ? 1 : 0) : whole
      text.append(CivilTime(secondsSinceReferenceDate: floor))
      if decimals > 0 {
        text.append(ascii: ".")
        let unit = (0..<count).reduce(1) { power, _ in power * 10 }
        text.append(decimal: isBefore ? unit - decimals : decimals, digits: count)
      }
      text.append(ascii: "Z")
      return true
    }
    guard var (whole, decimals) = decimals(of: seconds.magnitude) else { return false }
    if seconds < 0 {
      whole = -whole
      // Fractions of a second always count forward, whatever the sign.
      if !decimals.isEmpty {
        whole -= 1
        decimals = complement(of: decimals)
      }
    }
    text.append(CivilTime(secondsSinceReferenceDate: whole))
    if !decimals.isEmpty {
      text.append(ascii: ".")
      text += decimals
    }
    text.append(ascii: "Z")
    return true
  }

  /// Parses a date as seconds since 2001-01-01 00:00 UTC; nil if the text is not one.
  ///
  /// It includes the offset from UTC: `Z`, or one like `+02:00`.
  package static func seconds(of text: some StringProtocol) -> Double? {
    seconds(of: Array(text.utf8).span)
  }

  /// Parses a date from UTF-8.
  package static func seconds(of text: Span<UInt8>) -> Double? {
    guard let time = CivilTime(beginning: text) else { return nil }
    var end = CivilTime.byteCount
    var decimals = end..<end
    if end < text.count, text[end] == UInt8(ascii: ".") {
      end += 1
      while end < text.count, (0x30...0x39).contains(text[end]) { end += 1 }
      decimals = decimals.lowerBound + 1..<end
      guard (1...60).contains(decimals.count) else { return nil }
    }
    guard let offset = offset(text, from: end) else { return nil }
    let whole = time.secondsSinceReferenceDate - offset
    if decimals.isEmpty { return Double(whole) }
    // Nine decimals still fit into 64 bits together with the seconds.
    if decimals.count <= 9, whole.magnitude < 1 << 33, let parts = Int64(digits: text, decimals) {
      let unit = decimals.reduce(1 as Int64) { power, _ in power * 10 }
      let all = whole * unit + parts
      if let seconds = Double(all.magnitude, decimals: decimals.count) {
        return all < 0 ? -seconds : seconds
      }
    }
    return seconds(whole, decimals.map { text[$0] })
  }

  /// Combines whole seconds with decimals that count forward from them.
  private static func seconds(_ whole: Int64, _ decimals: [UInt8]) -> Double? {
    var (whole, decimals) = (whole, decimals)
    let isNegative = whole < 0
    if isNegative {
      if decimals.contains(where: { $0 != 0x30 }) {
        whole += 1
        decimals = complement(of: decimals)
      }
      whole = -whole
    }
    // The number nearest to all the digits as written.
    let seconds = Double("\(whole)." + String(decoding: decimals, as: UTF8.self))
    return isNegative ? seconds.map { -$0 } : seconds
  }

  /// The offset from UTC at the end of a text, in seconds.
  private static func offset(_ text: Span<UInt8>, from start: Int) -> Int64? {
    guard start < text.count else { return nil }
    if text[start] == UInt8(ascii: "Z") { return start + 1 == text.count ? 0 : nil }
    guard text.count - start == 6, text[start + 3] == UInt8(ascii: ":"),
      let sign: Int64 = text[start] == UInt8(ascii: "+")
        ? 1 : text[start] == UInt8(ascii: "-") ? -1 : nil,
      let hours = Int64(digits: text, start + 1..<start + 3),
      let minutes = Int64(digits: text, start + 4..<start + 6), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }

  /// Splits seconds into an integer and a fraction of up to six digits, if that represents the
  /// number unambiguously; nil otherwise.
  private static func fewDecimals(
    of seconds: Double
  ) -> (whole: Int64, decimals: Int, count: Int)? {
    // Below this, each six-digit fraction has a `Double` of its own.
    guard seconds < 0x1p32 else { return nil }
    var unit: Int64 = 1
    for count in 0...6 {
      let parts = (seconds * Double(unit)).rounded()
      if parts < 0x1p53, parts / Double(unit) == seconds {
        let (whole, decimals) = Int64(parts).quotientAndRemainder(dividingBy: unit)
        return (whole, Int(decimals), count)
      }
      unit *= 10
    }
    return nil
  }

  /// Splits seconds into an integer and the digits after the point; nil for a number below about
  /// 1e-40.
  private static func decimals(of seconds: Double) -> (whole: Int64, decimals: [UInt8])? {
    let whole = Int64(seconds)
    if Double(whole) == seconds { return (whole, []) }
    // The fewest digits, possibly with an exponent: a number this small has a negative one.
    let parts = seconds.description.split(separator: "e")
    let digits = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
    guard parts.count == 2 else {
      let decimals = parts[0].utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
      return (whole, Array(decimals))
    }
    guard let exponent = Int(parts[1]), (-40..<0).contains(exponent) else { return nil }
    let zeros = Array(repeating: UInt8(ascii: "0"), count: -exponent - 1)
    let trimmed = digits.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    return (whole, zeros + trimmed)
  }

  /// The complement to 1 with as many digits; they must not all be zero.
  private static func complement(of decimals: [UInt8]) -> [UInt8] {
    var result = decimals
    var borrows = false
    for index in result.indices.reversed() {
      let digit = result[index] - 0x30
      if !borrows {
        guard digit > 0 else { continue }
        result[index] = 0x30 + 10 - digit
        borrows = true
      } else {
        result[index] = 0x30 + 9 - digit
      }
    }
    return result
  }
}
