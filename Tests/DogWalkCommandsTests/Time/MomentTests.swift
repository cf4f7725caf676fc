import CommandLineKit
import Testing

@testable import DogWalkCommands

@Suite struct `A moment` {
  @Test(arguments: [
    "2026-11-20T18:00:00+01:00", "1969-12-31T23:59:59-03:30", "2026-06-15T00:00:00+05:45",
    "0001-01-01T00:00:00+00:00",
  ])
  func `ISO 8601 is read back as written`(text: String) throws {
    #expect(try Moment(iso8601: text, zone: .fixed(0)).iso8601 == text)
  }

  @Test func `an offset with seconds keeps the instant`() throws {
    let moment = Moment(secondsSince1970: -2_500_000_000, utcOffset: 3208)
    let again = try Moment(iso8601: moment.iso8601, zone: .fixed(0))
    #expect(again.date == moment.date)
  }

  @Test(arguments: [
    (0.0, 360_000_000, "1981-05-29T16:00:00+100000:00"),
    (0.0, Int(Int32.min), "1901-12-13T20:45:00-596523:15"),
    (-1e11, 0, "-1199-02-15T14:13:20+00:00"), (1e12, 0, "33658-09-27T01:46:40+00:00"),
  ])
  func `an instant beyond the calendar is written all the same`(
    seconds: Double, utcOffset: Int, expected: String
  ) {
    let moment = Moment(secondsSince1970: Int(seconds), utcOffset: utcOffset)
    #expect(moment.iso8601 == expected)
  }

  @Test func `it belongs to the day in its own offset`() throws {
    let moment = try Moment(iso8601: "2026-11-20T23:30:00-03:30", zone: .fixed(0))
    #expect(moment.day.description == "2026-11-20")
    #expect(moment.time.description == "23:30")
  }

  @Test(arguments: ["", "soon", "2026-11-20", "18:00", "2026-11-20T18:00+99:00"])
  func `anything else is refused`(text: String) {
    #expect(throws: ValidationError.self) { try Moment(iso8601: text, zone: .fixed(0)) }
  }
}
