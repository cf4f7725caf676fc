import CommandLineKit
import DogWalkModel

/// The checked values of a walk from options, shared by `add`, `edit`, `start` and `stop`.
///
/// For `edit` an empty value removes the field; see `isGone(_:)`.
struct WalkValues {
  private let values: ArgumentValues

  /// Creates the values from those of a run.
  init(_ values: ArgumentValues) {
    self.values = values
  }

  /// Returns whether an option was given at all.
  func isGiven(_ option: Option) -> Bool { values.contains(option) }

  /// Returns whether an option was given with an empty value: `--note=`.
  func isGone(_ option: Option) -> Bool { values[option].map(\.isEmpty) ?? false }

  /// Returns the distance in metres from the text after `--distance`.
  static func distance(typed text: String?) throws(ValidationError) -> Double? {
    guard let typed = text else { return nil }
    let metres = try Distance(typed: typed).metres
    guard metres > 0 else {
      throw ValidationError(
        "a distance cannot be \(typed.escapingControls)",
        hint: "Write 2.4km, or leave --distance out.")
    }
    return metres
  }

  /// Returns the note.
  func note() throws(ValidationError) -> String? {
    guard let typed = values[.note] else { return nil }
    return try TypedText.note(typed)
  }

  /// Returns the walker.
  func walker() throws(ValidationError) -> String? {
    guard let typed = values[.by] else { return nil }
    return try TypedText.name(typed, of: "the walker")
  }

  /// Returns the count of `--pee` or `--poo`; 1 if no number follows.
  func count(_ option: Option) throws(ValidationError) -> Int? {
    guard values.contains(option) else { return nil }
    guard let typed = values[option] else { return 1 }
    guard let count = Int(typed), (0...99).contains(count) else {
      throw ValidationError(
        "--\(option.name) cannot be \(ValidationError.quoted(typed))",
        hint: "Write --\(option.name), or --\(option.name)=2: up to 99.")
    }
    return count
  }

  /// Returns a length in seconds, which must be positive.
  static func seconds(_ duration: Duration) throws(ValidationError) -> Double {
    let seconds = Double(duration.components.seconds)
    guard seconds > 0 else {
      throw ValidationError(
        "a walk cannot take \(duration.reading)",
        hint: "Write 35m, or leave the duration out if you don't know it.")
    }
    guard seconds < mostSeconds else {
      throw ValidationError(
        "a walk of \(duration.reading) is too long", hint: "Write 35m, or two times, 18:00-18:40.")
    }
    return seconds
  }

  /// The maximum length of a walk, typed or imported: a million hours.
  static let mostSeconds = 3_600_000_000.0

  /// Throws if a walk begins or ends in the future, or begins before the calendar does.
  ///
  /// - Parameters:
  ///   - walk: How the message refers to the walk.
  ///   - beginHint: The hint if the start is in the future.
  ///   - endHint: The hint if the end is.
  static func refuseImpossible(
    _ start: Moment, seconds: Double?, clock: WallClock, of walk: String = "that walk",
    beginHint: String = "Write a walk down when it is over.",
    endHint: String = "Leave the time out for a walk that ends now, or the duration if it is "
      + "not over."
  ) throws(ValidationError) {
    let now = clock.now
    guard start.date.inCalendar != nil else {
      throw start.date > now.date
        ? ValidationError("\(start.day) is in the future", hint: beginHint)
        : ValidationError("\(start.day) is too long ago", hint: "Write a later day.")
    }
    // Shown in local time, whatever offset was typed.
    if start.date > now.date {
      let begin = clock.zone.moment(at: start.date)
      throw ValidationError(
        "\(begin.fullReading(now: now)) is still to come: now it is \(now.fullReading(now: now))",
        hint: beginHint)
    }
    let end = start.adding(seconds: seconds ?? 0)
    if end.date > now.date {
      let reading = clock.zone.moment(at: end.date).reading(now: now)
      throw ValidationError(
        "\(walk) would end \(reading), and now it is \(now.time.reading)", hint: endHint)
    }
  }
}
