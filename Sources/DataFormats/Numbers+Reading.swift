/// Parsing numbers from the bytes of a document, faster than with a `String` for each.
///
///     Double(digits: Array("-1.5".utf8).span)   // -1.5
///     Int64(digits: Array("35".utf8).span)      // 35
extension Double {
  /// Parses digits with an optional sign, point and exponent; nil for anything else.
  ///
  /// Rounds like `Double(_: String)`; infinity if the number is out of range.
  package init?(digits text: Span<UInt8>) {
    var mantissa: UInt64 = 0
    var (digits, decimals) = (0, 0)
    var hasPoint = false
    var isPlain = true
    let isSigned = !text.isEmpty && (text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+"))
    for index in (isSigned ? 1 : 0)..<text.count {
      switch text[index] {
      case let byte where (0x30...0x39).contains(byte):
        // Further digits are counted too, but make the mantissa unusable.
        mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
        digits += 1
        if hasPoint { decimals += 1 }
      case UInt8(ascii: ".") where !hasPoint && digits > 0: hasPoint = true
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        isPlain = false
      default: return nil
      }
    }
    if isPlain, digits > 0, !hasPoint || decimals > 0, digits <= 18,
      let number = Double(mantissa, decimals: decimals)
    {
      self = text[0] == UInt8(ascii: "-") ? -number : number
    } else {
      self.init(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// The `Double` nearest to an integer with a number of decimals; nil if a single division does
  /// not yield it.
  init?(_ mantissa: UInt64, decimals: Int) {
    // Both operands are exact, so the quotient is correctly rounded.
    guard mantissa < 1 << 53, decimals <= 18 else { return nil }
    self = Double(mantissa) / Double((0..<decimals).reduce(1 as UInt64) { power, _ in power * 10 })
  }
}

extension FixedWidthInteger {
  /// Parses decimal digits with an optional sign, like `init(_: String)`; nil for anything else,
  /// and for a number out of range.
  package init?(digits text: Span<UInt8>) {
    let isSigned = !text.isEmpty && (text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+"))
    guard text.count > (isSigned ? 1 : 0) else { return nil }
    let isNegative = isSigned && text[0] == UInt8(ascii: "-")
    self = 0
    for index in (isSigned ? 1 : 0)..<text.count {
      guard (0x30...0x39).contains(text[index]) else { return nil }
      let digit = Self(truncatingIfNeeded: text[index] - 0x30)
      let (product, isLong) = multipliedReportingOverflow(by: 10)
      let (sum, isHigh) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !isLong, !isHigh else { return nil }
      self = sum
    }
  }
}
