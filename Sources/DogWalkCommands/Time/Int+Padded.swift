extension Int {
  /// Returns the number with leading zeros up to a number of digits.
  func padded(to digits: Int) -> String {
    let text = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
    return (self < 0 ? "-" : "") + zeros + text
  }

  /// Returns the quotient rounded down, and the remainder, which is never negative.
  func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
