import CommandLineKit
import DataFormats
import DogWalkModel

/// What an import would do, walk by walk: `dogwalk import --dry-run`.
struct ImportPreview {
  private let outcomes: [WalkLog.ImportOutcome]
  private let run: CommandRun

  /// A preview of what would come of the walks of some files.
  init(_ outcomes: [WalkLog.ImportOutcome], run: CommandRun) {
    self.outcomes = outcomes
    self.run = run
  }

  /// Writes a line for each walk: a table on a terminal, else fields with tabs between them.
  func write() throws {
    guard run.terminal.isTerminal else {
      let lines = WalkLines(zone: run.zone)
      for outcome in outcomes {
        try run.output.write("\(outcome.kind.rawValue)\t")
        try lines.write(outcome.walk, to: run.output)
      }
      return
    }
    let now = try run.clock().now
    let tags = WalkTags(areThere: true)
    var table = TextTable(alignments: [.left, .left, .left, .right, .left])
    for outcome in outcomes {
      let walk = outcome.walk
      let details = Outing(walk).details(tags: tags, namesDogs: false)
      table.append([
        outcome.kind.rawValue, walk.start(in: run.zone).fullReading(now: now), walk.shownDogName,
        WalkColumns.duration(of: walk), details.escapingControls,
      ])
    }
    let page = PagedOutput(
      to: run.output, on: run.terminal, pager: Pager(environment: run.environment))
    for line in table.lines(width: run.terminal.columns) { try page.writeLine(line) }
    try page.end()
  }
}

@available(*, unavailable)
extension ImportPreview: Sendable {}
