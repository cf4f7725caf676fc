import CommandLineKit

/// The speed of walks: the seconds and metres that belong together.
struct Pace: Hashable, Sendable {
  /// The time in seconds.
  let seconds: Double
  /// The distance in metres.
  let metres: Double

  /// The pace as shown to people, `14:20 min/km` or `min/mi`; `nil` if it is meaningless.
  var reading: String? {
    guard metres >= 1, seconds > 0 else { return nil }
    let hasMiles = ReadingStyle.current.hasMiles
    let perUnit = (seconds / metres * (hasMiles ? Distance.metresOfMile : 1000)).rounded()
    // Slower than ten hours a kilometre is not a pace.
    guard perUnit < 36_000 else { return nil }
    let whole = perUnit.wholeSeconds
    return "\(whole / 60):\((whole % 60).padded(to: 2)) min/\(hasMiles ? "mi" : "km")"
  }
}
