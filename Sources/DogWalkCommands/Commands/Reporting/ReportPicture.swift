import CommandLineKit
import DataFormats
import DogWalkModel

/// A report as a picture in SVG: a panel for each dog, a bar for each span, a line for the target.
///
/// All panels have the same scale, so that they can be compared; many are side by side. It contains
/// colours for light and dark pages.
struct ReportPicture {
  private let report: WalkReport
  private let today: CivilDate
  private let axis: TimeAxis
  private let columns: Int
  /// The distance from one bar to the next.
  private let step: Int

  private static let margin = (left: 70, right: 18, top: 52, bottom: 30)
  private static let headHeight = 64

  /// Creates a picture of a report.
  init(_ report: WalkReport, today: CivilDate) {
    self.report = report
    self.today = today
    var most = 0.0
    for tally in report.tallies {
      for row in report.rows(of: tally) {
        most = max(most, row.minutes, Double(row.targetMinutes ?? 0))
      }
    }
    axis = TimeAxis(upTo: most)
    let count = max(1, report.tallies.first.map { report.rows(of: $0).count } ?? 1)
    columns = report.tallies.count > 18 ? 3 : report.tallies.count > 5 ? 2 : 1
    let room = [640, 400, 280][columns - 1]
    step = max(2, min(64, room / count))
    plotWidth = max(step * count, columns == 1 ? 280 : 200)
  }

  private let plotWidth: Int
  private var plotHeight: Int { columns == 1 ? 130 : 100 }
  private var panelWidth: Int { plotWidth + Self.margin.left + Self.margin.right }
  private var panelHeight: Int { plotHeight + Self.margin.top + Self.margin.bottom }

  /// The colours for light and dark that pictures and pages share.
  static let style = """
    .paper { fill: #fff } text { fill: #1f2328 } .quiet { fill: #59636e } .grid { stroke: #d1d9e0 }
    .base { stroke: #59636e } .walked { fill: #3987c9 } .reached { fill: #2b8a4b }
    .target { stroke: #b3361f; stroke-width: 1.5; stroke-dasharray: 5 3 }
    .value { paint-order: stroke; stroke: #fff; stroke-width: 3; stroke-linejoin: round }
    @media (prefers-color-scheme: dark) {
    .paper { fill: #16191d } text { fill: #e6edf3 } .quiet { fill: #9aa5b1 } .grid { stroke: #343b43 }
    .base { stroke: #9aa5b1 } .walked { fill: #4f9fe3 } .reached { fill: #45b26b }
    .target { stroke: #ff8a70 } .value { stroke: #16191d } }
    """

