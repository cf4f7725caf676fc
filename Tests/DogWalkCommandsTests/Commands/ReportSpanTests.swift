import Testing

@testable import DogWalkCommands

@Suite struct `A span of a report` {
  @Test(arguments: [ReportSpan.day, .week(from: .monday), .week(from: .sunday), .month])
  func `has every day in exactly one span, in order`(span: ReportSpan) {
    let first = CivilDate(year: 1969, month: 11, day: 3)!
    for offset in 0..<40_000 {
      let day = first.adding(days: offset)
      let number = span.number(of: day)
      #expect(span.days(number).contains(day))
      let next = span.number(of: day.adding(days: 1))
      #expect(next == number || next == number + 1 && span.days(next).lowerBound > day)
    }
  }

  @Test func `is a week from the chosen first day`() {
    let saturday = CivilDate(year: 2026, month: 11, day: 21)!
    for weekday in [Weekday.monday, .sunday] {
      let span = ReportSpan.week(from: weekday)
      #expect(span.days(span.number(of: saturday)).lowerBound == saturday.last(weekday))
    }
  }
}
