import CommandLineKit
import DogWalkModel

/// An offset from UTC as typed after a time: `Z`, `+01:00`.
struct WrittenOffset: Hashable, Sendable {
  private let isEast: Bool
  private let hours: WordScanner.Digits
  private let minutes: WordScanner.Digits?

  /// Reads the rest of a word in lower case; `nil` if it is not an offset.
  init?(from scanner: inout WordScanner) {
    if scanner.take("z") {
      isEast = true
      hours = WordScanner.Digits(value: 0, count: 2)
      minutes = WordScanner.Digits(value: 0, count: 2)
    } else {
      let isEast = scanner.take("+")
      guard isEast || scanner.take("-"), let hours = scanner.digits() else { return nil }
      self.isEast = isEast
      self.hours = hours
      minutes = scanner.take(":") ? scanner.digits() : nil
    }
    guard scanner.isAtEnd else { return nil }
  }

  /// Returns the offset in seconds, positive if clocks are ahead of UTC.
  ///
  /// - Parameter text: The time before it, for the error.
  /// - Throws: `ValidationError` if it has another form, or is greater than any real offset.
  func seconds(in text: String) throws(ValidationError) -> Int {
    guard hours.count == 2, let minutes, minutes.count == 2, minutes.value <= 59,
      hours.value * 60 + minutes.value <= Self.greatest / 60
    else {
      throw ValidationError(
        "the offset in \(ValidationError.quoted(text)) cannot be read",
        hint: "Write 2026-11-20T18:00+01:00 or 2026-11-20T17:00Z.")
    }
    let seconds = hours.value * 3600 + minutes.value * 60
    return isEast ? seconds : -seconds
  }

  /// The time that it would be after a hyphen: 11:00 for `-11:00`; `nil` for `+11:00`, `Z` and
  /// others.
  var asEnd: ClockTime? {
    guard !isEast, hours.count == 2, let minutes, minutes.count == 2 else { return nil }
    return ClockTime(hour: hours.value, minute: minutes.value)
  }

  /// The maximum offset in either direction, in seconds.
  static let greatest = Walk.greatestClockOffset
}
