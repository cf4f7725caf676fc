import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Edited exports, imported again, and compared with a slow merge that is easy to understand.
@Suite struct `An edited export` {
  /// A line of a file, or a walk in a store.
  private struct Line: Hashable, Comparable {
    var uuid = ""
    var dog: String
    var start: String
    var minutes: String
    var note: String
    var isOngoing = false

    var csv: String {
      "\(uuid),\(dog),\(start),\(minutes),\(note),\(isOngoing ? "1" : "")\n"
    }

    /// The same without a uuid.
    var anonymous: Line { named("") }

    func named(_ uuid: String) -> Line {
      var line = self
      line.uuid = uuid
      return line
    }

    func isDuplicate(of other: Line) -> Bool {
      (dog, start, minutes) == (other.dog, other.start, other.minutes)
    }

    /// Whether one of the two is ongoing, and the other has a length.
    func hasOnlyBegun(by other: Line) -> Bool {
      (dog, start) == (other.dog, other.start)
        && (isOngoing && !other.minutes.isEmpty || other.isOngoing && !minutes.isEmpty)
    }

    static func < (one: Line, other: Line) -> Bool { one.csv < other.csv }
  }

  @Test(arguments: 0..<60)
  func `is merged as a slow reference merges it`(round: Int) throws {
    let seed = SeededGenerator.seed() &+ UInt64(round)
    var random = SeededGenerator(seed: seed)
    let prompt = try Prompt()
    let first = (0..<8).map { _ in Self.line(&random) }
    try Self.merge(first, prompt)
    #expect(try Self.walks(prompt).map(\.anonymous).sorted() == first.sorted(), "seed \(seed)")
    for _ in 0..<4 {
      let before = try Self.walks(prompt)
      let edited = Self.edit(before, &random)
      try Self.merge(edited, prompt)
      let known = Set((before + edited).map(\.uuid))
      func comparable(_ walks: [Line]) -> [Line] {
        walks.map { known.contains($0.uuid) ? $0 : $0.anonymous }.sorted()
      }
      let after = try Self.walks(prompt)
      #expect(
        comparable(after) == comparable(Self.reference(before, edited)), "seed \(seed)")
      // Importing it once more adds nothing, with or without uuids.
      try Self.merge(edited, prompt)
      #expect(try Self.walks(prompt) == after, "seed \(seed)")
    }
  }

  @Test func `is one undo`() throws {
    var random = SeededGenerator(seed: 1)
    let prompt = try Prompt()
    try Self.merge((0..<8).map { _ in Self.line(&random) }, prompt)
    let before = prompt.run("export", "--format", "csv").output
    try Self.merge(Self.edit(Self.walks(prompt), &random), prompt)
    #expect(prompt.run("export", "--format", "csv").output != before)
    #expect(prompt.run("undo").code == 0)
    #expect(prompt.run("export", "--format", "csv").output == before)
  }

  // MARK: The slow reference

  private static func reference(_ stored: [Line], _ lines: [Line]) -> [Line] {
    var walks = stored
    var taken: Set<Int> = []
    for line in lines where !line.uuid.isEmpty {
      if let index = walks.firstIndex(where: { $0.uuid == line.uuid }) {
        walks[index] = line
        taken.insert(index)
      } else {
        taken.insert(walks.count)
        walks.append(line)
      }
    }
    // A walk that equals a line is never another line's.
    var rest = lines.filter(\.uuid.isEmpty)
    func take(where isMeant: (_ index: Int, _ line: Line) -> Bool, write: (Int, Line) -> Void) {
      rest.removeAll { line in
        let open = walks.indices.first { !taken.contains($0) && isMeant($0, line) }
        guard let open else { return false }
        write(open, line)
        taken.insert(open)
        return true
      }
    }
    take(where: { walks[$0].anonymous == $1 }) { _, _ in }
    take(where: { walks[$0].isDuplicate(of: $1) }) { walks[$0] = $1.named(walks[$0].uuid) }
    take(where: { stored[$0].hasOnlyBegun(by: $1) }) { index, line in
      if !line.isOngoing { walks[index] = line.named(walks[index].uuid) }
    }
    walks += rest
    return walks
  }

  // MARK: Random files

  private static func line(_ random: inout SeededGenerator) -> Line {
    let isOngoing = Int.random(in: 0..<6, using: &random) == 0
    return Line(
      dog: ["Fido", "Rex"].randomElement(using: &random)!, start: start(&random),
      minutes: isOngoing ? "" : minutes(&random), note: note(&random), isOngoing: isOngoing)
  }

  // So few, so that walks are moved to each other's times.
  private static func start(_ random: inout SeededGenerator) -> String {
    "2026-11-20T0\(Int.random(in: 5...8, using: &random)):00:00+01:00"
  }

  private static func minutes(_ random: inout SeededGenerator) -> String {
    ["", "5", "12.5"].randomElement(using: &random)!
  }

  private static func note(_ random: inout SeededGenerator) -> String {
    ["", "rain", "sun"].randomElement(using: &random)!
  }

  /// A person's edits of a file.
  private static func edit(_ walks: [Line], _ random: inout SeededGenerator) -> [Line] {
    var lines: [Line] = []
    for walk in walks {
      var line = walk
      switch Int.random(in: 0..<8, using: &random) {
      case 0: continue
      case 1: line.uuid = ""
      case 2, 3: line.start = start(&random)
      case 4:
        line.minutes = minutes(&random)
        line.isOngoing = false
      case 5: line.note = note(&random)
      case 6: lines.append(walk.anonymous)
      default: break
      }
      lines.append(line)
    }
    lines.append(line(&random))
    let uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)).uuidString
    // Two lines cannot have one.
    if !lines.contains(where: { $0.uuid == uuid }) { lines.append(line(&random).named(uuid)) }
    return lines.shuffled(using: &random)
  }

  // MARK: The program

  private static func merge(_ lines: [Line], _ prompt: Prompt) throws {
    let text = "uuid,dog,start,minutes,note,ongoing\n" + lines.map(\.csv).joined()
    try Data(text.utf8).write(to: prompt.file("edited.csv"))
    let answer = prompt.run("import", prompt.file("edited.csv").path)
    try #require(answer.code == 0, "\(answer)")
  }

  /// The walks of the store, in the order of their numbers.
  private static func walks(_ prompt: Prompt) throws -> [Line] {
    let columns = prompt.run("export", "--format", "csv").output.split(separator: "\r\n")
      .dropFirst()
    let walks = columns.map { line -> (Int, Line) in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return (
        Int(fields[0]) ?? 0,
        Line(
          uuid: fields[1], dog: fields[2], start: fields[3], minutes: fields[5], note: fields[7],
          isOngoing: fields[11] == "1")
      )
    }
    return walks.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
