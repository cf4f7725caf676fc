package import DataFormats
package import SystemLibraries

extension Decimal {
  /// The archived form of `NSDecimalNumber`: an integer and a power of ten.
  package var archivedEntries: [String: PropertyList] {
    // A significand is an integer of at most 128 bits.
    let mantissa = UInt128(significand.description) ?? 0
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> ($0 * 8)) }
    let words = (128 - mantissa.leadingZeroBitCount + 15) / 16
    return [
      "NS.exponent": .integer(Int64(exponent)), "NS.length": .integer(Int64(words)),
      "NS.negative": .boolean(sign == .minus), "NS.compact": .boolean(true),
      // The byte order of the mantissa's 16-bit words: the low byte first.
      "NS.mantissa.bo": .integer(1), "NS.mantissa": .data(Data(bytes)),
    ]
  }

  /// The number with an archived form; nil if that is invalid.
  ///
  /// - Parameter byteOrder: 2 if the high byte of each 16-bit word comes first.
  package init?(
    archivedMantissa mantissa: [UInt8], exponent: Int64, isNegative: Bool, byteOrder: Int64?
  ) {
    guard mantissa.count == 16, (-128...127).contains(exponent) else { return nil }
    var number: UInt128 = 0
    for index in (0..<8).reversed() {
      let (first, second) = (UInt128(mantissa[index * 2]), UInt128(mantissa[index * 2 + 1]))
      number = number << 16 | (byteOrder == 2 ? first << 8 | second : second << 8 | first)
    }
    guard number > 0 || !isNegative else {
      // There is no negative zero: it represents "not a number".
      self = .nan
      return
    }
    self.init(string: "\(isNegative ? "-" : "")\(number)e\(exponent)")
  }
}

extension KeyedArchiveObjects {
  /// Adds a decimal number.
  mutating func add(_ decimal: Decimal) -> PropertyList {
    add(decimal.archivedEntries, class: "NSDecimalNumber")
  }
}

extension KeyedArchive.Object {
  /// The object as a decimal number; nil if it is not a valid one.
  var decimal: Decimal? {
    guard case .data(let mantissa)? = self["NS.mantissa"], let exponent = integer("NS.exponent")
    else { return nil }
    return Decimal(
      archivedMantissa: Array(mantissa), exponent: exponent, isNegative: flag("NS.negative"),
      byteOrder: integer("NS.mantissa.bo"))
  }
}
