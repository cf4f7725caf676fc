import CommandLineKit

/// A point in time as people type it: an instant, or a whole day.
///
///     try When("yesterday 18:00", clock: clock)   // .instant(…)
///     try When("mon", clock: clock)               // .day(…)
///
/// A time or weekday without a date is the last one past; now itself counts.
enum When: Hashable, Sendable {
  /// An instant, told by the local clocks or by the offset that was typed.
  case instant(Moment)
  /// A whole day.
  case day(CivilDate)

  /// Reads `now`, `7:30`, `7pm`, `yesterday 18:00`, `mon`, `2026-11-20T07:30Z` or `3 days ago`.
  ///
  /// - Parameter forms: What the error says to write, without the full stop.
  /// - Throws: `ValidationError` naming the part that cannot be read, with two forms that can; also
  ///   for days and times that do not exist, and local times that a clock change skipped.
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

  /// The instant, where a walk's start is asked for.
  ///
  /// - Parameter text: What was typed, for the error.
  /// - Throws: `ValidationError` for a whole day.
  func start(typed text: String) throws(ValidationError) -> Moment {
    switch self {
    case .instant(let moment): return moment
    case .day: throw Self.complaint(aboutDay: text)
    }
  }

  /// The refusal of a day where a time is wanted.
  static func complaint(aboutDay text: String) -> ValidationError {
    ValidationError(
      "\(ValidationError.quoted(text)) is a whole day: a walk starts at a time",
      hint: "Write \(text.escapingControls) 18:00 or 2h ago.")
  }
}
