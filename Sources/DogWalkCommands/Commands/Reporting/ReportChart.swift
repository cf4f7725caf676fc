import CommandLineKit
import DataFormats
import DogWalkModel

/// A report as shown to people: a bar for each span, compared with the target.
///
/// ```text
/// Fido: 4 h 10 min, 7 walks, out on 6 of 7 days  ■■■□■■■
///   Sun 15 Nov  ████████████▌░░░░░░░  35 of 60 min
/// ```
struct ReportChart {
  private let report: WalkReport
  private let terminal: Terminal
  /// Whether lines contain the year: if any of them is not in the current year.
  private let namesYears: Bool

  /// Creates a chart of a report.
  init(_ report: WalkReport, terminal: Terminal, today: CivilDate) {
    self.report = report
    self.terminal = terminal
    let days = [report.days.lowerBound, report.days.upperBound.adding(days: -1)]
    namesYears = days.contains { $0.components.year != today.components.year }
  }

  /// Writes the chart.
  ///
  /// - Parameter streaks: The current streaks in the order of the dogs; empty if they do not apply
  ///   to the selected walks.
  func write(to output: PagedOutput, streaks: [Streak]) throws(OutputError) {
    let rows = report.tallies.lazy.flatMap { report.rows(of: $0) }
    var distanceWidth = rows.map { distance(of: $0).displayWidth }.max() ?? 0
    let labels = report.rows(of: report.tallies[0]).lazy.map { label(of: $0.days) }
    let labelWidth = labels.map(\.displayWidth).max() ?? 0
    // Two spaces before the label and on both sides of the bar.
    func roomBeside() -> Int {
      terminal.columns - labelWidth - 6 - (distanceWidth > 0 ? distanceWidth + 2 : 0)
    }
    let shortest = rows.map { reading(of: $0, isShort: true).displayWidth }.max() ?? 0
    if roomBeside() + 2 < shortest { distanceWidth = 0 }
    let beside = roomBeside()
    var textWidth = rows.map { reading(of: $0, isShort: false).displayWidth }.max() ?? 0
    // If space is short, the target is only shown by the bar.
    let isShort = beside - textWidth < (terminal.showsPictures ? 8 : -2)
    if isShort { textWidth = shortest }
    let room = terminal.showsPictures ? min(40, beside - textWidth) : 0
    let most = rows.map { max($0.minutes, Double($0.targetMinutes ?? 0)) }.max() ?? 0
    for (index, tally) in report.tallies.enumerated() {
      if index > 0 { try output.writeLine("") }
      for line in heading(of: tally, streaks.isEmpty ? nil : streaks[index]) {
        try output.writeLine(line)
      }
      if tally.parts.isEmpty, tally.target == nil { continue }
      for row in report.rows(of: tally) {
        var line = "  " + label(of: row.days).padded(to: labelWidth)
        if room >= 4, most > 0 { line += "  " + bar(of: row, perColumn: most / Double(room), room) }
        line += "  " + reading(of: row, isShort: isShort).paddedLeft(to: textWidth)
        if distanceWidth > 0 { line += "  " + distance(of: row).paddedLeft(to: distanceWidth) }
        while line.last == " " { line.removeLast() }
        try output.writeLine(line)
      }
    }
    if report.tallies.count > 1 {
      try output.writeLine("")
      for line in heading(of: report.total, nil) { try output.writeLine(line) }
    }
    guard !streaks.isEmpty else { return }
    try output.writeLine("")
    for line in Streak.rule.wrapped(to: terminal.columns) {
      try output.writeLine(terminal.styled(line, .dim))
    }
  }

  // MARK: Headings

  private func heading(of tally: WalkTally, _ streak: Streak?) -> [String] {
    let daysOut = report.secondsByDay(of: tally).map { $0 != nil }
    let count = daysOut.count { $0 }
    var title = "\(tally.shownName): \(tally.reading(overDays: daysOut.count))"
    if count > 0 {
      title += ", out on \(count) of \(daysOut.count) day\(daysOut.count == 1 ? "" : "s")"
    }
    if let streak, !streak.reading.isEmpty { title += ", \(streak.reading)" }
    var lines = title.wrapped(to: terminal.columns).map { terminal.styled($0, .bold) }
    // With a line for each day, the days need not be shown here.
    if terminal.showsPictures, report.span != .day, daysOut.count <= terminal.columns - 2 {
      lines.append("  " + daysOut.map { $0 ? "■" : "□" }.joined())
    }
    return lines
  }

  // MARK: Lines

  private func label(of days: Range<CivilDate>) -> String {
    switch report.span {
    case .day: return days.lowerBound.fullReading(hasYear: namesYears)
    case .week:
      let first = days.lowerBound.components
      let last = days.upperBound.adding(days: -1).components
      let month = CivilDate.abbreviation(ofMonth: last.month)
      let end = "\(last.day) \(month)\(namesYears ? " \(last.year)" : "")"
      if first == last { return end }
      var start = "\(first.day)"
      if first.month != last.month { start += " \(CivilDate.abbreviation(ofMonth: first.month))" }
      if first.year != last.year { start += " \(first.year)" }
      return "\(start)–\(end)"
    case .month:
      let (year, month, _) = days.lowerBound.components
      return "\(CivilDate.abbreviation(ofMonth: month)) \(year)"
    }
  }

  private func reading(of row: WalkReport.Row, isShort: Bool) -> String {
    guard !isShort, let target = row.targetMinutes else { return Self.reading(row.minutes) }
    guard report.span != .day else {
      return "\(row.minutes.rounded(.down).shortest) of \(target) min"
    }
    return "\(Self.reading(row.minutes)) of \(Self.reading(Double(target)))"
  }

  private static func reading(_ minutes: Double) -> String {
    Duration.wholeMinutes(minutes * 60).reading
  }

  private func distance(of row: WalkReport.Row) -> String {
    row.part.metres > 0 ? Distance(metres: row.part.metres).reading : ""
  }

  /// Returns a bar: full for the minutes walked, light for those missing to reach the target.
  private func bar(of row: WalkReport.Row, perColumn: Double, _ room: Int) -> String {
    let eighths = Int((row.minutes / perColumn * 8).rounded())
    var walked = String(repeating: "█", count: eighths / 8)
    if eighths % 8 > 0 { walked.unicodeScalars.append(Self.part(eighths % 8)) }
    let width = (eighths + 7) / 8
    let target = Int((Double(row.targetMinutes ?? 0) / perColumn).rounded())
    let missing = String(repeating: "░", count: max(0, target - width))
    let isReached = row.targetMinutes.map { row.minutes >= Double($0) } ?? false
    return (isReached ? terminal.styled(walked, .green) : walked) + missing
      + String(repeating: " ", count: max(0, room - max(width, target)))
  }

  /// Returns a block of a width in eighths: U+258F is one eighth, U+2589 seven.
  private static func part(_ eighths: Int) -> Unicode.Scalar {
    Unicode.Scalar(0x2590 - UInt32(eighths)) ?? "▌"
  }
}

@available(*, unavailable)
extension ReportChart: Sendable {}
