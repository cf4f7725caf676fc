extension Double {
  /// Returns the number with a fixed number of decimals.
  ///
  ///     (2.345).fixed(1)  // "2.3"
  ///
  /// Statically linked programs have no `String(format:)`.
  func fixed(_ digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int((magnitude * scale).rounded())
    let whole = scaled / Int(scale)
    let sign = self < 0 && scaled != 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(scaled % Int(scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}

extension Duration {
  /// The duration in milliseconds.
  var milliseconds: Double { self / .milliseconds(1) }
}
