import CommandLineKit
import DataFormats
import DogWalkModel
import ManagedObjects

extension Option {
  /// `--limit`: shows only a number of commands.
  fileprivate static let lastCommands = Option(
    "limit", value: .required("N"), help: "the last N of them")
  /// `--forget`: deletes the undo log.
  fileprivate static let forget = flag(
    "forget", help: "forget them, and deleted values, permanently")
  /// `-y`, `--yes`: deletes it without asking.
  fileprivate static let yesToForgetting = flag(
    "yes", short: "y", help: "forget without asking")
}

extension Command {
  /// `dogwalk history`: shows the commands that can be undone.
  static let history = Command(
    CommandSpecification(
      abstract: "Show the commands that changed something, the last one first.",
      examples: [
        .init("dogwalk history", "what dogwalk undo would undo, one after the other"),
        .init("dogwalk history --limit 5", "the last five"),
        .init("dogwalk history --json", "the same for a program"),
        .init("dogwalk history --forget", "forget them, and deleted values, permanently"),
      ],
      options: [.lastCommands, .forget, .yesToForgetting, .json, .noPager],
      surplusHint: "How many is an option, as in dogwalk history --limit 5.",
      discussion: [
        "Undone commands are marked undone: dogwalk redo does them again, until a new "
          + "command changes something. Commands that undo skipped are marked skipped. "
          + "Piped output has one line per command: its time, the command, the numbers of its "
          + "walks, undone, skipped or nothing, and its author, separated by tabs.",
        "Deleted and old values are kept in the store so that they can be restored, "
          + "along with the words that were typed, notes and names included. --forget "
          + "removes all of it from the store's file permanently; nothing can be undone "
          + "then. Names of tags and walkers stay, even if no walk has them any more. It asks "
          + "first, and needs --yes if it cannot ask. Older copies of the store still have it.",
      ]),
    isReading: true
  ) { run in
    guard !run.values.contains(.forget) else { return try HistoryDeletion(run).perform() }
    guard !run.values.contains(.yesToForgetting) else {
      throw ValidationError("--yes goes with --forget", hint: "Leave it out.")
    }
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

/// The output of `dogwalk history`.
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

  /// Returns the time of a command; nil if the stored date is invalid.
  private func moment(of command: StoreUndoLog.Command) -> Moment? {
    command.date.inCalendar.map { run.zone.moment(at: $0) }
  }

  /// The minimum width for a readable command.
  private static let leastRoom = 24

  private func writeTable() throws {
    let now = try run.clock().now
    let columns = run.terminal.columns
    var table = TextTable(alignments: [.left, .left, .left, .left])
    for command in commands {
      table.append([
        moment(of: command).reading(now: now), command.state, command.walksReading,
        command.author?.escapingControls ?? "",
      ])
    }
    let heads = table.lines(width: columns)
    let width = heads.map(\.displayWidth).max() ?? 0
    let room = columns - width - 2
    let isBelow =
      room < Self.leastRoom && commands.contains { $0.wholeName.displayWidth > room }
    let page = PagedOutput(
      to: run.output, on: run.terminal,
      pager: run.values.contains(.noPager) ? nil : Pager(environment: run.environment))
    for (head, command) in zip(heads, commands) {
      let name = command.wholeName
      let indent = isBelow ? 2 : width + 2
      let isWhole = name.displayWidth <= columns - indent
      var names = isWhole ? [name] : name.wrapped(to: columns - indent)
      let first = isBelow || names.isEmpty ? head : head.padded(to: indent) + names.removeFirst()
      let lines = [first] + names.map { String(repeating: " ", count: indent) + $0 }
      for line in lines {
        try page.writeLine(command.state.isEmpty ? line : run.terminal.styled(line, .dim))
      }
    }
    try page.end()
  }

  private func writeLines() throws {
    for command in commands {
      let numbers = TypedWords.text(of: command.walkNumbers.map { String($0) })
      try run.output.writeLine(
        "\(moment(of: command)?.iso8601 ?? "")\t\(command.name.tabSeparatedField)\t\(numbers)"
          + "\t\(command.state)\t\(command.author?.tabSeparatedField ?? "")")
    }
  }

  private func writeJSON() throws {
    try run.writeDocument("commands", of: commands) { json, command in
      json.member("at", moment(of: command)?.iso8601)
      json.member("command", command.name)
      json.member("walks") { json in
        json.array { json in
          for number in command.walkNumbers { json.value(Int(number)) }
        }
      }
      json.member("undone", command.isUndone)
      json.member("by", command.author)
      if command.isSkipped { json.member("skipped", true) }
    }
  }
}

@available(*, unavailable)
extension CommandHistory: Sendable {}

/// `dogwalk history --forget`, which deletes the undo log.
private struct HistoryDeletion {
  private let run: CommandRun
  private let log: WalkLog
  /// The commands that the question to the person covers.
  private let seen: [StoreUndoLog.Command]

  init(_ run: CommandRun) throws {
    if let option = run.values.given(among: [.lastCommands, .json]).first {
      throw ValidationError(
        "--forget and --\(option.name) do not go together", hint: "It forgets all commands.")
    }
    self.run = run
    log = try run.logForChanging()
    seen = try log.commands()
  }

  func perform() throws {
    guard log.hasStore else { return try run.note("No commands yet that changed something.") }
    guard try isAllowed() else {
      try run.note("Nothing was forgotten.")
      throw ExitCode.no
    }
    var count = 0
    do {
      // The question did not cover commands added since.
      let isForgotten = try log.forget { commands in
        count = commands.count
        return commands == seen || run.values.contains(.yesToForgetting)
      }
      guard isForgotten else { throw Complaint.conflict(call: run.call) }
    } catch let error as StoreUndoLog.LogRewriteError {
      let isBusy = if case .busy = error.reason { true } else { false }
      throw Complaint(
        isBusy ? .busy : .inputOutput,
        "\(Self.reading(count)), but what was deleted may still be "
          + (try run.isOnServer() ? "on the server: " : "among the bytes of the file: ")
          + (isBusy ? "it is in use" : "it could not be rewritten"),
        hint: "Give \(run.call) history --forget again, when there is room and nobody else uses "
          + "it.")
    }
    run.hasChanged = true
    let what = Self.reading(count)
    let said = "\(what.prefix(1).uppercased())\(what.dropFirst())."
    guard try !run.isOnServer() else {
      return try run.say(
        "\(said) The server may keep what was deleted in its own logs and files for a while.")
    }
    try run.say("\(said) No deleted walk is left in the store.")
  }

  private static func reading(_ count: Int) -> String {
    count == 0 ? "there was no command to forget" : "forgot \(commands(count))"
  }

  private static func commands(_ count: Int) -> String {
    "\(count) \(count == 1 ? "command" : "commands")"
  }

  private func isAllowed() throws -> Bool {
    guard !seen.isEmpty, !run.values.contains(.yesToForgetting) else { return true }
    let commands = Self.commands(seen.count)
    guard run.canAsk else {
      throw ValidationError(
        "forgetting \(commands) needs --yes",
        hint: "Nothing was forgotten. Look at them first: \(run.call) history")
    }
    return try run.ask("Forget \(commands)? None of them can be undone then.")
  }
}

@available(*, unavailable)
extension HistoryDeletion: Sendable {}

extension StoreUndoLog.Command {
  /// The word for its state; empty if it can be undone.
  fileprivate var state: String { isUndone ? "undone" : isSkipped ? "skipped" : "" }

  /// The numbers of the walks that it added, changed or deleted.
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
