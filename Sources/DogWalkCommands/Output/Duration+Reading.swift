extension Duration {
  /// The duration as people read it: `35 min`, `1 h`, `1 h 15 min`; `45 s` where it is no whole
  /// number of minutes.
  ///
  /// Rounded to the second. `Duration(typed:)` reads it back.
  var reading: String {
    let rounded = (self / .seconds(1)).rounded()
    let seconds = Int(min(max(rounded, -1e15), 1e15))
    let size = abs(seconds)
    let parts = [(size / 3600, "h"), (size / 60 % 60, "min"), (size % 60, "s")]
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    return text.isEmpty ? "0 min" : (seconds < 0 ? "-" : "") + text
  }
}
