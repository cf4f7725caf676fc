extension Duration {
  /// The duration as people read it: `35 min`, `1 h`, `1 h 15 min`; `45 s` where it is no whole
  /// number of minutes.
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

  /// The whole minutes of so many seconds, rounded down, so that what is missed by seconds is
  /// missed.
  static func wholeMinutes(_ seconds: Double) -> Duration {
    .seconds((seconds / 60).rounded(.down) * 60)
  }

  /// A sum as people read it: whole minutes, as in a report, unless it is less than one.
  static func total(_ seconds: Double) -> Duration {
    seconds < 60 ? .seconds(seconds) : wholeMinutes(seconds)
  }
}
