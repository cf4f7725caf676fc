extension Double {
  /// The number in the fewest digits that read back as the same, without `.0`: `35`, `1.5`.
  package var shortest: String {
    if let whole = Int64(exactly: self) { return String(whole) }
    return description
  }

  /// The number rounded to so many decimals, without zeros at the end: `2.4`, `35`.
  package func rounded(toDecimals decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    return ((self * scale).rounded() / scale).shortest
  }
}
