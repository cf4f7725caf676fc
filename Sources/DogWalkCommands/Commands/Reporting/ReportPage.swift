import CommandLineKit
import DataFormats
import DogWalkModel

/// A report as a self-contained HTML page, which loads nothing and is readable without its script.
///
/// It contains a calendar, bars, the totals of dogs and walkers, the routes of recorded walks and
/// the walks themselves. It follows the reader's light or dark theme, and can be printed on A4.
struct ReportPage {
  private let report: WalkReport
  private let walkers: WalkReport
  private let days: WalkReport
  private let query: WalkQuery
  private let today: CivilDate
  private let firstWeekday: Weekday
  private let run: CommandRun

  /// The maximum number of walks in the table; the newest ones are shown.
  private static let mostWalks = 2_000
  /// The maximum number of routes on the maps; the newest ones are shown.
  private static let mostRoutes = 200

  /// Creates a page of a report.
  ///
  /// - Parameters:
  ///   - walkers: The same walks by walker.
  ///   - days: The same walks by dog and day.
  ///   - query: The query for the walks.
  init(
    _ report: WalkReport, walkers: WalkReport, days: WalkReport, query: WalkQuery,
    today: CivilDate, firstWeekday: Weekday, run: CommandRun
  ) {
    self.report = report
    self.walkers = walkers
    self.days = days
    self.query = query
    self.today = today
    self.firstWeekday = firstWeekday
    self.run = run
  }

