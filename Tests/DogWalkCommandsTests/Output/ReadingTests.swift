import CommandLineKit
import DataFormats
import Testing

@testable import DogWalkCommands

@Suite struct `A reading` {
  let now: Moment

  init() throws {
    now = try WallClock.berlin("2026-11-23T18:00:00Z").now
  }

  func moment(_ text: String) throws -> Moment {
    try Moment(iso8601: text, zone: .berlin)
  }

  @Test(arguments: [
    ("2026-11-23T07:30", "today 07:30", "Mon 23 Nov 07:30"),
    ("2026-11-22T18:10", "yesterday 18:10", "Sun 22 Nov 18:10"),
    ("2026-11-20T18:00", "Fri 20 Nov 18:00", "Fri 20 Nov 18:00"),
    ("2025-02-03T18:00", "Mon 3 Feb 2025 18:00", "Mon 3 Feb 2025 18:00"),
    ("2026-11-24T00:10", "Tue 24 Nov 00:10", "Tue 24 Nov 00:10"),
  ])
  func `of a date names the day`(text: String, near: String, full: String) throws {
    #expect(try moment(text).reading(now: now) == near)
    #expect(try moment(text).fullReading(now: now) == full)
  }

  @Test(arguments: [
    (0.0, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
    (63_000, "17 h ago"), (169_200, "47 h ago"), (172_800, "2 days ago"),
    (-300, "in 5 min"),
  ])
  func `of elapsed time is rounded down`(seconds: Double, expected: String) {
    #expect(now.adding(seconds: -seconds).ago(now: now) == expected)
  }

  @Test(arguments: [
    (2100, "35 min"), (3600, "1 h"), (4500, "1 h 15 min"), (45, "45 s"), (90, "1 min 30 s"),
    (0, "0 min"), (-90, "-1 min 30 s"),
  ])
  func `of a duration has hours and minutes`(seconds: Int, expected: String) {
    #expect(Duration.seconds(seconds).reading == expected)
  }

  @Test(arguments: [(2.4, "2.4"), (2.0, "2"), (2.449, "2.4"), (0.05, "0.1")])
  func `of a number has only the decimals it needs`(number: Double, expected: String) {
    #expect(number.rounded(toDecimals: 1) == expected)
  }
}
