import CommandLineKit
import DogWalkModel

/// An offset from UTC as typed behind a time: `Z`, `+01:00`.
struct WrittenOffset: Hashable, Sendable {
  private let isEast: Bool
  private let hours: WordScanner.Digits
  private let minutes: WordScanner.Digits?

  /// Reads the rest of a word in lower case; `nil` where it is something else.
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

  /// The offset in seconds, positive where clocks are ahead of UTC.
  ///
  /// - Parameter text: The time it stands behind, for the error.
  /// - Throws: `ValidationError` where it is written otherwise or farther away than anyone lives.
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

  /// The greatest offset either way that is accepted, in seconds.
  static let greatest = Walk.greatestClockOffset
}
