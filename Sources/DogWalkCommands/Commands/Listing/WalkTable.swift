import CommandLineKit
import DogWalkModel

/// Walks as shown on a terminal: day by day, with each day's total.
///
/// ```text
/// Today, Sat 21 Nov: 1 h 15 min
/// 4    18:00  Fido          35 min
/// 2-3  07:30  Fido and Rex  40 min  2.4 km, by Ana; Fido: poo
/// ```
///
/// The walks of dogs that were out together share a line. Walks are added one by one, and only
/// those of a few days are in memory.
struct WalkTable {
  private struct Row {
    let walk: Walk
    let start: Moment
  }

  private let columns: WalkColumns
  private let tags: WalkTags
  private let terminal: Terminal
  private let zone: LocalZone
  private let today: CivilDate
  private let isDescending: Bool
  /// Whether there are older walks that are not shown, possibly on the oldest day.
  private let isCut: Bool
  private let output: PagedOutput
  /// Walks of days that are not yet complete, in the order added.
  private var rows: [Row] = []
  private var isBegun = false
  /// Whether the last line was a walk without a date.
  private var isUndated = false

  /// Creates a table for walks that are added with the newest first or last.
  ///
  /// - Parameter isCut: whether there are older walks that are not added.
  init(
    _ columns: WalkColumns, tags: WalkTags, terminal: Terminal, clock: WallClock,
    isDescending: Bool = true, isCut: Bool = false, to output: PagedOutput
  ) {
    self.columns = columns
    self.tags = tags
    self.terminal = terminal
    self.isDescending = isDescending
    self.isCut = isCut
    self.output = output
    zone = clock.zone
    today = clock.now.day
  }

  /// Adds the next walk, and writes the days that are now complete.
  mutating func write(_ walk: Walk) throws(OutputError) {
    guard let start = walk.start(in: zone) else { return try write(undated: walk) }
    isUndated = false
    let row = Row(walk: walk, start: start)
    // Days are those of each walk's own offset, so those of Tokyo and Lima overlap: a day is
    // complete when no offset can put another walk into it.
    if let last = rows.last, last.start.day != row.start.day {
      let isDescending = isDescending
      let slack = isDescending ? WrittenOffset.greatest : -WrittenOffset.greatest
      let seconds = start.secondsSince1970 + slack
      let nearest = Moment(secondsSince1970: seconds, utcOffset: 0).day
      try writeDays { isDescending ? $0 > nearest : $0 < nearest }
    }
    rows.append(row)
  }

  /// Writes the remaining days.
  mutating func end() throws(OutputError) { try writeDays(isEnd: true) { _ in true } }

  // MARK: Days

  /// Writes a walk without a date; these come before or after all others.
  private mutating func write(undated walk: Walk) throws(OutputError) {
    if !isUndated {
      try end()
      try writeHeading("No date")
      isUndated = true
    }
    for line in lines(of: Outing(walk), at: nil) { try output.writeLine(fitting(line)) }
  }

  private mutating func writeHeading(_ heading: String) throws(OutputError) {
    if isBegun { try output.writeLine("") }
    isBegun = true
    for line in heading.wrapped(to: terminal.columns) {
      try output.writeLine(terminal.styled(line, .bold))
    }
  }

  /// Writes the days that are complete, and discards their walks.
  private mutating func writeDays(
    isEnd: Bool = false, _ isOver: (CivilDate) -> Bool
  ) throws(OutputError) {
    var over = rows.filter { isOver($0.start.day) }
    guard !over.isEmpty else { return }
    rows.removeAll { isOver($0.start.day) }
    let isGathered = zip(over, over.dropFirst()).allSatisfy {
      isDescending ? $0.start.day >= $1.start.day : $0.start.day <= $1.start.day
    }
    if !isGathered {
      over.sort {
        let (first, second) = isDescending ? ($1.start, $0.start) : ($0.start, $1.start)
        return (first.day, first.date) < (second.day, second.date)
      }
    }
    var rest = over[...]
    while let day = rest.first?.start.day {
      let rows = rest.prefix { $0.start.day == day }
      rest = rest.dropFirst(rows.count)
      let outings = OutingGatherer.outings(of: rows.lazy.map(\.walk))
      let isOldest = isDescending ? isEnd && rest.isEmpty : !isBegun
      try writeHeading(heading(of: day, outings, isWhole: !(isCut && isOldest)))
      for outing in outings.flatMap(\.tableRows) {
        for line in lines(of: outing, at: outing.walk.start(in: zone)?.time) {
          try output.writeLine(fitting(line))
        }
      }
    }
  }

