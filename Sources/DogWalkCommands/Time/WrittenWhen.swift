import CommandLineKit

/// A point in time as typed, by its form alone: nothing is looked up in a calendar yet.
///
/// `yesterday 25:99` has the form of a time and so is one, a wrong one; it is never a dog.
struct WrittenWhen: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case now
    case day(WrittenDay)
    case clock(WrittenClock)
    case clockOn(WrittenDay, WrittenClock, dayWord: String)
    case dated(WrittenTime)
    case ago(WrittenDuration)
    /// `18:00 yesterday`, which is refused with the right order.
    case backwards(WrittenClock, dayWord: String)
  }

  private let form: Form

  /// The longest form, `1 h 15 min 30 s ago`, in words.
  static let greatestWordCount = 7

  /// Reads words in lower case; `nil` where they do not have the form of a point in time.
  init?(words: ArraySlice<String>) {
    guard let first = words.first, let last = words.last else { return nil }
    if words.count > 1, last == "ago" {
      guard let duration = WrittenDuration(words: words.dropLast()), !duration.isBareNumber,
        duration.days != nil || duration.isClockTime
      else { return nil }
      form = .ago(duration)
    } else if words.count == 2 {
      if let day = WrittenDay(first), let clock = WrittenClock(last) {
        form = .clockOn(day, clock, dayWord: first)
      } else if let clock = WrittenClock(first), WrittenDay(last) != nil {
        form = .backwards(clock, dayWord: last)
      } else {
        return nil
      }
    } else if words.count > 1 {
      return nil
    } else if first == "now" {
      form = .now
    } else if let day = WrittenDay(first) {
      form = .day(day)
    } else if let clock = WrittenClock(first) {
      form = .clock(clock)
    } else if let time = WrittenTime(dated: first) {
      form = .dated(time)
    } else {
      return nil
    }
  }

  /// The clock time, where it stands alone and has the form of a duration too: `1:15`.
  var bareClock: WrittenClock? {
    if case .clock(let clock) = form, clock.isHoursAndMinutes { clock } else { nil }
  }

  /// The point in time.
  ///
  /// - Throws: `ValidationError` where there is no such day or time.
  func when(clock: WallClock) throws(ValidationError) -> When {
    switch form {
    case .now:
      return .instant(clock.now)
    case .day(let day):
      return .day(try day.day(today: clock.now.day))
    case .dated(let time):
      return .instant(try time.moment(in: clock.zone))
    case .clock(let written):
      let time = try Self.localTime(of: written)
      return .instant(try clock.last(time, onOrBefore: clock.now.day, step: 1))
    case .clockOn(.date(let date), let written, _):
      return .instant(try WrittenTime(date: date, clock: written).moment(in: clock.zone))
    case .clockOn(let day, let written, let dayWord):
      let time = try Self.localTime(of: written, on: dayWord)
      let date = try day.day(today: clock.now.day)
      guard day.isWeekday else { return .instant(try clock.zone.moment(on: date, at: time)) }
      return .instant(try clock.last(time, onOrBefore: date, step: 7))
    case .ago(let duration):
      if let days = duration.days { return .instant(try clock.moment(daysAgo: days)) }
      let seconds = clock.now.secondsSince1970 - (try duration.seconds())
      let date = Moment(secondsSince1970: seconds, utcOffset: 0).date
      return .instant(clock.zone.moment(at: date))
    case .backwards(let written, let dayWord):
      // What is no time behind a day either has another hint.
      _ = try Self.localTime(of: written, on: dayWord)
      throw ValidationError(
        "\(ValidationError.quoted("\(written.text) \(dayWord)")): the day goes before the time",
        hint: "Write \(dayWord) \(written.text).")
    }
  }

  /// The time of a clock that stands without a date, where seconds and offsets have no place.
  private static func localTime(
    of written: WrittenClock, on dayWord: String? = nil
  ) throws(ValidationError) -> ClockTime {
    let time = try written.time()
    guard !written.hasSeconds, written.offset == nil else {
      // What follows the dash of `7:30-8:00` has the form of an offset.
      if let span = WordSlip.span(written.text, on: dayWord) {
        throw ValidationError(
          "\(ValidationError.quoted(written.text)) is no time: no end is written", hint: span)
      }
      throw ValidationError(
        "\(ValidationError.quoted(written.text)): seconds and offsets go with a date",
        hint: "Write 2026-11-20T\(written.text.uppercased()) or \(time).")
    }
    return time
  }
}

extension WallClock {
  /// The last moment, now included, at which the clocks showed a time on a day or some days before.
  fileprivate func last(
    _ time: ClockTime, onOrBefore day: CivilDate, step: Int
  ) throws(ValidationError) -> Moment {
    let isPast =
      switch zone.occurrences(of: day, at: time) {
      case .once(let moment), .twice(first: let moment, second: _): moment.date <= now.date
      // Skipped: past once the clocks have gone over it.
      case .never(from: let change, to: _): change.date <= now.date
      }
    return try zone.moment(on: isPast ? day : day.adding(days: -step), at: time)
  }

  /// The moment some days ago at which the clocks showed what they show now.
  fileprivate func moment(daysAgo days: Int) throws(ValidationError) -> Moment {
    guard days <= 36_525 else {
      throw ValidationError("\(days) days ago is too long ago", hint: "Write 3 days ago or 2h ago.")
    }
    if days == 0 { return now }
    return try zone.moment(on: now.day.adding(days: -days), at: now.time)
  }
}
