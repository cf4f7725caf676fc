import DataFormats
import SystemLibraries

extension KeyedArchiveObjects {
  /// Adds a base-ten number, as `NSDecimalNumber` archives itself: a whole number and a power of ten.
  mutating func add(_ decimal: Decimal) -> PropertyList {
    // A significand is whole and has 128 bits at most.
    let mantissa = UInt128(decimal.significand.description) ?? 0
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> ($0 * 8)) }
    let words = (128 - mantissa.leadingZeroBitCount + 15) / 16
    return add(
      [
        "NS.exponent": .integer(Int64(decimal.exponent)), "NS.length": .integer(Int64(words)),
        "NS.negative": .boolean(decimal.sign == .minus), "NS.compact": .boolean(true),
        // Of the 16-bit words of the mantissa: the low byte first.
        "NS.mantissa.bo": .integer(1), "NS.mantissa": .data(Data(bytes)),
      ], class: "NSDecimalNumber")
  }
}

extension KeyedArchive.Object {
  /// The base-ten number that the object is; nil where it is none that can be.
  var decimal: Decimal? {
    guard case .data(let mantissa)? = self["NS.mantissa"], mantissa.count == 16,
      let exponent = integer("NS.exponent"), (-128...127).contains(exponent)
    else { return nil }
    let isLittleEndian = integer("NS.mantissa.bo") != 2
    var number: UInt128 = 0
    for index in (0..<8).reversed() {
      let (first, second) = (UInt128(mantissa[index * 2]), UInt128(mantissa[index * 2 + 1]))
      number = number << 16 | (isLittleEndian ? second << 8 | first : first << 8 | second)
    }
    return Decimal(string: "\(flag("NS.negative") ? "-" : "")\(number)e\(exponent)")
  }
}
