import CommandLineKit
import DataFormats
import DogWalkModel
import SystemLibraries

/// All values of a walk as shown to people.
struct WalkSheet {
  private let walk: Walk
  private let companions: [Walk]
  private let run: CommandRun
  private let terminal: Terminal

  /// Creates the sheet of a walk.
  ///
  /// - Parameter companions: The walks of other dogs on the same outing.
  init(_ walk: Walk, companions: [Walk], run: CommandRun) {
    self.walk = walk
    self.companions = companions
    self.run = run
    terminal = run.terminal
  }

  /// Writes the sheet.
  func write(to output: PagedOutput) throws {
    try output.writeLine(terminal.styled("Walk \(walk.number)", .bold))
    let path = walk.trackPoints.map { TrackPath($0) }
    for (name, text) in try facts(path) {
      let room = max(20, terminal.columns - Self.indent)
      var lines = text.split(separator: "\n").flatMap { String($0).wrapped(to: room) }[...]
      try output.writeLine("  " + name.padded(to: Self.indent - 2) + (lines.popFirst() ?? ""))
      for line in lines {
        try output.writeLine(String(repeating: " ", count: Self.indent) + line)
      }
    }
    guard let path, terminal.showsPictures else { return }
    let columns = min(76, terminal.columns - 2)
    // No higher than the rest of a common screen.
    for lines in [
      RoutePicture(path).lines(columns: columns, rows: 14),
      HeightPicture(path)?.lines(columns: columns, rows: 4) ?? [],
    ] where !lines.isEmpty {
      try output.writeLine("")
      for line in lines { try output.writeLine(line.isEmpty ? "" : "  " + line) }
    }
  }

  private static let indent = 13

  private func facts(_ path: TrackPath?) throws -> [(name: String, text: String)] {
    let now = try run.clock().now
    let start = walk.start(in: run.zone)
    var facts = [("Dog", walk.shownDogName)]
    if !companions.isEmpty {
      let others = companions.map { "\($0.dog?.name ?? "no dog") (walk \($0.number))" }
      facts.append(("Together", "with \(sentenceList(others))"))
    }
    var began = start.fullReading(now: now)
    if let start {
      if run.zone.utcOffset(at: start.date) != start.utcOffset {
        began += " UTC\(start.offsetText)"
      }
      began += " (\(start.ago(now: now)))"
    }
    facts.append(("Began", began))
    if walk.isOngoing {
      facts.append(("Ended", "not yet: it is going on"))
    } else if let start, let end = walk.end(in: run.zone) {
      facts.append(("Ended", end.day == start.day ? end.time.reading : end.fullReading(now: now)))
    }
    if let seconds = walk.seconds {
      facts.append(("Length", Duration.seconds(seconds).reading))
    } else if !walk.isOngoing {
      facts.append(("Length", "not known"))
    }
    if let metres = walk.metres {
      let pace = walk.seconds.flatMap { Pace(seconds: $0, metres: metres).reading }
      facts.append(
        ("Distance", Distance(metres: metres).reading + (pace.map { ", \($0)" } ?? "")))
    }
    if let walker = walk.walkerName { facts.append(("Walker", walker.escapingControls)) }
    for (count, name) in [(walk.peeCount, "Pee"), (walk.pooCount, "Poo")] {
      if let count { facts.append((name, count == 1 ? "once" : "\(count) times")) }
    }
    let tags = walk.tagNames.map { "+\($0.escapingControls)" }
    if !tags.isEmpty { facts.append(("Tags", TypedWords.text(of: tags))) }
    if let note = walk.note {
      let lines = note.split { $0 == "\n" || $0 == "\r\n" }.map { String($0).escapingControls }
      facts.append(("Note", lines.joined(separator: "\n")))
    }
    if let path { facts += routeFacts(path) }
    facts.append(("UUID", walk.sharedIdentifier.uuidString))
    return facts.map { (name: $0.0, text: $0.1) }
  }

  private func routeFacts(_ path: TrackPath) -> [(String, String)] {
    let count = path.parts.reduce(0) { $0 + $1.count }
    let size = RoutePicture(path).size
    func metres(_ metres: Double) -> String { Distance(metres: metres).reading }
    var route = "\(count) \(count == 1 ? "point" : "points")"
    if max(size.across, size.up) >= 1 {
      route += ", \(metres(size.across)) from west to east, \(metres(size.up)) from south to north"
    }
    if path.parts.count > 1 { route += ", in \(path.parts.count) parts" }
    if terminal.showsPictures, max(size.across, size.up) >= 1 {
      route += "; it begins at o and ends at x"
    }
    var facts = [("Route", route)]
    if let heights = HeightPicture(path)?.range {
      let (low, high) = (heights.lowerBound, heights.upperBound)
      var text =
        "\(low.rounded(toDecimals: 0)) to \(high.rounded(toDecimals: 0)) m above the sea"
      if let climb = path.climb, climb >= 1 {
        text += ", \(Distance(metres: climb).metricReading) up in all"
      }
      facts.append(("Height", text))
    }
    return facts
  }
}

@available(*, unavailable)
extension WalkSheet: Sendable {}
