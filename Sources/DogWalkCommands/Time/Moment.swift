import SystemLibraries

/// An instant, and the UTC offset of the clock that shows it, such as the start of a walk.
///
///     let moment = Moment(date: date, utcOffset: 3600)
///     moment.day       // the day the walk belongs to
///     moment.iso8601   // "2026-11-20T18:00:00+01:00"
struct Moment: Hashable, Sendable {
  /// The instant.
  let date: Date
  /// The clock's offset from UTC in seconds, positive if it is ahead.
  let utcOffset: Int

  /// Creates a moment from an instant and a clock's offset.
  init(date: Date, utcOffset: Int) {
    self.date = date
    self.utcOffset = utcOffset
  }

  /// Creates a moment from the day and time that a clock with an offset shows.
  init(day: CivilDate, time: ClockTime, utcOffset: Int) {
    let seconds = day.daysSince1970 * 86_400 + time.secondsSinceMidnight - utcOffset
    self.init(secondsSince1970: seconds, utcOffset: utcOffset)
  }

  /// Creates a moment from whole seconds since 1970.
  init(secondsSince1970: Int, utcOffset: Int) {
    self.init(
      date: Date(timeIntervalSince1970: Double(secondsSince1970)), utcOffset: utcOffset)
  }

  /// The seconds since 1970, rounded down.
  var secondsSince1970: Int { date.wholeSecondsSince1970 }

  /// The day in the clock's calendar.
  var day: CivilDate {
    let seconds = secondsSince1970 + utcOffset
    return CivilDate(daysSince1970: seconds.flooredDivision(by: 86_400).quotient)
  }

  /// The time that the clock shows.
  var time: ClockTime {
    let seconds = secondsSince1970 + utcOffset
    return ClockTime(secondsSinceMidnight: seconds.flooredDivision(by: 86_400).remainder)
  }

  /// Returns the moment a number of seconds later, with the same offset.
  func adding(seconds: Double) -> Moment {
    Moment(date: date.addingTimeInterval(seconds), utcOffset: utcOffset)
  }
}

extension Date {
  /// The seconds since 1970, rounded down.
  ///
  /// Dates beyond thirty million years are held at that limit.
  var wholeSecondsSince1970: Int {
    timeIntervalSince1970.wholeSeconds
  }
}

extension Double {
  /// The seconds rounded down, and limited to thirty million years, far beyond any calendar.
  var wholeSeconds: Int {
    // NaN is not above the lower limit.
    self > -1e15 ? Int(Swift.min(rounded(.down), 1e15)) : -1_000_000_000_000_000
  }
}
