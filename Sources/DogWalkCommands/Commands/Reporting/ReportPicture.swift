import CommandLineKit
import DataFormats
import DogWalkModel

/// A report as a picture in SVG: a panel for each dog, a bar for each span, a line for the target.
///
/// It brings its colours for a light and for a dark page.
struct ReportPicture {
  private let report: WalkReport
  private let today: CivilDate

  private static let height = 180
  private static let plotHeight = 110.0

  /// A picture of a report.
  init(_ report: WalkReport, today: CivilDate) {
    self.report = report
    self.today = today
  }

  /// Writes it.
  func write(to output: OutputSink) throws(OutputError) {
    let charts = report.tallies.map { report.rows(of: $0) }
    let count = max(1, charts.first?.count ?? 1)
    let step = max(3, min(64, 640 / count))
    let width = max(360, step * count + 80)
    let height = max(1, charts.count) * Self.height
    try output.writeLine(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" font-family="sans-serif" font-size="12">
      <title>\(title.xmlText)</title>
      <style>
      text { fill: #222 } .walked { fill: #2a7ab8 } .reached { fill: #2e8b57 }
      .target { stroke: #c0392b; stroke-dasharray: 4 3 } .base { stroke: #888 }
      @media (prefers-color-scheme: dark) { text { fill: #ddd } }
      </style>
      """)
    let most =
      charts.joined().lazy.map { max($0.minutes, Double($0.targetMinutes ?? 0)) }.max() ?? 0
    for (index, rows) in charts.enumerated() {
      try write(
        rows, of: report.tallies[index], top: index * Self.height, step: step, width: width,
        perMinute: most > 0 ? Self.plotHeight / most : 0, to: output)
    }
    try output.writeLine("</svg>")
  }

  private var title: String {
    let last = report.days.upperBound.adding(days: -1)
    return "Walks from \(report.days.lowerBound) to \(last)"
  }

  private func write(
    _ rows: LazyMapCollection<ClosedRange<Int>, WalkReport.Row>, of tally: WalkTally, top: Int,
    step: Int, width: Int,
    perMinute: Double, to output: OutputSink
  ) throws(OutputError) {
    let summary = "\(tally.shownName): \(tally.reading(overDays: report.dayCount))"
    try output.writeLine(
      #"<text x="40" y="\#(top + 20)" font-size="14">\#(summary.xmlText)</text>"#)
    let base = Double(top) + 30 + Self.plotHeight
    // As many labels as there is room for.
    let every = max(1, (rows.count * 64 + width - 1) / width)
    for (index, row) in rows.enumerated() {
      let x = 40 + index * step
      let size = row.minutes * perMinute
      let isReached = row.targetMinutes.map { row.minutes >= Double($0) } ?? false
      try output.writeLine(
        #"<rect class="\#(isReached ? "reached" : "walked")" x="\#(x + 1)" "#
          + #"y="\#((base - size).rounded(toDecimals: 1))" width="\#(max(1, step - 2))" "#
          + #"height="\#(size.rounded(toDecimals: 1))"><title>\#(hint(row).xmlText)</title></rect>"#
      )
      if let target = row.targetMinutes {
        let y = (base - Double(target) * perMinute).rounded(toDecimals: 1)
        try output.writeLine(
          #"<line class="target" x1="\#(x)" x2="\#(x + step)" y1="\#(y)" y2="\#(y)"/>"#)
      }
      if index % every == 0 {
        try output.writeLine(
          #"<text x="\#(x)" y="\#(Int(base) + 16)" font-size="10">\#(label(row.days))</text>"#)
      }
    }
    try output.writeLine(
      #"<line class="base" x1="40" x2="\#(40 + rows.count * step)" y1="\#(Int(base))" "#
        + #"y2="\#(Int(base))"/>"#)
  }

  private func label(_ days: Range<CivilDate>) -> String {
    let (year, month, day) = days.lowerBound.components
    let name = CivilDate.abbreviation(ofMonth: month)
    return report.span == .month ? "\(name) \(year)" : "\(day) \(name)"
  }

  private func hint(_ row: WalkReport.Row) -> String {
    let days = row.days.lowerBound == row.lastDay ? "" : " to \(row.lastDay)"
    let target = row.targetMinutes.map { " of \($0)" } ?? ""
    return "\(row.days.lowerBound)\(days): \(row.minutes.rounded(toDecimals: 0))\(target) min"
  }
}

@available(*, unavailable)
extension ReportPicture: Sendable {}

extension String {
  /// The text as it stands in XML.
  fileprivate var xmlText: String {
    var text = ""
    for scalar in escapingControls.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
