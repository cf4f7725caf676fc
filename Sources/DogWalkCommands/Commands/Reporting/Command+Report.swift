import CommandLineKit
import DogWalkModel

extension Option {
  /// `--by-day`: a line for each day.
  fileprivate static let byDay = flag("by-day", help: "a line for each day, the default")
  /// `--by-week`: a line for each week.
  fileprivate static let byWeek = flag("by-week", help: "a line for each week")
  /// `--by-month`: a line for each month.
  fileprivate static let byMonth = flag("by-month", help: "a line for each month")
  /// `--by-walker`: groups walks by walker.
  fileprivate static let eachWalker = flag(
    "by-walker", help: "count what each walker walked, with several dogs at once as one walk")
  /// `--by-tag`: groups walks by tag.
  fileprivate static let eachTag = flag("by-tag", help: "count what was walked with each tag")
  /// `--calendar`: shows the days as a calendar.
  fileprivate static let calendar = flag(
    "calendar",
    help: "a calendar of the last year, with darker days for longer walks; also as JSON or CSV")
  /// `--svg`: writes a picture.
  fileprivate static let svg = Option(
    "svg", value: .required("FILE"),
    help: "draw it into this file as a picture; - for standard output", completion: .files)
}

extension Option {
  /// `--html`: writes a page.
  fileprivate static let html = Option(
    "html", value: .required("FILE"),
    help: "write a self-contained page, for a browser or for printing; - for standard output",
    completion: .files)
}

extension Command {
  /// `dogwalk report`: shows totals of walks.
  static let report = Command(
    CommandSpecification(
      abstract: "Show how long and how far each dog was walked, as bars against its target.",
      examples: [
        .init("dogwalk report", "the last seven days"),
        .init("dogwalk report --year --by-month --by-walker", "who walked how much this year"),
        .init("dogwalk report Fido --calendar", "Fido's days of the last year"),
        .init("dogwalk report --year --by-month --html walks.html", "this year as a page"),
      ],
      arguments: [.filterWords],
      options: [.byDay, .byWeek, .byMonth, .eachWalker, .eachTag, .calendar, .ofDog] + Option.period
        + [
          .byWalker, .inNote, .withTag, .json, .csv, .svg, .html, .noPager,
        ],
      discussion: [
        "A bar shows what was walked; its light end shows what is missing from the "
          + "target, which dogwalk dogs set gives a dog.",
        "Dogs that began a walk at the same moment, for the same time and with the same "
          + "walker, were out together: in totals, by walker and by tag that counts as one "
          + "walk.",
        "The pace is that of the walks that have a distance and a length; minutes are "
          + "rounded down.",
        Streak.rule,
      ]),
    isReading: true
  ) { run in
    let request = try ReportRequest(run)
    let report = try run.log().performReading {
      let report = try request.report(run)
      try request.write(report, run)
      return report
    }
    if report.isEmpty {
      try run.note(
        TypedWords.text(
          of: ["No walks \(request.periodReading)."] + request.filter.hints(run)
            + ["See all: \(run.call) list"]))
    }
  }
}

/// The report that `dogwalk report` is asked for.
private struct ReportRequest {
  private enum Form { case chart, calendar, json, csv, svg(String), html(String) }

  let filter: WalkFilter
  private let form: Form
  private let group: ReportGroup
  private let span: ReportSpan
  private let period: Period
  private let isCalendar: Bool
  private let firstWeekday: Weekday

