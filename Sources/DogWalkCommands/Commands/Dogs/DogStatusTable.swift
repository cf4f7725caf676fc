import CommandLineKit
import DogWalkModel

/// The state of every dog, a line for each; several lines if the terminal is narrow.
///
/// ```text
/// Fido   today 07:30 (3 h ago, Ana)   35 of 60 min   9 days in a row
/// Rex    yesterday 18:10 (17 h ago)   0 of 45 min    overdue
/// ```
struct DogStatusTable {
  private let statuses: [DogStatus]
  private let names: [String]
  private let lastWalks: [String]
  private let terminal: Terminal

  /// The minimum width for the rest of a line after the name.
  private static let leastRoom = 20

  /// Creates a table of the current states.
  init(_ statuses: [DogStatus], terminal: Terminal, clock: WallClock) {
    self.statuses = statuses
    self.terminal = terminal
    let hasMark = statuses.count > 1 && statuses.contains(where: \.isCurrent)
    // In a short line the time of the last walk matters more than the end of a long name.
    let widest = terminal.isTerminal ? max(10, terminal.columns / 3) : .max
    names = statuses.map { status in
      let mark = hasMark ? (status.isCurrent ? "* " : "  ") : ""
      return (mark + status.dog.shownName).truncated(to: widest)
    }
    lastWalks = statuses.map { $0.lastWalkReading(now: clock.now, clock.zone) }
  }

  /// Writes the table.
  func write(to output: OutputSink) throws(OutputError) {
    let nameWidth = Self.width(names)
    let walkWidth = Self.width(lastWalks)
    let todayWidth = Self.width(statuses.map(\.todayReading))
    let stateWidth = Self.width(statuses.map(state))
    let width = [nameWidth, walkWidth, todayWidth, stateWidth].reduce(-3) {
      $0 + ($1 > 0 ? $1 + 3 : 0)
    }
    let isWide = !terminal.isTerminal || width <= terminal.columns
    for (index, status) in statuses.enumerated() {
      let name = names[index].padded(to: nameWidth)
      if isWide {
        var line = name + "   " + lastWalks[index].padded(to: walkWidth)
        if todayWidth > 0 { line += "   " + today(status, paddedTo: todayWidth) }
        if !status.states.isEmpty { line += "   " + styledState(status) }
        while line.last == " " { line.removeLast() }
        try output.writeLine(line)
      } else {
        try writeNarrow(status, name, lastWalks[index], to: output)
      }
    }
  }

  /// Writes the name and the last walk, and the other facts below.
  private func writeNarrow(
    _ status: DogStatus, _ name: String, _ lastWalk: String, to output: OutputSink
  ) throws(OutputError) {
    let beside = terminal.columns - name.displayWidth - 3
    let hasRoom = beside >= Self.leastRoom
    let indent = hasRoom ? name.displayWidth + 3 : 2
    let room = terminal.columns - indent
    var lines = lastWalk.wrapped(to: room)[...]
    let first = hasRoom ? "\(name)   \(lines.popFirst() ?? "")" : name
    try output.writeLine(first)
    let facts = [status.todayReading] + status.states
    for line in lines { try output.writeLine(String(repeating: " ", count: indent) + line) }
    var width = 0
    var line = String(repeating: " ", count: indent)
    // Fills lines up to that width without breaking a fact.
    for fact in facts where !fact.isEmpty {
      if width > 0, width + 2 + fact.displayWidth > room {
        try output.writeLine(line)
        line = String(repeating: " ", count: indent)
        width = 0
      }
      line += (width > 0 ? ", " : "") + styled(fact, status)
      width += (width > 0 ? 2 : 0) + fact.displayWidth
    }
    if width > 0 { try output.writeLine(line) }
  }

  private func state(_ status: DogStatus) -> String {
    status.states.joined(separator: ", ")
  }

  private static func width(_ texts: [String]) -> Int { texts.map(\.displayWidth).max() ?? 0 }

  // MARK: Colour, which only repeats what the words express

  private func today(_ status: DogStatus, paddedTo width: Int) -> String {
    let text = status.todayReading
    return styled(text, status) + String(repeating: " ", count: width - text.displayWidth)
  }

  private func styledState(_ status: DogStatus) -> String {
    status.states.map { styled($0, status) }.joined(separator: ", ")
  }

  private func styled(_ fact: String, _ status: DogStatus) -> String {
    if fact == DogStatus.overdue { return terminal.styled(fact, .red) }
    let isGood = status.hasReachedTarget && fact == status.todayReading
    return isGood ? terminal.styled(fact, .green) : fact
  }
}

@available(*, unavailable)
extension DogStatusTable: Sendable {}
