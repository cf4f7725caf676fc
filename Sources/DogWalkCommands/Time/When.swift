import CommandLineKit

/// A point in time as people type it: an instant or a whole day.
///
///     try When("yesterday 18:00", clock: clock)   // .instant(…)
///     try When("mon", clock: clock)               // .day(…)
///
/// A time or weekday without a date means the latest one up to and including now.
enum When: Hashable, Sendable {
  /// An instant, with the local or the typed offset.
  case instant(Moment)
  /// A whole day.
  case day(CivilDate)

  /// Reads `now`, `7:30`, `7pm`, `yesterday 18:00`, `mon`, `2026-11-20T07:30Z` or `3 days ago`.
  ///
  /// - Parameter forms: The hint for errors, without the full stop.
  /// - Throws: `ValidationError` that names the part that cannot be read, with two valid forms;
  ///   also for days and times that do not exist, and local times that a clock change skipped.
  init(
    _ text: String, clock: WallClock, forms: String = WrittenWhen.startForms
  ) throws(ValidationError) {
    let words = TypedWords(text)
    guard let written = WrittenWhen(words: words.lowercased[...]) else {
      try WrittenWhen.refuseMonthNames(in: words.lowercased)
      throw WrittenWhen.complaint(about: words, forms: forms, clock: clock)
    }
    self = try written.when(clock: clock)
  }

  /// Returns the instant, for the start of a walk.
  ///
  /// - Parameters:
  ///   - text: The typed text, for the error.
  ///   - clock: The clock that tells which times have passed, for its hint.
  /// - Throws: `ValidationError` for a whole day.
  func start(typed text: String, clock: WallClock) throws(ValidationError) -> Moment {
    switch self {
    case .instant(let moment): return moment
    case .day: throw Self.complaint(aboutDay: text, clock: clock)
    }
  }

  /// Returns the error about a day where a time is required.
  ///
  /// - Parameters:
  ///   - dog: The dog of the same name, if there is one.
  ///   - clock: The clock that tells which times have passed, for the hint.
  static func complaint(
    aboutDay text: String, orDog dog: String? = nil, clock: WallClock
  ) -> ValidationError {
    let day = try? WrittenDay(words: TypedWords(text).lowercased[...])?.day(today: clock.now.day)
    let time = day.flatMap { clock.passedTime(on: $0) }
    let example = time.map { "\(text.escapingControls) \($0) or " } ?? ""
    let option = dog.map { "; for the dog, \($0.shellValue(of: "dog"))" } ?? ""
    return ValidationError(
      "\(ValidationError.quoted(text)) is a whole day: a walk starts at a time",
      hint: "Write \(example)2h ago\(option).")
  }
}

extension WallClock {
  /// Returns a time of a day that has passed, for hints: the usual one, else about an hour ago.
  ///
  /// At 10:10 that is 9:00, a quarter hour. `nil` if the day has just begun, or is still to come.
  func passedTime(on day: CivilDate, usual: String = "18:00") -> String? {
    guard day == now.day else { return day < now.day ? usual : nil }
    let time = try? WrittenClock(usual)?.time()
    if let time, time <= now.time { return usual }
    let seconds = now.time.secondsSinceMidnight - 3600
    guard seconds >= 0 else { return nil }
    let quarters = seconds / 900
    return "\(quarters / 4):\((quarters % 4 * 15).padded(to: 2))"
  }
}