  private func heading(of day: CivilDate, _ outings: [Outing], isWhole: Bool) -> String {
    let date = day.fullReading(today: today)
    let title =
      switch today.daysSince1970 - day.daysSince1970 {
      case 0: "Today, \(date)"
      case 1: "Yesterday, \(date)"
      default: date
      }
    let known = outings.compactMap(\.seconds)
    guard !known.isEmpty else { return title }
    let total = Duration.total(known.reduce(0, +)).reading
    let isAll = isWhole && known.count == outings.count
    return isAll ? "\(title): \(total)" : "\(title): at least \(total)"
  }

  // MARK: Walks

  /// The minimum width for a readable note.
  private static let leastRoom = 24

  private func lines(of outing: Outing, at time: ClockTime?) -> [String] {
    var line = beginning(of: outing, at: time)
    let room = terminal.columns - line.displayWidth - 2
    let hasRoom = room >= Self.leastRoom
    let indent = hasRoom ? line.displayWidth + 2 : columns.number + 2
    var details = details(of: outing, width: hasRoom ? room : terminal.columns - indent)[...]
    if hasRoom, let first = details.popFirst() { line += "  " + first }
    while line.last == " " { line.removeLast() }
    return [line] + details.map { String(repeating: " ", count: indent) + $0 }
  }

  /// Returns the columns that every walk has.
  private func beginning(of outing: Outing, at time: ClockTime?) -> String {
    let dogWidth = columns.dog(on: terminal)
    var number = outing.numbersReading.padded(to: columns.number)
    if outing.walks.count == 1, !columns.hasOutings {
      number = outing.numbersReading.paddedLeft(to: columns.number)
    }
    var line = number + "  \(time.map(\.columnReading) ?? ClockTime.emptyColumn)  "
    let dogs = namesDogs(outing) ? outing.dogsReading : "\(outing.walks.count) dogs"
    line += dogs.truncated(to: dogWidth).padded(to: dogWidth)
    guard columns.duration > 0 else { return line }
    let length = WalkColumns.duration(of: outing.walk)
    line += "  " + length.paddedLeft(to: columns.duration(on: terminal))
    guard line.displayWidth > terminal.columns, !length.isEmpty else { return line }
    // A length that is cut would read as another one, so the time of day is left out instead.
    let room = max(0, terminal.columns - number.displayWidth - length.displayWidth - 4)
    return "\(number)  \(dogs.truncated(to: room).padded(to: room))  \(length)"
  }

  /// Returns whether the dogs of an outing fit their column.
  private func namesDogs(_ outing: Outing) -> Bool {
    outing.walks.count == 1 || outing.dogsReading.displayWidth <= columns.dog(on: terminal)
  }

  /// Returns all other values, wrapped to a width.
  private func details(of outing: Outing, width: Int) -> [String] {
    let text = outing.details(tags: tags, namesDogs: !namesDogs(outing))
    // The line ends of notes are kept; tabs become spaces, at which lines can be wrapped.
    return text.split { $0 == "\n" || $0 == "\r\n" }.flatMap {
      let words = TypedWords.text(of: $0.split(separator: "\t").map { String($0) })
      return words.escapingControls.wrapped(to: width)
    }
  }

  private func fitting(_ line: String) -> String { line.truncated(to: terminal.columns) }
}

@available(*, unavailable)
extension WalkTable: Sendable {}
