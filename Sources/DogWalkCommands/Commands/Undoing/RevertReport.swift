import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects

/// The output of `dogwalk undo` and `dogwalk redo`.
struct RevertReport {
  private let reverted: WalkLog.Reverted
  /// The commands that were skipped, and why.
  private let skipped: [StoreUndoLog.BlockedCommand]
  /// Later commands by other authors, which remain in effect.
  private let others: [StoreUndoLog.Command]
  private let direction: WalkLog.Direction
  private let run: CommandRun

  /// The maximum number of walks that are listed individually.
  private static let most = 10

  /// Undoes or redoes the last command, and prints what was changed.
  ///
  /// - Throws: `Complaint` if there is none, or if its rows have changed since.
  static func revert(_ direction: WalkLog.Direction, _ run: CommandRun) throws {
    let log = try run.log()
    let author = try run.author()
    // Other processes may interfere several times in a row.
    for attempt in 1...20 {
      let (command, skipped) = try next(direction, by: author, run, log)
      do {
        let reverted = try log.revert(
          command, direction, skipping: skipped.map(\.command), by: author)
        run.hasChanged = true
        let others = try othersCommands(after: command, direction, by: author, log)
        return try RevertReport(
          reverted: reverted, skipped: skipped, others: others, direction: direction, run: run
        ).write()
      } catch {
        guard let error = error as? StoreUndoError, error != .superseded || attempt == 20 else {
          if error is StoreUndoError { continue }
          throw error
        }
        // Where nothing is left to undo, skipping the command would fail as well.
        let canSkip = try direction == .undo && log.nextRevertible(by: author).command != nil
        throw Complaint(error, command, direction, canSkip: canSkip, call: run.call)
      }
    }
  }

  /// Returns the next command to revert, and those that `--skip` skips before it.
  private static func next(
    _ direction: WalkLog.Direction, by author: String?, _ run: CommandRun, _ log: WalkLog
  ) throws -> (StoreUndoLog.Command, [StoreUndoLog.BlockedCommand]) {
    var (command, blocked): (StoreUndoLog.Command?, [StoreUndoLog.BlockedCommand]) = (nil, [])
    if log.hasStore {
      if direction == .undo, run.values.contains(.skip) {
        (command, blocked) = try log.nextRevertible(by: author)
      } else {
        command = try log.next(direction, by: author)
      }
    }
    if let command { return (command, blocked) }
    let verb = direction == .undo ? "undo" : "redo"
    if let author, blocked.isEmpty, let other = try log.next(direction, by: nil)?.author {
      throw Complaint(
        .no,
        "there is no command of \(author.escapingControls) to \(verb): the last one is "
          + "\(other.escapingControls)'s",
        hint: "To \(verb) that: DOGWALK_BY=\(other.shellWord) \(run.call) \(verb)")
    }
    throw Complaint(
      .no,
      blocked.isEmpty
        ? "there is nothing to \(verb)"
        : "there is nothing to \(verb) that others have not changed since",
      hint: "\(run.call) history shows the commands that changed something.")
  }

  /// Returns later commands by other authors than that of an undone command, the newest first.
  private static func othersCommands(
    after command: StoreUndoLog.Command, _ direction: WalkLog.Direction, by author: String?,
    _ log: WalkLog
  ) throws -> [StoreUndoLog.Command] {
    guard direction == .undo, let own = author.map(NameKey.of) else { return [] }
    return try log.commands().prefix { $0.id > command.id }.filter {
      !$0.isUndone && !$0.isSkipped && $0.author.map(NameKey.of) ?? own != own
    }
  }

  /// Notes that commands by other authors remain in effect.
  private func noteOthers() throws {
    guard let last = others.first else { return }
    let more = others.count == 1 ? "" : " and \(others.count - 1) more"
    try run.note(
      "Note: a later command by \(last.author?.escapingControls ?? "somebody") is still in effect: "
        + "\(last.shownName)\(more).")
  }

  private func write() throws {
    guard !run.values.contains(.json) else { return try writeJSON() }
    defer { try? noteOthers() }
    let details = try details()
    for blocked in skipped {
      try run.note("Skipped \(blocked.command.shownName): \(blocked.error.reading).")
    }
    let head = "\(direction == .undo ? "Undid" : "Redid"): \(reverted.command.shownName)."
    if details.count == 1 {
      try run.say("\(head) \(details[0])")
    } else {
      for line in [head] + details { try run.say(line) }
    }
  }

  // MARK: For people

  private func details() throws -> [String] {
    var lines: [String] = []
    let now = try run.clock().now
    let isUndo = direction == .undo
    for (walks, verb) in [
      (reverted.back.walks, "restored"), (reverted.gone.walks, "deleted"),
      (reverted.changed.walks, isUndo ? "as before" : "changed again"),
    ] {
      guard walks.count <= Self.most else {
        lines.append("\(walks.count) walks are \(verb).")
        continue
      }
      for walk in walks {
        let start = walk.start(in: run.zone).fullReading(now: now)
        let whole = walk.wholeReading(start, tags: reverted.tags.names(of: walk))
        lines.append("Walk \(walk.number) is \(verb): \(whole).")
      }
    }
    for (dogs, verb) in [
      (reverted.back.dogs, "is restored"), (reverted.gone.dogs, "is deleted"),
      (reverted.changed.dogs, isUndo ? "is as before" : "is changed again"),
    ] where !dogs.isEmpty {
      let names = sentenceList(dogs.map(\.name))
      lines.append(
        "\(names) \(dogs.count == 1 ? verb : verb.replacingFirst("is", by: "are")).")
    }
    return lines
  }

  // MARK: For programs

  private func writeJSON() throws {
    var json = JSONWriter()
    let zone = run.zone
    json.object { json in
      json.member("schema", 1)
      json.member("command", reverted.command.name)
      if !skipped.isEmpty {
        json.member("skipped") { json in
          json.array { json in for skip in skipped { json.value(skip.command.name) } }
        }
      }
      json.member("restored") { json in
        json.lines(reverted.back.walks + reverted.changed.walks) {
          $0.value($1, zone: zone, tags: reverted.tags.names(of: $1))
        }
      }
      json.member("deleted") { json in
        json.lines(reverted.gone.walks) {
          $0.value($1, zone: zone, tags: reverted.tags.names(of: $1))
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable)
extension RevertReport: Sendable {}

extension StoreUndoLog.Command {
  /// The command as typed, truncated for messages.
  var shownName: String { wholeName.truncated(to: 120) }

  /// The command as typed, for lists, which have space for all of it.
  var wholeName: String { name.isEmpty ? "a change" : name.escapingControls }
}

extension String {
  /// Returns the text with its first word replaced.
  fileprivate func replacingFirst(_ word: String, by other: String) -> String {
    hasPrefix(word) ? other + dropFirst(word.count) : self
  }
}
