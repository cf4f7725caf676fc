import CommandLineKit
import Testing

@testable import DogWalkCommands

@Suite struct `A period` {
  let clock: WallClock

  init() throws {
    clock = try .berlin("2026-11-25T18:00:00Z")  // Wednesday
  }

  func period(_ options: (Option, String?)..., environment: [String: String] = [:]) throws
    -> Period?
  {
    var values = ArgumentValues()
    for (option, value) in options { values.append(value, for: option) }
    return try Period(asked: values, environment: Environment(environment), clock: clock)
  }

  func days(_ period: Period?) -> String? {
    period?.days.map { "\($0.lowerBound)..<\($0.upperBound)" }
  }

  @Test func `is nil where none is requested`() throws {
    #expect(try period() == nil)
  }

  @Test(arguments: [
    (Option.today, nil, "2026-11-25..<2026-11-26"),
    (.yesterday, nil, "2026-11-24..<2026-11-25"),
    (.week, nil, "2026-11-23..<2026-11-30"),
    (.lastWeek, nil, "2026-11-16..<2026-11-23"),
    (.month, nil, "2026-11-01..<2026-12-01"),
    (.month, "2024-02", "2024-02-01..<2024-03-01"),
    (.month, "2026-12", "2026-12-01..<2027-01-01"),
    (.days, "7", "2026-11-19..<2026-11-26"),
    (.days, "1", "2026-11-25..<2026-11-26"),
  ])
  func `is the requested days`(option: Option, value: String?, expected: String) throws {
    #expect(days(try period((option, value))) == expected)
  }

  @Test func `starts its weeks on Sunday on request`() throws {
    #expect(days(try period((.week, nil), (.weekStart, "sun"))) == "2026-11-22..<2026-11-29")
    let environment = ["DOGWALK_WEEK_START": "sun"]
    #expect(
      days(try period((.lastWeek, nil), environment: environment)) == "2026-11-15..<2026-11-22")
  }

  @Test func `includes the day of --until`() throws {
    #expect(
      days(try period((.since, "mon"), (.until, "today"))) == "2026-11-23..<2026-11-26")
  }

  @Test(arguments: [
    [(Option.today, nil), (.yesterday, nil)],
    [(.week, nil), (.since, "mon")],
    [(.days, "0")], [(.days, "x")], [(.days, "")], [(.days, "99999999999999999999")],
    [(.month, "2026-13")], [(.month, "11")], [(.month, "")], [(.month, "2026-11-01")],
    [(.since, "today"), (.until, "yesterday")],
    [(.since, "18:00"), (.until, "17:00")],
    [(.since, "soon")],
    [(.since, "2026-11-25T10:00Z"), (.until, "yesterday")],
    [(.since, "today"), (.until, "yesterday 18:00")],
  ])
  func `that is impossible is refused`(options: [(Option, String?)]) {
    var values = ArgumentValues()
    for (option, value) in options { values.append(value, for: option) }
    #expect(throws: ValidationError.self) {
      try Period(asked: values, environment: Environment([:]), clock: clock)
    }
  }

  @Test(arguments: [
    ("2026-11-25T00:00:00+14:00", true), ("2026-11-25T23:59:59-11:00", true),
    ("2026-11-24T23:59:59-11:00", false), ("2026-11-26T00:00:00+14:00", false),
  ])
  func `of days follows each walk's own offset`(text: String, isInside: Bool) throws {
    let today = try #require(try period((.today, nil)))
    let moment = try Moment(iso8601: text, zone: .fixed(0))
    #expect(today.contains(moment) == isInside)
  }

  @Test func `of instants is limited by them, excluding its end`() throws {
    let period = try #require(
      try period((.since, "2026-11-25T10:00Z"), (.until, "2026-11-25T12:00Z")))
    func contains(_ text: String) throws -> Bool {
      period.contains(try Moment(iso8601: text, zone: .fixed(0)))
    }
    #expect(try contains("2026-11-25T20:00:00+10:00"))
    #expect(try !contains("2026-11-25T12:00:00Z"))
    #expect(try !contains("2026-11-25T09:59:59Z"))
  }

  @Test(arguments: [-18, -11, 0, 5, 14, 18])
  func `is between its instants in every offset`(hours: Int) throws {
    let today = try #require(try period((.today, nil)))
    let day = clock.now.day
    let bounds = today.instantBounds
    let first = Moment(
      day: day, time: ClockTime(secondsSinceMidnight: 0), utcOffset: hours * 3600)
    let last = Moment(
      day: day, time: ClockTime(secondsSinceMidnight: 86_399), utcOffset: hours * 3600)
    #expect(try first.date >= #require(bounds.earliest))
    #expect(try last.date < #require(bounds.latest))
  }
}
