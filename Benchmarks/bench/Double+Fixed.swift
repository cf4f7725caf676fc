extension Double {
  /// The number with so many digits behind the point.
  ///
  ///     (2.345).fixed(1)  // "2.3"
  ///
  /// Static builds have no `String(format:)`.
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
  /// How long it is, in milliseconds.
  var milliseconds: Double { self / .milliseconds(1) }
}
