import CommandLineKit
import DogWalkModel

/// A report as a calendar: a column for each week and a row for each weekday, darker for longer
/// walks.
///
/// ```text
/// Fido: 31 h 20 min, 52 min a day, 64 walks, out on 30 of 36 days
///       Oct     Nov
///   Mon ▓ ▓ █ ▓ ▓ ·
///       ▓ █ · ▓ ▒ ▓
/// ```
struct ReportCalendar {
  private let report: WalkReport
  private let terminal: Terminal
  private let today: CivilDate
  private let firstWeekday: Weekday

  private static let signs = ["·", "░", "▒", "▓", "█"]
  /// Shades of green by level that are visible on light and dark terminals.
  private static let colors = [245, 108, 72, 35, 29]

  /// Creates a calendar of a report.
  init(
    _ report: WalkReport, terminal: Terminal, today: CivilDate, firstWeekday: Weekday
  ) {
    self.report = report
    self.terminal = terminal
    self.today = today
    self.firstWeekday = firstWeekday
  }

  /// Writes the calendar.
  func write(to output: PagedOutput) throws(OutputError) {
    var isFirst = true
    for tally in report.tallies where !tally.parts.isEmpty {
      if !isFirst { try output.writeLine("") }
      isFirst = false
      let days = report.secondsByDay(of: tally)
      let count = days.count { $0 != nil }
      let title =
        "\(tally.shownName): \(tally.reading(overDays: days.count)), "
        + "out on \(count) of \(days.count) day\(days.count == 1 ? "" : "s")"
      for line in title.wrapped(to: terminal.columns) {
        try output.writeLine(terminal.styled(line, .bold))
      }
      if terminal.showsPictures {
        let scale = HeatScale(tally)
        try writePicture(of: days, scale, to: output)
        try writeLegend(scale, to: output)
      } else {
        try writeMonths(of: days, to: output)
      }
    }
  }

  // MARK: As a picture

  private func writePicture(
    of days: [Double?], _ scale: HeatScale, to output: PagedOutput
  ) throws(OutputError) {
    let week = ReportSpan.week(from: firstWeekday)
    let first = week.number(of: report.days.lowerBound)
    let last = week.number(of: report.days.upperBound.adding(days: -1))
    let room = terminal.columns - Self.labelWidth
    // With a space between two weeks if all of them fit.
    let size = (last - first + 1) * 2 < room ? 2 : 1
    var start = first
    while start <= last {
      if start > first { try output.writeLine("") }
      let weeks =
        start...(size == 2 ? last : end(ofWeeksFrom: start, through: last, atMost: room, week))
      start = weeks.upperBound + 1
      try output.writeLine(monthLine(weeks, week, size: size))
      for row in 0..<7 {
        let name = firstWeekday.adding(days: row).abbreviation
        // Every second name, since the lines are close together.
        var line = row % 2 == 0 ? "  \(name) " : String(repeating: " ", count: Self.labelWidth)
        for number in weeks {
          let day = week.days(number).lowerBound.adding(days: row)
          line += cell(of: day, days, scale)
          if size == 2, number < weeks.upperBound { line += " " }
        }
        while line.last == " " { line.removeLast() }
        try output.writeLine(line)
      }
    }
  }

  private static let labelWidth = 6
  /// The width of a month's name.
  private static let nameWidth = 3

  /// Returns the last of the weeks that are shown side by side.
  ///
  /// If there are more, or the last month's name does not fit, the next row of weeks begins with a
  /// month.
  private func end(
    ofWeeksFrom start: Int, through last: Int, atMost most: Int, _ week: ReportSpan
  ) -> Int {
    let most = max(4, most)
    let end = min(last, start + most - 1)
    guard start < end else { return end }
    let next = (start + 1...min(last, end + 1)).last { hasMonthsBegin($0, week) }
    guard let next, end < last || next - start + Self.nameWidth > most else { return end }
    return next - 1
  }

  /// Returns the day of the month of a week's last day in the report.
  private func lastDay(of number: Int, _ week: ReportSpan) -> Int {
    week.days(number).clamped(to: report.days).upperBound.adding(days: -1).components.day
  }

  /// Returns whether a month begins in a week.
  private func hasMonthsBegin(_ number: Int, _ week: ReportSpan) -> Bool {
    lastDay(of: number, week) <= 7
  }

  private func cell(of day: CivilDate, _ days: [Double?], _ scale: HeatScale) -> String {
    let index = day.daysSince1970 - report.days.lowerBound.daysSince1970
    guard days.indices.contains(index) else { return " " }
    let level = scale.level(ofSeconds: days[index])
    return styled(level)
  }

  private func styled(_ level: Int) -> String {
    terminal.styled(
      Self.signs[level], color: Self.colors[level], else: level == 0 ? .dim : .green)
  }

  /// Returns the line with the names of months above the weeks in which they begin.
  private func monthLine(_ weeks: ClosedRange<Int>, _ week: ReportSpan, size: Int) -> String {
    var line = String(repeating: " ", count: Self.labelWidth)
    for number in weeks {
      let days = week.days(number).clamped(to: report.days)
      let last = days.upperBound.adding(days: -1).components
      let column = Self.labelWidth + (number - weeks.lowerBound) * size
      let isFirst = number == weeks.lowerBound
      guard last.day <= 7 || isFirst, line.displayWidth <= column else { continue }
      // The first month's name is left out if the next one would overlap it.
      let near = (number + 1..<number + 1 + Self.nameWidth / size).clamped(to: Range(weeks))
      guard !isFirst || last.day <= 7 || !near.contains(where: { hasMonthsBegin($0, week) }) else {
        continue
      }
      line = line.padded(to: column) + CivilDate.abbreviation(ofMonth: last.month) + " "
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func writeLegend(_ scale: HeatScale, to output: PagedOutput) throws(OutputError) {
    var line = ""
    var width = 0
    for level in 0...HeatScale.levelCount {
      let text = scale.reading(ofLevel: level)
      let size = text.displayWidth + 4
      if width > 0, width + size > terminal.columns {
        try output.writeLine(line)
        (line, width) = ("", 0)
      }
      line += "  \(styled(level)) \(text)"
      width += size
    }
    try output.writeLine(line)
  }

  // MARK: As text

  private func writeMonths(of days: [Double?], to output: PagedOutput) throws(OutputError) {
    let first = ReportSpan.month.number(of: report.days.lowerBound)
    let last = ReportSpan.month.number(of: report.days.upperBound.adding(days: -1))
    for number in first...last {
      let month = ReportSpan.month.days(number).clamped(to: report.days)
      let start = month.lowerBound.daysSince1970 - report.days.lowerBound.daysSince1970
      let length = month.upperBound.daysSince1970 - month.lowerBound.daysSince1970
      let part = days[start..<start + length]
      let count = part.count { $0 != nil }
      let (year, name) = (
        month.lowerBound.components.year,
        CivilDate.abbreviation(ofMonth: month.lowerBound.components.month)
      )
      let total = Duration.wholeMinutes(part.reduce(0) { $0 + ($1 ?? 0) }).reading
      try output.writeLine(
        "  \(name) \(year): \(total), out on \(count) of \(length) day\(length == 1 ? "" : "s")")
    }
  }
}

@available(*, unavailable)
extension ReportCalendar: Sendable {}
