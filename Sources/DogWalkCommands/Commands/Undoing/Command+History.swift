import CommandLineKit
import DogWalkModel
import ManagedObjects

extension Option {
  /// `--limit`: only so many commands.
  fileprivate static let lastCommands = Option(
    "limit", value: .required("N"), help: "the last N of them")
}

extension Command {
  /// `dogwalk history`: shows the commands that can be taken back.
  static let history = Command(
    CommandSpecification(
      abstract: "Show the commands that changed something, the last one first.",
      examples: [
        .init("dogwalk history", "what dogwalk undo would take back, one after the other"),
        .init("dogwalk history --limit 5", "the last five"),
        .init("dogwalk history --json", "the same for a program"),
      ],
      options: [.lastCommands, .json, .noPager],
      surplusHint: "How many is an option, as in dogwalk history --limit 5.",
      discussion: [
        "Those that were taken back are marked undone: dogwalk redo does them again, until a new "
          + "command changes something. On a pipe each is a line: when it was given, the command, "
          + "the walks' numbers, and undone or nothing, with tabs between them."
      ])
  ) { run in
    let limit = try run.values[.lastCommands].map { typed in
      guard let limit = Int(typed), limit > 0 else {
        throw ValidationError(
          "--limit cannot be \(ValidationError.quoted(typed))",
          hint: "Write --limit 10 for the last ten.")
      }
      return limit
    }
    let commands = try run.log().commands(limit: limit)
    try CommandHistory(commands: commands, run: run).write()
    if commands.isEmpty { try run.note("No commands yet that changed something.") }
  }
}

/// Commands as `dogwalk history` shows them.
private struct CommandHistory {
  let commands: [StoreUndoLog.Command]
  let run: CommandRun

  func write() throws {
    if run.values.contains(.json) {
      try writeJSON()
    } else if run.terminal.isTerminal {
      try writeTable()
    } else {
      try writeLines()
    }
  }

  private func writeTable() throws {
    let now = try run.clock().now
    var table = TextTable(alignments: [.left, .left, .left, .left])
    for command in commands {
      let at = run.zone.moment(at: command.date).reading(now: now)
      table.append([
        at, command.isUndone ? "undone" : "", command.walksReading, command.shownName,
      ])
    }
    let page = PagedOutput(
      to: run.output, on: run.terminal,
      pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
    for (line, command) in zip(table.lines(width: run.terminal.columns), commands) {
      try page.writeLine(command.isUndone ? run.terminal.styled(line, .dim) : line)
    }
    try page.end()
  }

  private func writeLines() throws {
    for command in commands {
      let numbers = TypedWords.text(of: command.walkNumbers.map { String($0) })
      try run.output.writeLine(
        "\(run.zone.moment(at: command.date).iso8601)\t\(command.name.tabSeparatedField)\t\(numbers)"
          + "\t\(command.isUndone ? "undone" : "")")
    }
  }

  private func writeJSON() throws {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("commands") { json in
        json.lines(commands) { json, command in
          json.object { json in
            json.member("at", run.zone.moment(at: command.date).iso8601)
            json.member("command", command.name)
            json.member("walks") { json in
              json.array { json in
                for number in command.walkNumbers { json.value(Int(number)) }
              }
            }
            json.member("undone", command.isUndone)
          }
        }
      }
    }
    json.endLine()
    try json.drain(into: run.output)
  }
}

@available(*, unavailable)
extension CommandHistory: Sendable {}

extension StoreUndoLog.Command {
  /// The numbers of the walks that it made, changed or deleted.
  fileprivate var walkNumbers: [Int64] {
    (inserted + updated + deleted).filter { $0.entity.name == "Walk" }.compactMap(\.primaryKey)
      .sorted()
  }

  /// The same for people: `walk 3`, `walks 3 and 4`, `12 walks`.
  fileprivate var walksReading: String {
    let numbers = walkNumbers
    return switch numbers.count {
    case 0: ""
    case 1: "walk \(numbers[0])"
    case ..<6: "walks \(sentenceList(numbers.map { String($0) }))"
    default: "\(numbers.count) walks"
    }
  }
}
