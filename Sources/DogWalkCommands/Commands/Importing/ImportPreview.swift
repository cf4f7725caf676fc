import CommandLineKit
import DataFormats
import DogWalkModel

/// The effect of an import, walk by walk: `dogwalk import --dry-run`.
struct ImportPreview {
  private let preview: WalkLog.ImportPreview
  private let run: CommandRun

  /// Creates a preview of importing some files.
  init(_ preview: WalkLog.ImportPreview, run: CommandRun) {
    self.preview = preview
    self.run = run
  }

  /// Writes a line for each walk: a table on a terminal, else fields separated by tabs.
  func write() throws {
    guard run.terminal.isTerminal else {
      let lines = WalkLines(zone: run.zone)
      for outcome in preview.outcomes {
        try run.output.write("\(outcome.kind.rawValue)\t")
        try lines.write(outcome.walk, to: run.output)
      }
      return
    }
    let now = try run.clock().now
    let tags = WalkTags(areThere: true)
    var table = TextTable(alignments: [.left, .left, .left, .right, .left])
    for outcome in preview.outcomes {
      let walk = outcome.walk
      let details = Outing(walk).details(tags: tags, namesDogs: false)
      table.append([
        outcome.kind.rawValue, walk.start(in: run.zone).fullReading(now: now), walk.shownDogName,
        WalkColumns.duration(of: walk), details.escapingControls,
      ])
    }
    let page = PagedOutput(
      to: run.output, on: run.terminal, pager: Pager(environment: run.environment))
    for line in table.wrappedLines(width: run.terminal.columns) { try page.writeLine(line) }
    try page.end()
  }

  /// Prints the notes of the import about new walks: those that overlap others, and long ones.
  func writeNotes() throws {
    let usual = Duration.seconds(CommandRun.longestUsual).reading
    try note(
      preview.merged.overlapping, preview.overlapping, "overlaps another walk of the same dog",
      several: "overlap other walks of the same dog")
    try note(
      preview.merged.long, preview.long, "is longer than \(usual)",
      several: "are longer than \(usual)")
  }

  /// Notes something about new walks and lists the first of them, which have no numbers yet.
  private func note(
    _ count: Int, _ first: [Walk], _ text: String, several: String
  ) throws {
    guard count > 0 else { return }
    let now = try run.clock().now
    let readings = first.map { $0.reading($0.start(in: run.zone).fullReading(now: now)) }
    let subject = count == 1 ? "a new walk \(text)" : "\(count) new walks \(several)"
    try run.note(
      "Note: \(subject)\(count > first.count ? ", among them" : ""): "
        + "\(readings.joined(separator: "; ")).")
  }
}

@available(*, unavailable)
extension ImportPreview: Sendable {}
