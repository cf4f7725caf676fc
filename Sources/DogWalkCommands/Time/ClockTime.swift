import CommandLineKit

/// A time of day without a time zone: 18:00.
struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since midnight, on a day without a clock change.
  let secondsSinceMidnight: Int

  /// Creates the time a number of seconds after midnight.
  init(secondsSinceMidnight: Int) {
    self.secondsSinceMidnight = secondsSinceMidnight
  }

  /// Creates a time from its components; `nil` if there is no such time.
  init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    self.init(secondsSinceMidnight: hour * 3600 + minute * 60 + second)
  }

  /// The hour, 0 to 23.
  var hour: Int { secondsSinceMidnight / 3600 }
  /// The minute, 0 to 59.
  var minute: Int { secondsSinceMidnight / 60 % 60 }
  /// The second, 0 to 59.
  var second: Int { secondsSinceMidnight % 60 }

  /// The hours and minutes, without seconds: `07:30`.
  var description: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2))" }

  /// Returns whether one time is before another.
  static func < (left: ClockTime, right: ClockTime) -> Bool {
    left.secondsSinceMidnight < right.secondsSinceMidnight
  }
}
