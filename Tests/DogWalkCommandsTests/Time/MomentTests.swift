import CommandLineKit
import Testing

@testable import DogWalkCommands

@Suite struct `A moment` {
  @Test(arguments: [
    "2026-11-20T18:00:00+01:00", "1969-12-31T23:59:59-03:30", "2026-06-15T00:00:00+05:45",
    "0001-01-01T00:00:00+00:00",
  ])
  func `ISO 8601 comes back as it went in`(text: String) throws {
    #expect(try Moment(iso8601: text, zone: .fixed(0)).iso8601 == text)
  }

  @Test func `an offset with seconds keeps the instant`() throws {
    let moment = Moment(secondsSince1970: -2_500_000_000, utcOffset: 3208)
    let again = try Moment(iso8601: moment.iso8601, zone: .fixed(0))
    #expect(again.date == moment.date)
  }

  @Test func `it belongs to the day of its own offset`() throws {
    let moment = try Moment(iso8601: "2026-11-20T23:30:00-03:30", zone: .fixed(0))
    #expect(moment.day.description == "2026-11-20")
    #expect(moment.time.description == "23:30")
  }

  @Test(arguments: ["", "soon", "2026-11-20", "18:00", "2026-11-20T18:00+99:00"])
  func `anything else is refused`(text: String) {
    #expect(throws: ValidationError.self) { try Moment(iso8601: text, zone: .fixed(0)) }
  }
}
