import CommandLineKit
import DogWalkModel

/// Walks as a person reads them on a terminal: day by day, under the day's total.
///
///     Today, Sat 21 Nov: 1 h 15 min
///      4  18:00  Fido  35 min
///      3  07:30  Rex   40 min  2.4 km, by Ana; rain
struct WalkTable {
  private struct Row {
    let walk: Walk
    let start: Moment
  }

  private let rows: [Row]
  private let terminal: Terminal
  private let today: CivilDate
  private let numberWidth: Int
  private let dogWidth: Int
  private let durationWidth: Int

  /// A table of walks, the days in the order in which the walks come.
  init(_ walks: [Walk], terminal: Terminal, clock: WallClock) {
    self.terminal = terminal
    today = clock.now.day
    var rows = walks.map { Row(walk: $0, start: $0.start(in: clock.zone)) }
    Self.gatherDays(&rows)
    self.rows = rows
    numberWidth = walks.map { String($0.number).utf8.count }.max() ?? 0
    let widestDog = Set(walks.map { $0.shownDogName }).map(\.displayWidth).max() ?? 0
    dogWidth = min(widestDog, max(8, terminal.columns / 4))
    let durations = Set(walks.map(\.seconds)).map { Self.reading(seconds: $0).displayWidth }
    let isGoingOn = walks.contains(where: \.isOngoing)
    durationWidth = max(durations.max() ?? 0, isGoingOn ? Self.goingOn.displayWidth : 0)
  }

  /// Writes it line by line.
  func write(to output: PagedOutput) throws {
    var rest = rows[...]
    while let day = rest.first?.start.day {
      let rows = rest.prefix { $0.start.day == day }
      rest = rest.dropFirst(rows.count)
      try output.writeLine(terminal.styled(fitting(heading(of: day, rows)), .bold))
      for row in rows {
        for line in lines(of: row) { try output.writeLine(fitting(line)) }
      }
      if !rest.isEmpty { try output.writeLine("") }
    }
  }

  // MARK: Days

  /// Puts the walks of each day together, where offsets had them lie apart.
  ///
  /// By the clock, today in Tokyo is over before yesterday in Lima is.
  private static func gatherDays(_ rows: inout [Row]) {
    guard let first = rows.first, let last = rows.last else { return }
    let isDescending = first.start.date >= last.start.date
    let isGathered = zip(rows, rows.dropFirst()).allSatisfy {
      isDescending ? $0.start.day >= $1.start.day : $0.start.day <= $1.start.day
    }
    guard !isGathered else { return }
    rows.sort {
      let (first, second) = isDescending ? ($1.start, $0.start) : ($0.start, $1.start)
      return (first.day, first.date) < (second.day, second.date)
    }
  }

  private func heading(of day: CivilDate, _ rows: ArraySlice<Row>) -> String {
    let date = day.fullReading(today: today)
    let title =
      switch today.daysSince1970 - day.daysSince1970 {
      case 0: "Today, \(date)"
      case 1: "Yesterday, \(date)"
      default: date
      }
    let known = rows.compactMap(\.walk.seconds)
    guard !known.isEmpty else { return title }
    let total = Duration.seconds(known.reduce(0, +)).reading
    return known.count < rows.count ? "\(title): at least \(total)" : "\(title): \(total)"
  }

  // MARK: Walks

  private static let goingOn = "going on"

  private static func reading(seconds: Double?) -> String {
    seconds.map { Duration.seconds($0).reading } ?? ""
  }

  /// The narrowest column in which a note is still read well.
  private static let leastRoom = 24

  private func lines(of row: Row) -> [String] {
    var line = beginning(of: row)
    let room = terminal.columns - line.displayWidth - 2
    let hasRoom = room >= Self.leastRoom
    let indent = hasRoom ? line.displayWidth + 2 : numberWidth + 2
    var details = details(of: row.walk, width: hasRoom ? room : terminal.columns - indent)[...]
    if hasRoom, let first = details.popFirst() { line += "  " + first }
    while line.last == " " { line.removeLast() }
    return [line] + details.map { String(repeating: " ", count: indent) + $0 }
  }

  /// The columns that every walk has, whatever is known about it.
  private func beginning(of row: Row) -> String {
    let walk = row.walk
    var line = String(walk.number).paddedLeft(to: numberWidth)
    line += "  \(row.start.time)  "
    line += walk.shownDogName.truncated(to: dogWidth).padded(to: dogWidth)
    if durationWidth > 0 {
      let duration = walk.isOngoing ? Self.goingOn : Self.reading(seconds: walk.seconds)
      line += "  " + duration.paddedLeft(to: durationWidth)
    }
    return line
  }

  /// Everything else, in lines no wider than that.
  private func details(of walk: Walk, width: Int) -> [String] {
    var facts: [String] = []
    if let distance = walk.distance { facts.append(Distance(metres: distance).reading) }
    if let walker = walk.walker { facts.append("by \(walker.escapingControls)") }
    for (count, name) in [(walk.peeCount, "pee"), (walk.pooCount, "poo")] {
      if let count { facts.append(count == 1 ? name : "\(name) \(count)") }
    }
    var text = facts.joined(separator: ", ")
    guard let note = walk.note else { return text.wrapped(to: width) }
    if !text.isEmpty { text += "; " }
    // A person wrote the note in lines, and reads it so; a tab is a space that wraps.
    return (text + note).split(whereSeparator: \.isNewline).flatMap {
      let words = TypedWords.text(of: $0.split(separator: "\t").map { String($0) })
      return words.escapingControls.wrapped(to: width)
    }
  }

  private func fitting(_ line: String) -> String { line.truncated(to: terminal.columns) }
}

@available(*, unavailable)
extension WalkTable: Sendable {}
