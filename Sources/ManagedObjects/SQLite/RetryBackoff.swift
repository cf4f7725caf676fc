import SystemLibraries

/// The busy handler's waiting time and back-off.
final class RetryBackoff {
  /// How many seconds to wait for other connections at most.
  var seconds: Double
  private var deadline = 0.0

  init(seconds: Double) { self.seconds = seconds }

  /// Runs a body that waits for other connections for at most some seconds.
  func limiting<Result>(to seconds: Double, _ body: () throws -> Result) rethrows -> Result {
    let usual = self.seconds
    self.seconds = seconds
    defer { self.seconds = usual }
    return try body()
  }

  /// Sleeps for a moment and returns 1; returns 0 when the time is up.
  ///
  /// The pauses are short and random: with SQLite's own steps of up to 100 ms, some of two hundred
  /// concurrent writers would starve.
  func wait(after attempts: Int32) -> Int32 {
    guard seconds > 0 else { return 0 }
    let now = monotonicSeconds()
    if attempts == 0 { deadline = now + seconds }
    guard now < deadline else { return 0 }
    let longest: UInt32 = min(500 << UInt32(min(attempts, 5)), 10_000)
    usleep(UInt32.random(in: 100...longest))
    return 1
  }

  /// Sleeps for a few milliseconds.
  static func pauseBriefly() { usleep(UInt32.random(in: 1_000...5_000)) }
}
