import CommandLineKit

/// How long a way took: seconds and metres that belong together.
struct Pace: Hashable, Sendable {
  /// How long.
  let seconds: Double
  /// How far.
  let metres: Double

  /// The pace as people read it, `14:20 min/km`; `nil` where that says nothing.
  var reading: String? {
    guard metres >= 1, seconds > 0 else { return nil }
    let perKilometre = (seconds / metres * 1000).rounded()
    // Slower than ten hours a kilometre is no pace.
    guard perKilometre < 36_000 else { return nil }
    let whole = perKilometre.wholeSeconds
    return "\(whole / 60):\((whole % 60).padded(to: 2)) min/km"
  }
}
