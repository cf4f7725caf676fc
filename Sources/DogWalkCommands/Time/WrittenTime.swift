import CommandLineKit

/// A date and a clock time as typed: `2026-11-20 7:30`, `2026-11-20T07:30:15+01:00`.
struct WrittenTime: Hashable, Sendable {
  private let date: WrittenDate
  private let clock: WrittenClock

  /// Creates a time from a date and a clock time.
  init(date: WrittenDate, clock: WrittenClock) {
    self.date = date
    self.clock = clock
  }

  /// Reads a date and a time separated by a `T` or a space; `nil` for any other form.
  init?(dated text: String) {
    let word = text.lowercased()
    guard let split = word.firstIndex(where: { $0 == "t" || $0 == " " }),
      let date = WrittenDate(word[..<split]),
      let clock = WrittenClock(word[word.index(after: split)...])
    else { return nil }
    self.init(date: date, clock: clock)
  }

  /// Returns the moment in its own offset, else in the zone.
  ///
  /// - Throws: `ValidationError` if the day or time is invalid.
  func moment(in zone: LocalZone) throws(ValidationError) -> Moment {
    let day = try date.civilDate()
    let time = try clock.time()
    guard let offset = clock.offset else { return try zone.moment(on: day, at: time) }
    let seconds = try offset.seconds(in: "\(date.text)t\(clock.text)".uppercased())
    return Moment(day: day, time: time, utcOffset: seconds)
  }

  /// Throws for `2026-11-20T10:00-11:00`, which may be a start and an end.
  ///
  /// Accepted are an offset that the zone has at that time, one that is no later time of the day,
  /// and a time with seconds.
  func refuseRange(in zone: LocalZone) throws(ValidationError) {
    guard let offset = clock.offset, !clock.hasSeconds, let end = offset.asEnd else { return }
    let day = try date.civilDate()
    let start = try clock.time()
    guard end > start else { return }
    let text = "\(date.text)T\(clock.text.uppercased())"
    let range = "\(day) \(start)-\(end)"
    guard let seconds = try? offset.seconds(in: text) else {
      throw ValidationError(
        "\(ValidationError.quoted(text)) has a T, and a start and an end have none",
        hint: "Write \(range).")
    }
    guard !zone.offsets(of: day, at: start).contains(seconds) else { return }
    throw ValidationError(
      "\(ValidationError.quoted(text)) could be a start and an end, or a time with its offset",
      hint: "Write \(range) for the one, or \(day)T\(start):00\(text.suffix(6)) for the other.")
  }
}

extension LocalZone {
  /// Returns the offsets from UTC, in seconds, with which the clocks show a day and time.
  fileprivate func offsets(of day: CivilDate, at time: ClockTime) -> [Int] {
    switch occurrences(of: day, at: time) {
    case .once(let moment): [moment.utcOffset]
    case .twice(first: let first, second: let second): [first.utcOffset, second.utcOffset]
    case .never: []
    }
  }

  /// Returns the second moment at which the clocks show a day and time; `nil` if there are not two.
  func secondOccurrence(of day: CivilDate, at time: ClockTime) -> Moment? {
    if case .twice(_, let second) = occurrences(of: day, at: time) { second } else { nil }
  }

  /// Returns the moment at which the clocks show a day and time; of two, the first.
  ///
  /// - Throws: `ValidationError` if a clock change skipped it.
  func moment(on day: CivilDate, at time: ClockTime) throws(ValidationError) -> Moment {
    switch occurrences(of: day, at: time) {
    case .once(let moment), .twice(first: let moment, second: _):
      return moment
    case .never(let from, let to):
      let change =
        from.day == to.day
        ? "the clocks went from \(from.time) to \(to.time)"
        : "the clocks went from \(from.day) \(from.time) to \(to.day) \(to.time)"
      throw ValidationError(
        "there was no \(time) on \(day): \(change)",
        hint: "Write \(to.day) \(to.time), or the time with its offset, as in \(to.iso8601).")
    }
  }
}
