import CommandLineKit

/// The form of a point in time as typed, before any calendar lookup.
///
/// `yesterday 25:99` has the form of a time, so it is an invalid time and never a dog.
struct WrittenWhen: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case now
    case day(WrittenDay)
    case clock(WrittenClock)
    case clockOn(WrittenDay, WrittenClock, dayWord: String)
    case dated(WrittenTime)
    case ago(WrittenDuration)
  }

  private let form: Form

  /// The number of words of the longest form, such as `a quarter of an hour ago`.
  static let greatestWordCount = 7

  /// Reads words in lower case; `nil` if they do not have the form of a point in time.
  init?(words: ArraySlice<String>) {
    guard let first = words.first, let last = words.last else { return nil }
    if words.count > 1, last == "ago",
      let duration = WrittenDuration(words: words.dropLast()), !duration.isBareNumber,
      duration.days != nil || duration.isClockTime
    {
      form = .ago(duration)
    } else if words.count == 1, first == "now" {
      form = .now
    } else if words.elementsEqual(["just", "now"]) || words.elementsEqual(["right", "now"]) {
      form = .now
    } else if let clock = WrittenClock(words: words) {
      form = .clock(clock)
    } else if let day = WrittenDay(words: words) {
      form = .day(day)
    } else if words.count == 1, let time = WrittenTime(dated: first) {
      form = .dated(time)
    } else if let (day, clock, dayWord) = Self.dayAndClock(words) {
      form = .clockOn(day, clock, dayWord: dayWord)
    } else {
      return nil
    }
  }

  /// Returns a day before or after a clock time, optionally with `at` or `on` between them.
  private static func dayAndClock(
    _ words: ArraySlice<String>
  ) -> (WrittenDay, WrittenClock, dayWord: String)? {
    guard words.count > 1 else { return nil }
    for split in words.indices.dropFirst() {
      let (before, behind) = (words[..<split], words[split...])
      if let day = WrittenDay(words: before.first == "on" ? before.dropFirst() : before),
        let clock = WrittenClock(words: behind.first == "at" ? behind.dropFirst() : behind)
      {
        return (day, clock, TypedWords.text(of: before))
      }
      if let clock = WrittenClock(words: before),
        let day = WrittenDay(words: behind.first == "on" ? behind.dropFirst() : behind)
      {
        return (day, clock, TypedWords.text(of: behind))
      }
    }
    return nil
  }

  /// The clock time, if it has no day and also has the form of a duration: `1:15`.
  var bareClock: WrittenClock? {
    if case .clock(let clock) = form, clock.isHoursAndMinutes { clock } else { nil }
  }

  /// The clock time, if it has no day: `18:00`, `7pm`, `noon`.
  var clockAlone: WrittenClock? { if case .clock(let clock) = form { clock } else { nil } }

  /// Returns the clock time of a text that consists of one.
  static func clockAlone(_ text: String) -> WrittenClock? {
    WrittenWhen(words: TypedWords(text).lowercased[...])?.clockAlone
  }

  /// Whether it is a day without a time.
  var isDay: Bool { if case .day = form { true } else { false } }

  /// Whether it is a number of days ago, so that its time of day comes from the current time.
  var isDaysAgo: Bool { if case .ago(let duration) = form { duration.days != nil } else { false } }

  /// Returns the point in time.
  ///
  /// - Throws: `ValidationError` if the day or time is invalid.
  func when(clock: WallClock) throws(ValidationError) -> When {
    switch form {
    case .now:
      return .instant(clock.now)
    case .day(let day):
      return .day(try day.day(today: clock.now.day))
    case .dated(let time):
      try time.refuseRange(in: clock.zone)
      return .instant(try time.moment(in: clock.zone))
    case .clock(let written):
      return .instant(try Self.moment(of: written, on: nil, dayWord: nil, clock: clock))
    case .clockOn(let day, let written, let dayWord):
      return .instant(try Self.moment(of: written, on: day, dayWord: dayWord, clock: clock))
    case .ago(let duration):
      if let days = duration.days { return .instant(try clock.moment(daysAgo: days)) }
      let seconds = clock.now.secondsSince1970 - (try duration.seconds())
      let date = Moment(secondsSince1970: seconds, utcOffset: 0).date
      return .instant(clock.zone.moment(at: date))
    }
  }

  /// Returns the moment at which clocks show a time on a day; without a day, the latest one.
  ///
  /// - Parameter dayWord: The day as typed, for errors.
  /// - Throws: `ValidationError` if the day or time is invalid.
  static func moment(
    of written: WrittenClock, on day: WrittenDay?, dayWord: String?, clock: WallClock
  ) throws(ValidationError) -> Moment {
    guard let day else {
      return try clock.last(localTime(of: written), onOrBefore: clock.now.day, step: 1)
    }
    if case .date(let date) = day {
      if written.offset != nil {
        throw ValidationError(
          "\(ValidationError.quoted("\(date.text) \(written.text)")): "
            + "an offset goes with a T before the time",
          hint: "Write \(date.text)T\(written.text.uppercased()).")
      }
      return try WrittenTime(date: date, clock: written).moment(in: clock.zone)
    }
    if written.text == "midnight" {
      let dayWord = dayWord.map { $0 + " " } ?? ""
      throw ValidationError(
        "\(ValidationError.quoted("\(dayWord)midnight")) could be the beginning of the day or its end",
        hint: "Write the day that begins then, as in \(dayWord)0:00.")
    }
    let time = try localTime(of: written)
    let date = try day.day(today: clock.now.day)
    guard day.isWeekday else { return try clock.zone.moment(on: date, at: time) }
    return try clock.last(time, onOrBefore: date, step: 7)
  }

  /// Returns the time of a clock without a date, which may not have seconds or an offset.
  static func localTime(of written: WrittenClock) throws(ValidationError) -> ClockTime {
    let time = try written.time()
    guard !written.hasSeconds, written.offset == nil else {
      // In `7:30-8:00` the text after the hyphen has the form of an offset.
      if WrittenSpan(words: [written.text]) != nil {
        throw ValidationError(
          "\(ValidationError.quoted(written.text)) has two times, and one is wanted",
          hint: "Write \(time).")
      }
      if let repaired = MistypedWord.repaired(written.text) {
        throw ValidationError(
          "\(ValidationError.quoted(written.text)) is not a time", hint: "Write \(repaired).")
      }
      throw ValidationError(
        "\(ValidationError.quoted(written.text)): seconds and offsets go with a date",
        hint: "Write 2026-11-20T\(written.text.uppercased()) or \(time).")
    }
    return time
  }
}

extension WallClock {
  /// Returns the moment at which clocks showed a time on a day, or `step` days before if that is in
  /// the future; in a repeated hour the first of two.
  fileprivate func last(
    _ time: ClockTime, onOrBefore day: CivilDate, step: Int
  ) throws(ValidationError) -> Moment {
    switch zone.occurrences(of: day, at: time) {
    case .once(let moment) where moment.date <= now.date: return moment
    case .twice(first: let moment, second: _) where moment.date <= now.date: return moment
    // A skipped time has passed once the clocks have changed; it is refused.
    case .never(from: let change, to: _) where change.date <= now.date:
      return try zone.moment(on: day, at: time)
    default: return try zone.moment(on: day.adding(days: -step), at: time)
    }
  }

  /// Returns the moment a number of days ago, at the current time of day.
  fileprivate func moment(daysAgo days: Int) throws(ValidationError) -> Moment {
    guard days <= WrittenDay.mostDaysAgo else { throw WrittenDay.tooLongAgo(days) }
    if days == 0 { return now }
    return try zone.moment(on: now.day.adding(days: -days), at: now.time)
  }
}
