import CommandLineKit
import DogWalkModel

extension Option {
  /// `--by-day`: a line a day.
  fileprivate static let byDay = flag("by-day", help: "a line a day, as usual")
  /// `--by-week`: a line a week.
  fileprivate static let byWeek = flag("by-week", help: "a line a week")
  /// `--by-month`: a line a month.
  fileprivate static let byMonth = flag("by-month", help: "a line a month")
  /// `--by-walker`: what each walker walked.
  fileprivate static let eachWalker = flag(
    "by-walker", help: "count what each walker walked, several dogs at once as one walk")
  /// `--by-tag`: what was walked with each tag.
  fileprivate static let eachTag = flag("by-tag", help: "count what was walked with each tag")
  /// `--svg`: draw it.
  fileprivate static let svg = Option(
    "svg", value: .required("FILE"),
    help: "draw it into this file as a picture; - for standard output", completion: .files)
}

extension Command {
  /// `dogwalk report`: shows what was walked.
  static let report = Command(
    CommandSpecification(
      abstract: "Show how long and how far each dog was walked, as bars against its target.",
      examples: [
        .init("dogwalk report", "the last seven days"),
        .init("dogwalk report --last-month --by-week --dog Fido", "last month of Fido's, by week"),
        .init("dogwalk report --year --by-month --by-walker", "who walked how much this year"),
        .init("dogwalk report --days 30 --svg walks.svg", "the last 30 days as a picture"),
      ],
      options: [.byDay, .byWeek, .byMonth, .eachWalker, .eachTag, .ofDog] + Option.period + [
        .byWalker, .inNote, .json, .csv, .svg, .noPager,
      ],
      surplusHint: "Filters are options, as in dogwalk report --month --dog Fido.",
      discussion: [
        "A bar is what was walked; where it ends light, that is missing from the target, which "
          + "dogwalk dogs set gives a dog.",
        "Dogs that began a walk at one moment, for as long and with the same walker, were out together: "
          + "together, by walker and by tag that counts as one walk.",
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
        "No walks \(request.filter.reading.isEmpty ? "in the last 7 days" : request.filter.reading)"
          + ". See all: dogwalk list")
    }
  }
}

/// What `dogwalk report` is asked for.
private struct ReportRequest {
  private enum Form { case chart, json, csv, svg(String) }

  let filter: WalkFilter
  private let form: Form
  private let group: ReportGroup
  private let span: ReportSpan
  private let period: Period

  /// Reads the options.
  ///
  /// - Throws: `ValidationError` where one cannot be read, and where two ask for different things.
  init(_ run: CommandRun) throws {
    let values = run.values
    filter = try WalkFilter(values, environment: run.environment, clock: run.clock)
    let today = try run.clock().now.day
    period = filter.period ?? Period(days: today.adding(days: -6)..<today.adding(days: 1))
    let spans = values.given(among: [.byDay, .byWeek, .byMonth])
    if spans.count > 1 {
      throw ValidationError(
        "--\(spans[0].name) and --\(spans[1].name) are two ways to count", hint: "Give one.")
    }
    switch spans.first {
    case .byWeek?: span = .week(from: try Period.firstWeekday(values, run.environment))
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
    let forms = values.given(among: [.json, .csv, .svg])
    if forms.count > 1 {
      throw ValidationError(
        "--\(forms[0].name) and --\(forms[1].name) are two forms", hint: "Give one.")
    }
    switch forms.first {
    case .json?: form = .json
    case .csv?: form = .csv
    case .svg?:
      guard let path = values[.svg], !path.isEmpty else {
        throw ValidationError("--svg names no file", hint: "Write --svg walks.svg.")
      }
      form = .svg(path)
    default: form = .chart
    }
  }

  /// Reads the walks.
  func report(_ run: CommandRun) throws -> WalkReport {
    let named = try run.dogs(named: run.values.all(.ofDog))
    let dogs = try named.isEmpty ? run.log().dogs() : named
    var query = filter.query(dogs: named, zone: run.zone)
    if filter.period == nil { query = query.within(period, zone: run.zone) }
    // A walk that is still to come counts for nothing.
    let now = try run.clock().now.date
    query.latest = min(query.latest ?? now, now)
    return try WalkReport(
      query, of: dogs, in: group, by: span, in: period, log: run.log(), clock: run.clock())
  }

  /// Writes it in the form that was asked for.
  func write(_ report: WalkReport, _ run: CommandRun) throws {
    let today = try run.clock().now.day
    switch form {
    case .json: try report.writeJSON(to: run.output)
    case .csv: try report.writeCSV(to: run.output)
    case .svg("-"): try ReportPicture(report, today: today).write(to: run.output)
    case .svg(let path):
      try run.writeFile(path) { try ReportPicture(report, today: today).write(to: $0) }
      try run.say("Wrote \(path.escapingControls).")
    case .chart:
      guard !report.isEmpty else { return }
      let page = PagedOutput(
        to: run.output, on: run.terminal,
        pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
      // A streak is made of all walks, not of those that are picked.
      let isWhole = !run.values.contains(.byWalker) && !run.values.contains(.inNote)
      let dogs = report.tallies.compactMap(\.dog)
      let streaks =
        try isWhole
        ? DogStanding.all(
          of: dogs, areAll: run.values.all(.ofDog).isEmpty, in: run, isExact: false
        ).map(\.streak) : []
      try ReportChart(report, terminal: run.terminal, today: today)
        .write(to: page, streaks: streaks)
      try page.end()
    }
  }
}

@available(*, unavailable)
extension ReportRequest: Sendable {}
