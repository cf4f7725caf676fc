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
      throw WrittenWhen.complaint(about: words, forms: forms)
    }
    self = try written.when(clock: clock)
  }

  /// Returns the instant, for the start of a walk.
  ///
  /// - Parameter text: The typed text, for the error.
  /// - Throws: `ValidationError` for a whole day.
  func start(typed text: String) throws(ValidationError) -> Moment {
    switch self {
    case .instant(let moment): return moment
    case .day: throw Self.complaint(aboutDay: text)
    }
  }

  /// Returns the error about a day where a time is required.
  ///
  /// - Parameter dog: The dog of the same name, if there is one.
  static func complaint(aboutDay text: String, orDog dog: String? = nil) -> ValidationError {
    let option = dog.map { "; for the dog, \($0.shellValue(of: "dog"))" } ?? ""
    return ValidationError(
      "\(ValidationError.quoted(text)) is a whole day: a walk starts at a time",
      hint: "Write \(text.escapingControls) 18:00 or 2h ago\(option).")
  }
}
