import SystemLibraries

/// An instant, and the UTC offset of the clock it is told by; a walk's start is one.
///
///     let moment = Moment(date: date, utcOffset: 3600)
///     moment.day       // the day the walk belongs to
///     moment.iso8601   // "2026-11-20T18:00:00+01:00"
struct Moment: Hashable, Sendable {
  /// The instant.
  let date: Date
  /// How far the clock is ahead of UTC, in seconds.
  let utcOffset: Int

  /// An instant told by a clock.
  init(date: Date, utcOffset: Int) {
    self.date = date
    self.utcOffset = utcOffset
  }

  /// What a calendar and a clock of that offset show.
  init(day: CivilDate, time: ClockTime, utcOffset: Int) {
    let seconds = day.daysSince1970 * 86_400 + time.secondsSinceMidnight - utcOffset
    self.init(secondsSince1970: seconds, utcOffset: utcOffset)
  }

  /// An instant by its whole seconds.
  init(secondsSince1970: Int, utcOffset: Int) {
    self.init(
      date: Date(timeIntervalSince1970: Double(secondsSince1970)), utcOffset: utcOffset)
  }

  /// Whole seconds since 1970, rounded down.
  var secondsSince1970: Int { date.wholeSecondsSince1970 }

  /// The day that the clock's calendar shows.
  var day: CivilDate {
    let seconds = secondsSince1970 + utcOffset
    return CivilDate(daysSince1970: seconds.flooredDivision(by: 86_400).quotient)
  }

  /// The time that the clock shows.
  var time: ClockTime {
    let seconds = secondsSince1970 + utcOffset
    return ClockTime(secondsSinceMidnight: seconds.flooredDivision(by: 86_400).remainder)
  }

  /// The moment so many seconds later by a clock of the same offset.
  func adding(seconds: Double) -> Moment {
    Moment(date: date.addingTimeInterval(seconds), utcOffset: utcOffset)
  }
}

extension Date {
  /// Whole seconds since 1970, rounded down.
  ///
  /// Dates beyond thirty million years are held at that limit.
  var wholeSecondsSince1970: Int {
    timeIntervalSince1970.wholeSeconds
  }
}

extension Double {
  /// The seconds rounded down, and held within thirty million years, which no clock can show.
  var wholeSeconds: Int {
    // What is no number is not above the lower limit.
    self > -1e15 ? Int(Swift.min(rounded(.down), 1e15)) : -1_000_000_000_000_000
  }
}
