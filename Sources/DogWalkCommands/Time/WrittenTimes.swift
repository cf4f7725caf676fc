import CommandLineKit

/// A clock time as typed, or a start and an end, without a day: `18:00`, `18:00-18:40`.
struct WrittenTimes: Hashable, Sendable {
  /// The time of day of the start.
  let startTime: ClockTime
  /// The seconds from start to end on a day without a clock change; `nil` if there is no end.
  let length: Int?
  private let start: WrittenClock
  private let end: WrittenClock?

  /// Creates a start, and an end if one was typed.
  ///
  /// - Throws: `ValidationError` if a time is invalid, the start has seconds or an offset, or one
  ///   has am or pm and the other is ambiguous.
  init(start: WrittenClock, end: WrittenClock? = nil) throws(ValidationError) {
    self.start = start
    self.end = end
    let time = try WrittenWhen.localTime(of: start)
    startTime = time
    let anyDay = CivilDate(daysSince1970: 0)
    length = try end.map { end throws(ValidationError) in
      try Self.seconds(
        from: Moment(day: anyDay, time: time, utcOffset: 0), start.text, to: end, in: .fixed(0))
    }
    if let end, let length, length > 12 * 3600, start.isOfUnknownHalf(beside: end) {
      throw Self.unknownHalf(start, end, seconds: length)
    }
  }

  /// Returns the error about `8:00-9pm`, which may begin in the morning or an hour before its end.
  private static func unknownHalf(
    _ start: WrittenClock, _ end: WrittenClock, seconds: Int
  ) -> ValidationError {
    func pair(_ half: String) -> String {
      let texts = [start, end].map { clock in
        clock.text.filter { $0 != " " } + (clock.hasHalf ? "" : half)
      }
      return texts.joined(separator: "-")
    }
    let readings = [seconds, seconds - 12 * 3600].map { Duration.seconds(Double($0)).reading }
    return ValidationError(
      "from \(start.text) to \(end.text) could be \(readings[0]) or \(readings[1])",
      hint: "Write \(pair("am")) or \(pair("pm")).")
  }

  /// Returns the start on the day of a moment, or the latest one if that is `nil`, and the length.
  ///
  /// Of two occurrences during a clock change, it takes the one in the same hour as the moment,
  /// else the first.
  ///
  /// - Throws: `ValidationError` if there is no such time.
  func moments(
    onDayOf moment: Moment?, clock: WallClock
  ) throws(ValidationError) -> (start: Moment, seconds: Int?) {
    let begin: Moment
    if let moment {
      let isSecond =
        clock.zone.secondOccurrence(of: moment.day, at: moment.time)?.secondsSince1970
        == moment.secondsSince1970
      let second = isSecond ? clock.zone.secondOccurrence(of: moment.day, at: startTime) : nil
      if let second {
        begin = second
      } else {
        begin = try clock.zone.moment(on: moment.day, at: startTime)
      }
    } else {
      begin = try WrittenWhen.moment(of: start, on: nil, dayWord: nil, clock: clock)
    }
    guard let end else { return (begin, nil) }
    return (begin, try Self.seconds(from: begin, start.text, to: end, in: clock.zone))
  }

  /// Returns the seconds from a start to an end, which is on the next day if its time is earlier.
  ///
  /// Of two occurrences during a clock change, it takes the first after the start.
  ///
  /// - Throws: `ValidationError` if there is no such end, or if it equals the start.
  static func seconds(
    from begin: Moment, _ text: String, to end: WrittenClock, in zone: LocalZone
  ) throws(ValidationError) -> Int {
    let time = try end.time()
    if time != begin.time, let second = zone.secondOccurrence(of: begin.day, at: time),
      second.date > begin.date, try zone.moment(on: begin.day, at: time).date < begin.date
    {
      return try seconds(from: begin, text, to: second, end.text)
    }
    let isNextDay = time < begin.time
    let finish = try zone.moment(on: begin.day.adding(days: isNextDay ? 1 : 0), at: time)
    return try seconds(from: begin, text, to: finish, end.text)
  }

  /// Returns the seconds from one moment to a later one.
  ///
  /// - Throws: `ValidationError` if it is not later.
  static func seconds(
    from begin: Moment, _ beginText: String, to finish: Moment, _ finishText: String
  ) throws(ValidationError) -> Int {
    let seconds = finish.secondsSince1970 - begin.secondsSince1970
    guard seconds > 0 else {
      throw ValidationError(
        "from \(beginText) to \(finishText) has no duration",
        hint: "Write the later time after the earlier one, as in 18:00-18:40.")
    }
    return seconds
  }
}