  /// Writes the picture.
  ///
  /// - Parameter isPart: Whether it is part of a page, which contains the title and the style.
  func write(to output: OutputSink, isPart: Bool = false) throws(OutputError) {
    let rows = (report.tallies.count + columns - 1) / columns
    let width = max(columns * panelWidth, 420)
    let headHeight = isPart ? Self.headHeight - 43 : Self.headHeight
    let height = headHeight + max(1, rows) * panelHeight
    let name = isPart ? "" : #" xmlns="http://www.w3.org/2000/svg""#
    try output.writeLine(
      """
      <svg\(name) viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Bars of walks">
      """)
    if !isPart {
      try output.writeLine("<title>\(title.xmlText)</title>\n<style>\n\(Self.style)\n</style>")
      try output.writeLine(#"<rect class="paper" width="100%" height="100%"/>"#)
    }
    if !isPart { try writeTitle(to: output) }
    try writeLegend(y: isPart ? 8 : 51, to: output)
    for (index, tally) in report.tallies.enumerated() {
      try write(
        tally, left: index % columns * panelWidth,
        top: headHeight + index / columns * panelHeight, to: output)
    }
    try output.writeLine("</svg>")
  }

  private var title: String {
    let last = report.days.upperBound.adding(days: -1)
    let first = report.days.lowerBound
    if first == last { return "Walks on \(first.wholeReading)" }
    return "Walks from \(first.wholeReading) to \(last.wholeReading)"
  }

  // MARK: Parts

  private func writeTitle(to output: OutputSink) throws(OutputError) {
    let total = report.tallies.count > 1 ? "Together: " : ""
    let summary = total + report.total.reading(overDays: report.dayCount)
    try output.writeLine(
      """
      <text x="16" y="24" font-size="16" font-weight="600">\(title.xmlText)</text>
      <text class="quiet" x="16" y="42">\(summary.xmlText)</text>
      """)
  }

  private func writeLegend(y: Int, to output: OutputSink) throws(OutputError) {
    var x = 16
    let hasTarget = report.tallies.contains { $0.target != nil }
    var keys = [("walked", "walked")]
    if hasTarget {
      // Dogs without a target have bars of the same colour.
      let haveAll = report.tallies.allSatisfy { $0.target != nil }
      keys = [
        ("walked", haveAll ? "walked, less than the target" : "walked"),
        ("reached", "the target reached"),
      ]
    }
    for (kind, label) in keys {
      try output.writeLine(
        #"<rect class="\#(kind)" x="\#(x)" y="\#(y)" width="10" height="10"/>"#
          + #"<text class="quiet" x="\#(x + 15)" y="\#(y + 9)">\#(label)</text>"#)
      x += 30 + label.utf8.count * 6
    }
    guard hasTarget else { return }
    try output.writeLine(
      #"<line class="target" x1="\#(x)" x2="\#(x + 18)" y1="\#(y + 5)" y2="\#(y + 5)"/>"#
        + #"<text class="quiet" x="\#(x + 24)" y="\#(y + 9)">target</text>"#)
  }

  private func write(
    _ tally: WalkTally, left: Int, top: Int, to output: OutputSink
  ) throws(OutputError) {
    let plot = (x: left + Self.margin.left, y: top + Self.margin.top)
    let base = plot.y + plotHeight
    func y(_ minutes: Double) -> Double { Double(base) - minutes / axis.most * Double(plotHeight) }
    try output.writeLine(
      #"<text x="\#(left + 16)" y="\#(top + 20)" font-size="14" font-weight="600">"#
        + "\(tally.shownName.truncated(to: 30).xmlText)</text>")
    let reading = tally.reading(overDays: report.dayCount)
    try output.writeLine(
      #"<text class="quiet" x="\#(left + 16)" y="\#(top + 35)" font-size="11">"#
        + "\(reading.truncated(to: panelWidth / 6).xmlText)</text>")
    for (minutes, label) in axis.ticks {
      let height = y(minutes).rounded(toDecimals: 1)
      try output.writeLine(
        #"<line class="\#(minutes == 0 ? "base" : "grid")" x1="\#(plot.x)" "#
          + #"x2="\#(plot.x + plotWidth)" y1="\#(height)" y2="\#(height)"/>"#
          + #"<text class="quiet" x="\#(plot.x - 6)" y="\#((y(minutes) + 4).rounded(toDecimals: 1))" "#
          + #"text-anchor="end" font-size="10">\#(label)</text>"#)
    }
    let rows = report.rows(of: tally)
    // As many labels as fit.
    let every = max(1, (rows.count * 52 + plotWidth - 1) / plotWidth)
    for (index, row) in rows.enumerated() {
      try write(row, x: plot.x + index * step, base: base, y: y, to: output)
      guard index % every == 0 else { continue }
      try output.writeLine(
        #"<text class="quiet" x="\#(plot.x + index * step + step / 2)" y="\#(base + 16)" "#
          + #"text-anchor="middle" font-size="10">\#(label(row.days))</text>"#)
    }
  }

  private func write(
    _ row: WalkReport.Row, x: Int, base: Int, y: (Double) -> Double, to output: OutputSink
  ) throws(OutputError) {
    let top = y(row.minutes)
    let isReached = row.targetMinutes.map { row.minutes >= Double($0) } ?? false
    let gap = step > 6 ? 4 : step > 3 ? 1 : 0
    try output.writeLine(
      #"<rect class="\#(isReached ? "reached" : "walked")" x="\#(x + gap / 2)" "#
        + #"y="\#(top.rounded(toDecimals: 1))" width="\#(step - gap)" "#
        + #"height="\#((Double(base) - top).rounded(toDecimals: 1))">"#
        + "<title>\(hint(row).xmlText)</title></rect>")
    if let target = row.targetMinutes {
      let height = y(Double(target)).rounded(toDecimals: 1)
      try output.writeLine(
        #"<line class="target" x1="\#(x)" x2="\#(x + step)" y1="\#(height)" y2="\#(height)"/>"#)
    }
    // If the bar is wide enough, its value is shown in front of the target line.
    guard step >= 34, row.minutes >= 1 else { return }
    let value = Duration.wholeMinutes(row.minutes * 60).clockReading
    try output.writeLine(
      #"<text class="value" x="\#(x + step / 2)" y="\#((top - 4).rounded(toDecimals: 1))" "#
        + #"text-anchor="middle" font-size="10">\#(value)</text>"#)
  }

  // MARK: Text

  private func label(_ days: Range<CivilDate>) -> String {
    let (year, month, day) = days.lowerBound.components
    let name = CivilDate.abbreviation(ofMonth: month)
    return report.span == .month ? "\(name) \(year)" : "\(day) \(name)"
  }

  private func hint(_ row: WalkReport.Row) -> String {
    let days = row.days.lowerBound == row.lastDay ? "" : " to \(row.lastDay.wholeReading)"
    let target =
      row.targetMinutes.map { " of \(Duration.wholeMinutes(Double($0) * 60).reading)" } ?? ""
    return "\(row.days.lowerBound.wholeReading)\(days): "
      + "\(Duration.wholeMinutes(row.minutes * 60).reading)\(target)"
  }
}

@available(*, unavailable)
extension ReportPicture: Sendable {}

extension CivilDate {
  /// The day with its year: `20 Nov 2026`.
  var wholeReading: String {
    let (year, month, day) = components
    return "\(day) \(Self.abbreviation(ofMonth: month)) \(year)"
  }
}

extension Duration {
  /// Whole minutes in short form: `35`, `1:15`.
  fileprivate var clockReading: String {
    let minutes = (self / .seconds(60)).rounded().wholeSeconds
    return minutes < 60 ? "\(minutes)" : "\(minutes / 60):\((minutes % 60).padded(to: 2))"
  }
}

extension String {
  /// The text in XML and HTML, between tags.
  var xmlText: String {
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
