import CommandLineKit
import DogWalkModel

/// Walks as a person reads them on a terminal: day by day, under the day's total.
///
///     Today, Sat 21 Nov: 1 h 15 min
///      4  18:00  Fido  35 min  rain
///      3  07:30  Rex   40 min  2.4 km, by Ana
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
      for row in rows { try output.writeLine(fitting(line(of: row))) }
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

  private func line(of row: Row) -> String {
    let walk = row.walk
    var line = String(walk.number).paddedLeft(to: numberWidth)
    line += "  \(row.start.time)  "
    line += walk.shownDogName.truncated(to: dogWidth).padded(to: dogWidth)
    if durationWidth > 0 {
      let duration = walk.isOngoing ? Self.goingOn : Self.reading(seconds: walk.seconds)
      line += "  " + duration.paddedLeft(to: durationWidth)
    }
    let facts = facts(of: walk)
    if !facts.isEmpty { line += "  " + facts }
    if let note = walk.note { line += "  " + note.escapingControls }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func facts(of walk: Walk) -> String {
    var facts: [String] = []
    if let distance = walk.distance { facts.append(Distance(metres: distance).reading) }
    if let walker = walk.walker { facts.append("by \(walker.escapingControls)") }
    for (count, name) in [(walk.peeCount, "pee"), (walk.pooCount, "poo")] {
      if let count { facts.append(count == 1 ? name : "\(name) \(count)") }
    }
    return facts.joined(separator: ", ")
  }

  private func fitting(_ line: String) -> String { line.truncated(to: terminal.columns) }
}

@available(*, unavailable)
extension WalkTable: Sendable {}
