import CommandLineKit
import DataFormats
import DogWalkModel

/// The days of a tally as a picture in SVG: a column for each week, darker for longer walks.
struct CalendarPicture {
  private let report: WalkReport
  private let tally: WalkTally
  private let firstWeekday: Weekday
  private let scale: HeatScale

  private static let cell = 11
  private static let step = 13
  private static let left = 34
  private static let top = 18
  /// The maximum number of weeks side by side: a year.
  private static let mostWeeks = 54

  /// Creates a picture of a tally's days.
  init(_ report: WalkReport, _ tally: WalkTally, firstWeekday: Weekday) {
    self.report = report
    self.tally = tally
    self.firstWeekday = firstWeekday
    scale = HeatScale(tally)
  }

  /// Writes the picture.
  func write(to output: OutputSink) throws(OutputError) {
    let week = ReportSpan.week(from: firstWeekday)
    let first = week.number(of: report.days.lowerBound)
    let last = week.number(of: report.days.upperBound.adding(days: -1))
    let bands = Array(stride(from: first, through: last, by: Self.mostWeeks))
    let columns = min(last - first + 1, Self.mostWeeks)
    let bandHeight = Self.top + 7 * Self.step + 6
    let width = max(Self.left + columns * Self.step, legendWidth)
    let height = bands.count * bandHeight + 22
    try output.writeLine(
      #"<svg viewBox="0 0 \#(width) \#(height)" width="\#(width)" height="\#(height)" role="img" "#
        + #"aria-label="Calendar of \#(tally.shownName.attributeText)" font-size="10">"#)
    let seconds = report.secondsByDay(of: tally)
    for (index, start) in bands.enumerated() {
      let weeks = start...min(last, start + Self.mostWeeks - 1)
      try write(weeks, week, seconds, top: index * bandHeight, to: output)
    }
    try writeLegend(y: height - 14, to: output)
    try output.writeLine("</svg>")
  }

  private func write(
    _ weeks: ClosedRange<Int>, _ week: ReportSpan, _ seconds: [Double?], top: Int,
    to output: OutputSink
  ) throws(OutputError) {
    for row in stride(from: 0, to: 7, by: 2) {
      let y = top + Self.top + row * Self.step + 9
      let name = firstWeekday.adding(days: row).abbreviation
      try output.writeLine(#"<text class="quiet" x="0" y="\#(y)">\#(name)</text>"#)
    }
    for number in weeks {
      let days = week.days(number)
      let x = Self.left + (number - weeks.lowerBound) * Self.step
      let last = days.upperBound.adding(days: -1).components
      if last.day <= 7 {
        let year = last.month == 1 ? " \(last.year)" : ""
        let name = CivilDate.abbreviation(ofMonth: last.month) + year
        try output.writeLine(
          #"<text class="quiet" x="\#(x)" y="\#(top + 11)">\#(name)</text>"#)
      }
      for row in 0..<7 {
        let day = days.lowerBound.adding(days: row)
        let index = day.daysSince1970 - report.days.lowerBound.daysSince1970
        guard seconds.indices.contains(index) else { continue }
        let level = scale.level(ofSeconds: seconds[index])
        let what = seconds[index].map { Duration.wholeMinutes($0).reading } ?? "no walk"
        try output.writeLine(
          #"<rect class="d\#(level)" x="\#(x)" y="\#(top + Self.top + row * Self.step)" "#
            + #"width="\#(Self.cell)" height="\#(Self.cell)" rx="2">"#
            + "<title>\(day.wholeReading): \(what)</title></rect>")
      }
    }
  }

  private var legendWidth: Int {
    (0...HeatScale.levelCount).reduce(Self.left) { $0 + width(ofLevel: $1) }
  }

  /// Returns the width of a level in the legend: its square, its text with 6 units a letter, and a
  /// gap.
  private func width(ofLevel level: Int) -> Int {
    26 + scale.reading(ofLevel: level).utf8.count * 6
  }

  private func writeLegend(y: Int, to output: OutputSink) throws(OutputError) {
    var x = Self.left
    for level in 0...HeatScale.levelCount {
      let text = scale.reading(ofLevel: level)
      try output.writeLine(
        #"<rect class="d\#(level)" x="\#(x)" y="\#(y)" width="\#(Self.cell)" "#
          + #"height="\#(Self.cell)" rx="2"/>"#
          + #"<text class="quiet" x="\#(x + 15)" y="\#(y + 9)">\#(text)</text>"#)
      x += width(ofLevel: level)
    }
  }
}

@available(*, unavailable)
extension CalendarPicture: Sendable {}

extension String {
  /// The text in an attribute of XML and HTML, between double quotes.
  var attributeText: String {
    var text = ""
    for scalar in xmlText.unicodeScalars {
      if scalar == "\"" { text += "&quot;" } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
