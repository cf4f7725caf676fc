import CommandLineKit

/// How long a way took: seconds and metres that belong together.
struct Pace: Hashable, Sendable {
  /// How long.
  let seconds: Double
  /// How far.
  let metres: Double

  /// The pace as people read it, `14:20 min/km` or `min/mi`; `nil` where that says nothing.
  var reading: String? {
    guard metres >= 1, seconds > 0 else { return nil }
    let hasMiles = ReadingStyle.current.hasMiles
    let perUnit = (seconds / metres * (hasMiles ? Distance.metresOfMile : 1000)).rounded()
    // Slower than ten hours a kilometre is no pace.
    guard perUnit < 36_000 else { return nil }
    let whole = perUnit.wholeSeconds
    return "\(whole / 60):\((whole % 60).padded(to: 2)) min/\(hasMiles ? "mi" : "km")"
  }
}
