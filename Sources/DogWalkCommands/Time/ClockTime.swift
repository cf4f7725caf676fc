import CommandLineKit

/// A time of day, in no time zone: 18:00.
struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since midnight, on a day without a clock change.
  let secondsSinceMidnight: Int

  /// The time so many seconds after midnight.
  init(secondsSinceMidnight: Int) {
    self.secondsSinceMidnight = secondsSinceMidnight
  }

  /// A time by its numbers; `nil` where no clock shows it.
  init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    self.init(secondsSinceMidnight: hour * 3600 + minute * 60 + second)
  }

  /// Hours, 0 to 23.
  var hour: Int { secondsSinceMidnight / 3600 }
  /// Minutes, 0 to 59.
  var minute: Int { secondsSinceMidnight / 60 % 60 }
  /// Seconds, 0 to 59.
  var second: Int { secondsSinceMidnight % 60 }

  /// The time in hours and minutes: `07:30`.
  var description: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2))" }

  /// Whether one time comes before another.
  static func < (left: ClockTime, right: ClockTime) -> Bool {
    left.secondsSinceMidnight < right.secondsSinceMidnight
  }
}
