import Testing

@testable import DogWalkCommands

@Suite struct `A civil date` {
  @Test func `every day of eight centuries follows the one before`() throws {
    var expected = try #require(CivilDate(year: 1600, month: 1, day: 1)).daysSince1970
    for year in 1600..<2400 {
      for month in 1...12 {
        for day in 1...CivilDate.days(inMonth: month, ofYear: year) {
          let date = try #require(CivilDate(year: year, month: month, day: day))
          guard date.daysSince1970 == expected, date.components == (year, month, day) else {
            Issue.record("\(year)-\(month)-\(day) is day \(date.daysSince1970), not \(expected)")
            return
          }
          expected += 1
        }
      }
    }
    #expect(CivilDate(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
  }

  @Test func `its weekday is right on both sides of 1970`() {
    #expect(CivilDate(year: 2026, month: 11, day: 20)?.weekday == .friday)
    #expect(CivilDate(year: 1969, month: 7, day: 20)?.weekday == .sunday)
  }

  @Test(arguments: [(2026, 13, 1), (2026, 0, 1), (2026, 2, 29), (1900, 2, 29), (2026, 4, 31)])
  func `an impossible day is nil`(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test func `the last Monday on or before a Monday is that day`() throws {
    let monday = try #require(CivilDate(year: 2026, month: 11, day: 23))
    #expect(monday.last(.monday) == monday)
    #expect(monday.last(.tuesday).description == "2026-11-17")
  }
}
