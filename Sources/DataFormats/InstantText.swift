/// An instant as people write it, exact to the last bit of a store's floating-point number.
///
///     InstantText.text(of: 246_810_121.25)               // "2008-10-27T14:22:01.25Z"
///     InstantText.seconds(of: "2008-10-27T16:22:01.25+02:00")   // 246810121.25
///
/// By RFC 3339, in the years 1 to 9999. The decimals are as few as read back as the same number.
package enum InstantText {
  /// The seconds since 2001-01-01 00:00 UTC at which the years 1 to 9999 begin and end.
  private static let years = -63_113_904_000.0..<252_423_993_600.0

  /// The text of an instant, in UTC; nil for one of another year.
  ///
  /// - Parameter seconds: since 2001-01-01 00:00 UTC.
  package static func text(of seconds: Double) -> String? {
    var text: [UInt8] = []
    return append(seconds, to: &text) ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Appends the text of an instant, and says so; false for one of another year, of which nothing is
  /// appended.
  package static func append(_ seconds: Double, to text: inout [UInt8]) -> Bool {
    guard years.contains(seconds), var (whole, decimals) = decimals(of: seconds.magnitude) else {
      return false
    }
    if seconds < 0 {
      whole = -whole
      // The parts of a second count forward, whatever the sign.
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

  /// The seconds since 2001-01-01 00:00 UTC that a text stands for; nil where it is no instant.
  ///
  /// The offset from UTC is part of it: `Z`, or as `+02:00`.
  package static func seconds(of text: some StringProtocol) -> Double? {
    var rest = Array(text.utf8)[...]
    guard let time = CivilTime(readingFrom: &rest) else { return nil }
    var decimals: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      decimals = Array(rest.dropFirst().prefix { (0x30...0x39).contains($0) })
      guard (1...60).contains(decimals.count) else { return nil }
      rest = rest.dropFirst(1 + decimals.count)
    }
    guard let offset = offset(rest) else { return nil }
    var whole = time.secondsSinceReferenceDate - offset
    let isNegative = whole < 0
    if isNegative {
      if decimals.contains(where: { $0 != 0x30 }) {
        whole += 1
        decimals = complement(of: decimals)
      }
      whole = -whole
    }
    var seconds = Double(whole)
    if !decimals.isEmpty {
      // The nearest number to all digits together, as they were written.
      guard let exact = Double("\(whole)." + String(decoding: decimals, as: UTF8.self)) else {
        return nil
      }
      seconds = exact
    }
    return isNegative ? -seconds : seconds
  }

  /// The seconds that a text's end is ahead of UTC.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
    if text.elementsEqual([UInt8(ascii: "Z")]) { return 0 }
    let parts = Array(text)
    guard parts.count == 6, parts[3] == UInt8(ascii: ":"),
      let sign: Int64 = parts[0] == UInt8(ascii: "+")
        ? 1 : parts[0] == UInt8(ascii: "-") ? -1 : nil,
      let hours = Int64(digits: parts[1...2]), let minutes = Int64(digits: parts[4...5]),
      hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes) * 60
  }

  /// A number of seconds as whole ones and the digits behind the point; nil where those are more than
  /// any clock has.
  private static func decimals(of seconds: Double) -> (whole: Int64, decimals: [UInt8])? {
    let whole = Int64(seconds)
    if Double(whole) == seconds { return (whole, []) }
    // The fewest digits, maybe with an exponent: a number this small has a negative one.
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

  /// What is missing to 1, in as many digits; they are not all zero.
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
