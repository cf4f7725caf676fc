import CommandLineKit
import Testing

@testable import DogWalkCommands

@Suite struct `WHEN` {
  let clock: WallClock

  init() throws {
    clock = try .berlin("2026-11-23T18:00:00Z")  // Monday, 19:00
  }

  func iso(_ text: String, _ clock: WallClock? = nil) throws -> String {
    let clock = clock ?? self.clock
    return try When(text, clock: clock).start(typed: text, clock: clock).iso8601
  }

  func message(_ text: String) -> String {
    do {
      return "accepted: \(try When(text, clock: clock))"
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("now", "2026-11-23T19:00:00+01:00"),
    ("18:59", "2026-11-23T18:59:00+01:00"),
    ("19:00", "2026-11-23T19:00:00+01:00"),
    ("19:01", "2026-11-22T19:01:00+01:00"),
    ("7:30pm", "2026-11-22T19:30:00+01:00"),
    ("mon 18:00", "2026-11-23T18:00:00+01:00"),
    ("mon 20:00", "2026-11-16T20:00:00+01:00"),
    ("MONDAY 7PM", "2026-11-23T19:00:00+01:00"),
    ("thurs 18:00", "2026-11-19T18:00:00+01:00"),
    ("today 23:00", "2026-11-23T23:00:00+01:00"),
    ("2026-11-20 7:30", "2026-11-20T07:30:00+01:00"),
    ("2026-11-20T07:30:15", "2026-11-20T07:30:15+01:00"),
    ("2026-11-20 7:30pm", "2026-11-20T19:30:00+01:00"),
    ("2026-11-20T07:30Z", "2026-11-20T07:30:00+00:00"),
    ("2026-11-20T07:30-03:30", "2026-11-20T07:30:00-03:30"),
    ("2026-11-20T07:30:15.250Z", "2026-11-20T07:30:15+00:00"),
    ("2 hours ago", "2026-11-23T17:00:00+01:00"),
    ("1 h 15 min ago", "2026-11-23T17:45:00+01:00"),
    ("  yesterday   18:00 ", "2026-11-22T18:00:00+01:00"),
    ("18:00 yesterday", "2026-11-22T18:00:00+01:00"),
    ("2 days ago 18:00", "2026-11-21T18:00:00+01:00"),
    ("last monday 18:00", "2026-11-16T18:00:00+01:00"),
    ("18:00 on friday", "2026-11-20T18:00:00+01:00"),
    ("noon", "2026-11-23T12:00:00+01:00"),
    ("midnight", "2026-11-23T00:00:00+01:00"),
    ("8 pm", "2026-11-22T20:00:00+01:00"),
    ("half an hour ago", "2026-11-23T18:30:00+01:00"),
  ])
  func `an instant is read`(text: String, expected: String) throws {
    #expect(try iso(text) == expected)
  }

  @Test(arguments: [
    ("today", "2026-11-23"), ("yesterday", "2026-11-22"), ("mon", "2026-11-23"),
    ("sun", "2026-11-22"), ("2024-02-29", "2024-02-29"),
  ])
  func `a day alone is a whole day`(text: String, day: String) throws {
    #expect(try When(text, clock: clock) == .day(try #require(WrittenDate(day)).civilDate()))
  }

  @Test func `a whole day has no start time`() {
    #expect(throws: ValidationError.self) { try iso("yesterday") }
  }

