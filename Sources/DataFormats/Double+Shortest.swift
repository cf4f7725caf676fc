extension Double {
  /// The fewest digits that read back as the same number, without `.0`: `35`, `1.5`.
  package var shortest: String {
    if let whole = Int64(exactly: self) { return String(whole) }
    return description
  }

  /// The number rounded to a number of decimals, without trailing zeros: `2.4`, `35`.
  package func rounded(toDecimals decimals: Int) -> String {
    var text: [UInt8] = []
    text.append(self, roundedToDecimals: decimals)
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number in the format of `rounded(toDecimals:)`.
  package mutating func append(_ number: Double, roundedToDecimals decimals: Int) {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (number * scale).rounded()
    // A decimal with at most 15 digits is the shortest text of the nearest `Double`. With at most 4
    // decimals no exponent is needed.
    guard scaled.magnitude < 1e15, decimals <= 4 else { return append((scaled / scale).shortest) }
    var (whole, fraction) = Int(scaled.magnitude).quotientAndRemainder(dividingBy: Int(scale))
    if scaled < 0 { append(ascii: "-") }
    append(decimal: whole)
    guard fraction > 0 else { return }
    var digits = decimals
    while fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    append(ascii: ".")
    append(decimal: fraction, digits: digits)
  }
}