  /// Writes the page.
  func write(to output: OutputSink) throws {
    let first = report.days.lowerBound
    let last = report.days.upperBound.adding(days: -1)
    let period =
      first == last ? first.wholeReading : "\(first.wholeReading) to \(last.wholeReading)"
    try output.writeLine(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>Walks, \(period)</title>
      <style>
      \(Self.style)
      \(ReportPicture.style)
      </style>
      </head>
      <body>
      <header>
      <h1>Walks</h1>
      <p>\(period)</p>
      <p class="total">\(report.total.reading(overDays: report.dayCount).xmlText)</p>
      </header>
      <main>
      """)
    if !report.isEmpty {
      try writeTallies(days, "Dogs", "Dog", to: output)
      if walkers.tallies.contains(where: { $0.name != nil }) {
        try writeTallies(walkers, "Walkers", "Walker", to: output)
      }
      try writeCalendars(to: output)
      try output.writeLine("<section>\n<h2>\(spanName)</h2>\n<div class=\"wide\">")
      try ReportPicture(report, today: today).write(to: output, isPart: true)
      try output.writeLine("</div>\n</section>")
      try writeRoutes(to: output)
      try writeWalks(to: output)
    } else {
      try output.writeLine("<p>No walks.</p>")
    }
    try output.writeLine(
      """
      </main>
      <footer>Written by dogwalk \(CommandLineTool.version) on \(today.wholeReading).</footer>
      <script>
      \(Self.script)
      </script>
      </body>
      </html>
      """)
  }

  private var spanName: String {
    switch report.span {
    case .day: "Day by day"
    case .week: "Week by week"
    case .month: "Month by month"
    }
  }

  // MARK: Totals

  private func writeTallies(
    _ report: WalkReport, _ title: String, _ column: String, to output: OutputSink
  ) throws {
    try output.writeLine(
      "<section>\n<h2>\(title)</h2>\n<div class=\"wide\">\n<table class=\"sorts\">")
    try writeHead(
      [column, "Time", "A day", "Walks", "Distance", "Pace", "Days out"], numbersFrom: 1,
      to: output)
    for tally in report.tallies {
      let sum = tally.sum
      let daysOut = report.secondsByDay(of: tally).count { $0 != nil }
      let average = (sum.seconds / 60 / Double(report.dayCount)).rounded(.down)
      let cells: [(text: String, value: Double?)] = [
        (tally.shownName, nil),
        (
          (tally.hasUnknown ? "at least " : "") + Duration.wholeMinutes(sum.seconds).reading,
          sum.seconds
        ),
        (Duration.wholeMinutes(average * 60).reading, average),
        (String(sum.walks), Double(sum.walks)),
        (sum.metres > 0 ? Distance(metres: sum.metres).reading : "", sum.metres),
        (sum.paced.reading ?? "", sum.paced.metres > 0 ? sum.paced.seconds / sum.paced.metres : 0),
        ("\(daysOut) of \(report.dayCount)", Double(daysOut)),
      ]
      try writeRow(cells, to: output)
    }
    try output.writeLine("</tbody>\n</table>\n</div>\n</section>")
  }

  private func writeHead(
    _ names: [String], numbersFrom first: Int, to output: OutputSink
  ) throws {
    try output.writeLine("<thead><tr>")
    for (index, name) in names.enumerated() {
      let kind = index >= first ? #" class="number""# : ""
      try output.writeLine(#"<th scope="col"\#(kind)>\#(name)</th>"#)
    }
    try output.writeLine("</tr></thead>\n<tbody>")
  }

  /// Writes a row of texts, with the numbers by which they are sorted.
  private func writeRow(_ cells: [(text: String, value: Double?)], to output: OutputSink) throws {
    var line = "<tr>"
    for (text, value) in cells {
      let sorted =
        value.map { #" class="number" data-value="\#($0.rounded(toDecimals: 3))""# } ?? ""
      line += "<td\(sorted)>\(text.xmlText)</td>"
    }
    try output.writeLine(line + "</tr>")
  }

  // MARK: Calendars

  private func writeCalendars(to output: OutputSink) throws {
    try output.writeLine("<section>\n<h2>Calendar</h2>")
    for tally in days.tallies where !tally.parts.isEmpty {
      try output.writeLine("<h3>\(tally.shownName.xmlText)</h3>\n<div class=\"wide\">")
      try CalendarPicture(days, tally, firstWeekday: firstWeekday).write(to: output)
      try output.writeLine("</div>")
    }
    try output.writeLine("</section>")
  }

  // MARK: Routes

  private func writeRoutes(to output: OutputSink) throws {
    var query = query
    query.hasTrack = true
    query.limit = Self.mostRoutes
    var routes: [RouteMap.Route] = []
    for walk in try run.log().walks(query) {
      guard let points = walk.trackPoints, points.segments.contains(where: { !$0.isEmpty }) else {
        continue
      }
      let start = walk.start(in: run.zone).map { "\($0.day.wholeReading) \($0.time.reading)" } ?? ""
      routes.append(
        RouteMap.Route(points, name: "\(walk.dog?.name ?? "no dog"), \(start)"))
    }
    guard !routes.isEmpty else { return }
    try output.writeLine("<section>\n<h2>Routes</h2>\n<div class=\"maps\">")
    for map in RouteMap.maps(of: routes) { try map.write(to: output) }
    try output.writeLine("</div>")
    if routes.count == Self.mostRoutes {
      try output.writeLine(
        "<p class=\"note\">The newest \(Self.mostRoutes) of the recorded walks.</p>")
    }
    try output.writeLine("</section>")
  }

  // MARK: Walks

  private func writeWalks(to output: OutputSink) throws {
    try output.writeLine("<section>\n<h2>Walks</h2>\n<div class=\"wide\">\n<table class=\"sorts\">")
    try output.writeLine("<thead><tr>")
    for (name, isNumber) in [
      ("No.", true), ("Began", false), ("Dog", false), ("Time", true), ("Distance", true),
      ("Walker", false), ("Tags", false), ("Note", false),
    ] {
      try output.writeLine(
        #"<th scope="col"\#(isNumber ? #" class="number""# : "")>\#(name)</th>"#)
    }
    try output.writeLine("</tr></thead>\n<tbody>")
    var query = query
    query.limit = Self.mostWalks
    let tags = try run.log().tags()
    let count = try run.forEachWalk(query, isReversed: false) { walk in
      let start = walk.start(in: run.zone)
      var line = #"<tr><td class="number" data-value="\#(walk.number)">\#(walk.number)</td>"#
      line += #"<td class="when" data-value="\#(start?.secondsSince1970 ?? 0)">"#
      line += start.map { "\($0.day.wholeReading) \($0.time.reading)" } ?? ""
      line += "</td><td>\(walk.shownDogName.xmlText)</td>"
      line += #"<td class="number" data-value="\#((walk.seconds ?? 0).rounded(toDecimals: 0))">"#
      line += WalkColumns.duration(of: walk)
      line +=
        #"</td><td class="number" data-value="\#((walk.metres ?? 0).rounded(toDecimals: 0))">"#
      line += walk.metres.map { Distance(metres: $0).reading } ?? ""
      line += "</td><td>\((walk.walkerName ?? "").xmlText)</td>"
      line += "<td>\(TypedWords.text(of: tags.names(of: walk)).xmlText)</td>"
      let note = (walk.note ?? "").split { $0 == "\n" || $0 == "\r\n" }
        .map { String($0).xmlText }
      line += "<td class=\"text\">\(note.joined(separator: "<br>"))</td></tr>"
      try output.writeLine(line)
    }
    try output.writeLine("</tbody>\n</table>\n</div>")
    if count == Self.mostWalks {
      try output.writeLine("<p class=\"note\">The newest \(Self.mostWalks) walks.</p>")
    }
    try output.writeLine("</section>")
  }
}

@available(*, unavailable)
extension ReportPage: Sendable {}