  @Test(arguments: [
    ("25:99", "\"25:99\" is not a time: hours go from 0 to 23. Write 18:00 or yesterday 7:30pm."),
    ("7:75", "\"7:75\" is not a time: minutes go from 0 to 59. Write 18:00 or yesterday 7:30pm."),
    ("24:00", "\"24:00\" is not a time: hours go from 0 to 23. Write 18:00 or yesterday 7:30pm."),
    (
      "2026-13-45",
      "\"2026-13-45\" is not a date: there is no month 13. Write 2026-11-20 or yesterday."
    ),
    (
      "2026-02-30",
      "\"2026-02-30\" is not a date: Feb 2026 has 28 days. Write 2026-11-20 or yesterday."
    ),
    (
      "yesterday 25:99",
      "\"25:99\" is not a time: hours go from 0 to 23. Write 18:00 or yesterday 7:30pm."
    ),
    (
      "yestreday 18:00",
      "\"yestreday\" cannot be read as a time. Did you mean yesterday? "
        + "Write 18:00 or yesterday 7:30pm."
    ),
    ("half past 7", "\"half past 7\" is not a valid time of day. Write 7:30, or 19:30."),
    (
      "20 Nov 18:00",
      "\"20 nov\": a date is written in figures. "
        + "Write 2026-11-20 18:00; for a dog with a month's name, --dog May."
    ),
    ("nov", "\"nov\" cannot be read as a time. A date is written in figures: 2026-11-20."),
    ("8am-9", "\"8am-9\" is not a time. Write 8am-9am."),
    ("this morning", "\"this morning\" is not a valid time of day. Write today 7:30."),
    (
      "yesterday midnight",
      "\"yesterday midnight\" could be the beginning of the day or its end. "
        + "Write the day that begins then, as in yesterday 0:00."
    ),
    (
      "2026-03-29 2:30",
      "there was no 02:30 on 2026-03-29: the clocks went from 02:00 to 03:00. "
        + "Write 2026-03-29 03:00, or the time with its offset, as in 2026-03-29T03:00:00+02:00."
    ),
    (
      "18:00-18:35", "\"18:00-18:35\" has two times, and one is wanted. Write 18:00."
    ),
    (
      "2026-11-20 7:30+01:00",
      "\"2026-11-20 7:30+01:00\": an offset goes with a T before the time. "
        + "Write 2026-11-20T7:30+01:00."
    ),
  ])
  func `an unreadable word is named`(text: String, expected: String) {
    #expect(message(text) == expected)
  }

  @Test(arguments: [
    "", " ", "7", "75", "7:5", "007:30", "0am", "13pm", "7:30xm", "tomorrow", "mon tue", "now now",
    "today now", "2026-1-5 7:30", "20260-01-05", "0000-01-01", "2026-11-20T", "2026-11-20T25:00",
    "2026-11-20 7:30+25:00", "2026-11-20 7:30+0100", "2026-11-20T07:30:60", "18:00:30",
    "18:00+01:00", "yesterday 18:00Z", "ago", "3 ago", "75 ago", "3 days", "-3 days ago",
    "3 days 2h ago", "99999999999999999999 days ago", "99999999999999999999h ago",
    "99999999999999999999:00", "١٨:٠٠", "18：00", "7:30 7:30", "mon 18:00 ago",
  ])
  func `anything else is refused`(text: String) {
    #expect(throws: ValidationError.self) { try When(text, clock: clock) }
  }

  @Test func `the repeated hour is its first until the clock has gone back`() throws {
    let clock = try WallClock.berlin("2026-10-25T08:00:00Z")
    #expect(try iso("2:30", clock) == "2026-10-25T02:30:00+02:00")
  }

  @Test func `an offset selects one of the repeated hours`() throws {
    #expect(try iso("2026-10-25T02:30+01:00") == "2026-10-25T02:30:00+01:00")
  }

  @Test func `a skipped time that is still in the future is yesterday's`() throws {
    let clock = try WallClock.berlin("2026-03-29T00:30:00Z")
    #expect(try iso("2:30", clock) == "2026-03-28T02:30:00+01:00")
  }

  @Test func `the clock follows DOGWALK_NOW`() throws {
    let clock = try WallClock(
      environment: Environment(["DOGWALK_NOW": "2026-11-20T18:00:00.900Z"]), zone: .berlin)
    #expect(clock.now.iso8601 == "2026-11-20T19:00:00+01:00")
  }

  @Test func `an unreadable DOGWALK_NOW is refused`() {
    #expect(throws: ValidationError.self) {
      try WallClock(environment: Environment(["DOGWALK_NOW": "soon"]), zone: .berlin)
    }
  }
}
