import CommandLineKit
import DataFormats
import DogWalkModel

/// The output of `dogwalk delete`, created before the walks are deleted.
struct DeleteReport {
  private let lines: [String]
  private let json: JSONWriter
  private let run: CommandRun

  /// The maximum number of walks that are deleted without asking, and that are listed individually.
  private static let most = 10

  /// Creates the output about some walks.
  init(_ walks: [Walk], _ run: CommandRun) throws {
    self.run = run
    let isDryRun = run.values.contains(.dryRun)
    let verb = isDryRun ? "Would delete" : "Deleted"
    let now = try run.clock().now
    // A dry run shows each walk.
    var lines: [String]
    if walks.count > Self.most, !isDryRun {
      lines = ["\(verb) \(Self.summary(walks, run, now: now))."]
    } else {
      lines = walks.map { walk in
        let start = walk.start(in: run.zone).fullReading(now: now)
        return "\(verb) walk \(walk.number): \(walk.reading(start))."
      }
    }
    if !isDryRun { lines[lines.count - 1] += "  Undo: \(run.call) undo" }
    self.lines = lines
    var json = JSONWriter()
    if run.values.contains(.json) {
      json.document(
        "deleted", walks, zone: run.zone, isDryRun: run.values.contains(.dryRun))
    }
    self.json = json
  }

  /// Prints what was deleted.
  func write() throws {
    if run.values.contains(.json) {
      var json = json
      try json.drain(into: run.output)
    } else {
      // This is the only result of a dry run, so `--quiet` does not suppress it.
      let isDryRun = run.values.contains(.dryRun)
      for line in lines { try isDryRun ? run.tell(line) : run.say(line) }
    }
  }

  /// Returns whether walks may be deleted: a few always, many if a person or `--yes` confirms it.
  ///
  /// - Throws: `ValidationError` if there are many and nobody can be asked; `Complaint` if one does
  ///   not exist.
  static func mayDelete(
    _ ranges: [ClosedRange<Int64>], _ run: CommandRun
  ) throws -> Bool {
    let count = try WalkNumbers.numbers(in: ranges).count
    guard count > most, !run.values.contains(.yes) else { return true }
    let walks = try run.walksToDelete(ranges)
    guard walks.count > most else { return true }
    guard run.canAsk else {
      throw ValidationError(
        "deleting \(walks.count) walks at once needs --yes",
        hint: "Nothing was deleted. Look at them first: \(run.call) delete --dry-run "
          + run.values.operands.shellOperands)
    }
    return try run.ask("Delete \(summary(walks, run, now: run.clock().now))?")
  }

  /// Returns a summary of many walks: `12 walks, from Mon 2 Nov 07:30 to Fri 20 Nov 18:00`.
  private static func summary(_ walks: [Walk], _ run: CommandRun, now: Moment) -> String {
    let starts = walks.compactMap { $0.start(in: run.zone) }.sorted { $0.date < $1.date }
    guard let first = starts.first, let last = starts.last else { return "\(walks.count) walks" }
    return "\(walks.count) walks, from \(first.fullReading(now: now)) "
      + "to \(last.fullReading(now: now))"
  }
}

@available(*, unavailable)
extension DeleteReport: Sendable {}
