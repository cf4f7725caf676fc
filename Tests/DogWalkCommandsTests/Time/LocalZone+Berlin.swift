@testable import DogWalkCommands

extension LocalZone {
  /// Central European time by the rule of the European Union, whatever `TZ` says.
  static let berlin = LocalZone { seconds in
    let year = Moment(secondsSince1970: seconds, utcOffset: 0).day.components.year
    let isSummer = seconds >= change(year, month: 3) && seconds < change(year, month: 10)
    return isSummer ? 7200 : 3600
  }

  /// One o'clock UTC on the last Sunday of a month of 31 days.
  private static func change(_ year: Int, month: Int) -> Int {
    let sunday = CivilDate(year: year, month: month, day: 31)!.last(.sunday)
    return sunday.daysSince1970 * 86_400 + 3600
  }
}

extension WallClock {
  /// A stopped clock in Berlin, at a time of UTC: `2026-11-23T18:00:00Z`.
  static func berlin(_ now: String) throws -> WallClock {
    WallClock(now: try Moment(iso8601: now, zone: .berlin).date, zone: .berlin)
  }
}
