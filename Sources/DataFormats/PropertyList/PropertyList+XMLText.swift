import SystemLibraries

extension PropertyList {
  /// Parses the text of an element; nil if it is not a value of the element's type.
  init?(_ text: String, as element: String) {
    let trimmed = text.trimmingXMLSpace
    switch element {
    case "string": self = .string(text)
    case "integer":
      guard let number = Self.integer(trimmed) else { return nil }
      self = number
    case "real":
      guard let number = Self.real(trimmed) else { return nil }
      self = .real(number)
    case "date":
      guard let date = Self.date(trimmed) else { return nil }
      self = .date(date)
    case "data":
      let digits = String(decoding: text.utf8.filter { $0 > 0x20 }, as: UTF8.self)
      guard let data = Data(base64Encoded: digits) else { return nil }
      self = .data(data)
    default: return nil
    }
  }

  /// Parses an integer in decimal digits, or in hexadecimal ones after `0x`.
  private static func integer(_ text: String) -> PropertyList? {
    let isNegative = text.hasPrefix("-")
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, (0x30...0x39).contains(first) else { return nil }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let magnitude = UInt64(
      isHexadecimal ? digits.dropFirst(2) : digits, radix: isHexadecimal ? 16 : 10)
    guard let magnitude, !digits.dropFirst(2).hasPrefix("+") else { return nil }
    if isNegative {
      guard magnitude <= Int64.min.magnitude else { return nil }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return Int64(exactly: magnitude).map(PropertyList.integer) ?? .unsignedInteger(magnitude)
  }

  /// Parses a number in the spelling of Apple's writer: `1.5`, `-0`, `nan`, `+infinity`.
  private static func real(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default:
      guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { return nil }
      return Double(text)
    }
  }

  /// Parses a date like `2026-11-21T09:00:00Z`.
  private static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard let time = CivilTime(beginning: bytes.span), bytes.count == CivilTime.byteCount + 1,
      bytes.last == UInt8(ascii: "Z")
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: Double(time.secondsSinceReferenceDate))
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmingXMLSpace: String {
    let start = utf8.firstIndex { $0 > 0x20 } ?? utf8.endIndex
    let end = utf8.lastIndex { $0 > 0x20 }.map(utf8.index(after:)) ?? start
    return String(self[start..<end])
  }
}