  /// Reads the options.
  ///
  /// - Throws: `ValidationError` if one cannot be read, or if two contradict each other.
  init(_ run: CommandRun) throws {
    let values = run.values
    filter = try WalkFilter(run, clock: run.clock)
    let today = try run.clock().now.day
    let spans = values.given(among: [.byDay, .byWeek, .byMonth])
    isCalendar = values.contains(.calendar)
    let countsWeeks = isCalendar || values.contains(.html) || spans.first == .byWeek
    firstWeekday =
      countsWeeks ? try Period.firstWeekday(values, run.environment) : .monday
    // The last seven days, or for a calendar 53 weeks up to the current one.
    let first =
      isCalendar
      ? today.last(firstWeekday).adding(days: -364) : today.adding(days: -6)
    period = filter.period ?? Period(days: first..<today.adding(days: 1))
    if spans.count > 1 {
      throw ValidationError(
        "--\(spans[0].name) and --\(spans[1].name) are two ways to count", hint: "Give one.")
    }
    switch spans.first {
    case .byWeek?: span = .week(from: firstWeekday)
    case .byMonth?: span = .month
    default: span = .day
    }
    switch (values.contains(.eachWalker), values.contains(.eachTag)) {
    case (true, true):
      throw ValidationError(
        "--by-walker and --by-tag are two ways to count", hint: "Give one.")
    case (true, false): group = .walker
    case (false, true): group = .tag
    case (false, false): group = .dog
    }
    var forms = values.given(among: [.calendar, .json, .csv, .svg, .html])
    // In JSON and CSV a calendar consists of its days.
    if forms.contains(.json) || forms.contains(.csv) { forms.removeAll { $0 == .calendar } }
    if forms.count > 1 {
      throw ValidationError(
        "--\(forms[0].name) and --\(forms[1].name) are two formats", hint: "Give one.")
    }
    if isCalendar, let span = spans.first {
      throw ValidationError(
        "--calendar and --\(span.name) do not go together", hint: "A calendar shows days.")
    }
    switch forms.first {
    case .calendar?: form = .calendar
    case .json?: form = .json
    case .csv?: form = .csv
    case let option? where option == .svg || option == .html:
      guard let path = values[option], !path.isEmpty else {
        throw ValidationError(
          "--\(option.name) needs the name of a file",
          hint: "Write --\(option.name) walks.\(option.name).")
      }
      let file = OutputFile.isStandardOutput(path) ? "-" : path
      form = option == .svg ? .svg(file) : .html(file)
    default: form = .chart
    }
  }

  /// The selected walks, as a clause.
  var periodReading: String {
    guard filter.reading.isEmpty else { return filter.reading }
    return isCalendar ? "in the last year" : "in the last 7 days"
  }

  /// Returns the report, with the walks read from the log.
  func report(_ run: CommandRun) throws -> WalkReport {
    try report(run, in: group, by: span)
  }

  private func report(
    _ run: CommandRun, in group: ReportGroup, by span: ReportSpan
  ) throws -> WalkReport {
    let named = try filter.dogs(run)
    let dogs = try named.isEmpty ? run.log().dogs() : named
    return try WalkReport(
      query(run), of: dogs, in: group, by: span, in: period, log: run.log(), clock: run.clock())
  }

  /// Returns the query for the walks.
  private func query(_ run: CommandRun) throws -> WalkQuery {
    var query = filter.query(dogs: try filter.dogs(run), zone: run.zone)
    if filter.period == nil { query = query.within(period, zone: run.zone) }
    // Future walks are ignored.
    let now = try run.clock().now.date
    query.latest = min(query.latest ?? now, now)
    return query
  }

  /// Returns the page of a report.
  private func page(of report: WalkReport, _ run: CommandRun) throws -> ReportPage {
    ReportPage(
      report, walkers: try self.report(run, in: .walker, by: .month),
      days: try self.report(run, in: .dog, by: .day), query: try query(run),
      today: try run.clock().now.day, firstWeekday: firstWeekday, run: run)
  }

  /// Writes a report in the requested format.
  func write(_ report: WalkReport, _ run: CommandRun) throws {
    let today = try run.clock().now.day
    switch form {
    case .json: try report.writeJSON(to: run.output)
    case .csv: try report.writeCSV(to: run.output)
    case .svg("-"): try ReportPicture(report, today: today).write(to: run.output)
    case .svg(let path):
      try run.writeFile(path) { try ReportPicture(report, today: today).write(to: $0) }
      try run.say("Wrote \(path.escapingControls).")
    case .html("-"): try page(of: report, run).write(to: run.output)
    case .html(let path):
      let page = try page(of: report, run)
      try run.writeFile(path) { try page.write(to: $0) }
      try run.say("Wrote \(path.escapingControls).")
    case .calendar:
      guard !report.isEmpty else { return }
      let page = page(run)
      try ReportCalendar(
        report, terminal: run.terminal, today: today, firstWeekday: firstWeekday
      ).write(to: page)
      try page.end()
    case .chart:
      guard !report.isEmpty else { return }
      let page = page(run)
      // A streak consists of all walks, not only of those selected.
      let dogs = report.tallies.compactMap(\.dog)
      let streaks =
        try filter.picksAmongDays
        ? [] : DogStatus.all(of: dogs, areAll: !filter.namesDogs, in: run).map(\.streak)
      try ReportChart(report, terminal: run.terminal, today: today)
        .write(to: page, streaks: streaks)
      try page.end()
    }
  }

  private func page(_ run: CommandRun) -> PagedOutput {
    PagedOutput(
      to: run.output, on: run.terminal,
      pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
  }
}

@available(*, unavailable)
extension ReportRequest: Sendable {}
