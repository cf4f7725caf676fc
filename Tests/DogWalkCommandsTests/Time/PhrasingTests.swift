import CommandLineKit
import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Every line of `Tests/Tables/phrasings.txt`: what people type after `dogwalk add`, and the walk
/// that it means, or why it is refused.
@Suite struct `Phrasings of add` {
  private static let lines: [(typed: String, meaning: String)] = {
    let table = URL.projectFolder.appending(path: "Tests/Tables/phrasings.txt")
    guard let text = try? String(contentsOf: table, encoding: .utf8) else {
      fatalError("\(table.path) cannot be read.")
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("# ") }.map { line in
      guard let mark = line.range(of: " = ", options: .backwards, range: meaningSearch(line)) else {
        fatalError("no meaning: \(line)")
      }
      return (String(line[..<mark.lowerBound]), String(line[mark.upperBound...]))
    }
  }()

  /// Where the equals sign before a line's meaning is searched for: refusals may quote others.
  private static func meaningSearch(_ line: Substring) -> Range<Substring.Index> {
    let refusal = line.range(of: " = ! ")
    return line.startIndex..<(refusal?.upperBound ?? line.endIndex)
  }

  @Test func `there are five hundred of them, without duplicates`() {
    #expect(Self.lines.count >= 500)
    #expect(Set(Self.lines.map(\.typed)).count == Self.lines.count)
  }

  @Test func `each has the meaning in the table, and none creates a dog by accident`() throws {
    let prompt = try Prompt()
    prompt.variables["DOGWALK_NOW"] = "2026-11-23T18:00:00Z"
    for words in [
      ["dogs", "add", "Fido", "Rex", "Luna", "Old Yeller"], ["dogs", "use", "Fido"],
      ["add", "Fido", "1m", "2026-01-01 8:00", "--by", "Ana"],
      ["add", "Fido", "1m", "2026-01-01 9:00", "--by", "Bob"],
      ["add", "Fido", "1m", "2026-01-01 10:00", "--by", "Ana Maria"],
    ] { try #require(prompt.run(words).code == 0) }
    for (typed, meaning) in Self.lines {
      let words = ["add"] + Self.words(of: typed)
      #expect(Self.meaning(of: words, in: prompt) == meaning, "\(typed)")
    }
    #expect(prompt.run("list").output.split(separator: "\n").count == 3)
  }

  /// The words of a line, split by a shell that supports only double quotes.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character == " ", !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap { $0 }
  }

  private static func meaning(of words: [String], in prompt: Prompt) -> String {
    do {
      let surroundings = ProgramEnvironment(
        environment: Environment(prompt.variables), zone: .berlin, output: .memory(),
        errors: .memory())
      let invocation = try Invocation(words: words, commands: Command.dogwalk.specification)
      guard case .run(let path, let values) = invocation else { return "help" }
      let run = CommandRun(
        words: words, values: values, options: path.command.options, isReading: true,
        in: surroundings)
      let request = try AddRequest(run)
      return reading(of: request.drafts[0], request.dogs)
    } catch {
      return "! " + (Complaint(about: error).message ?? "")
    }
  }

  /// A walk as the table has it: `Fido; 2026-11-23 18:25 to 19:00; 2400 m; by Ana`.
  private static func reading(of draft: WalkDraft, _ dogs: [String]) -> String {
    let start = Moment(date: draft.start, utcOffset: draft.utcOffset)
    var time = clock(start, withDay: true)
    if draft.utcOffset != 3600 { time += String(start.iso8601.suffix(6)) }
    if let seconds = draft.duration {
      let end = start.adding(seconds: seconds)
      time += " to " + clock(end, withDay: end.day != start.day)
    }
    var names: [String] = []
    for name in dogs where !names.contains(name) { names.append(name) }
    var parts = [names.joined(separator: "+"), time]
    if let metres = draft.distance {
      parts.append("\(metres == metres.rounded() ? "\(Int(metres))" : "\(metres)") m")
    }
    if let walker = draft.walker { parts.append("by \(walker)") }
    if let pee = draft.peeCount { parts.append("pee \(pee)") }
    if let poo = draft.pooCount { parts.append("poo \(poo)") }
    if let note = draft.note { parts.append("note \(note)") }
    parts += draft.tags.map { "+\($0)" }
    return parts.joined(separator: "; ")
  }

  private static func clock(_ moment: Moment, withDay: Bool) -> String {
    let seconds = moment.time.second == 0 ? "" : ":\(moment.time.second.padded(to: 2))"
    return (withDay ? "\(moment.day) " : "") + "\(moment.time)" + seconds
  }
}
