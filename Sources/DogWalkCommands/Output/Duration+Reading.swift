extension Duration {
  /// The duration as shown to people: `35 min`, `1 h`, `1 h 15 min`; with seconds if they are not
  /// zero.
  ///
  /// Rounded to the second. `Duration(typed:)` reads it back.
  var reading: String {
    let seconds = (self / .seconds(1)).rounded().wholeSeconds
    let size = abs(seconds)
    var text = ""
    for (amount, unit) in [(size / 3600, "h"), (size / 60 % 60, "min"), (size % 60, "s")]
    where amount > 0 {
      text += text.isEmpty ? "\(amount) \(unit)" : " \(amount) \(unit)"
    }
    return text.isEmpty ? "0 min" : (seconds < 0 ? "-" : "") + text
  }

  /// Returns a number of seconds rounded down to minutes, so that a goal missed by seconds counts
  /// as missed.
  static func wholeMinutes(_ seconds: Double) -> Duration {
    .seconds((seconds / 60).rounded(.down) * 60)
  }

  /// Returns a sum as shown to people: whole minutes, as in a report, unless it is less than one.
  static func total(_ seconds: Double) -> Duration {
    seconds < 60 ? .seconds(seconds) : wholeMinutes(seconds)
  }
}
