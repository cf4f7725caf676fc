import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Commands that are killed at any moment: each is done as a whole, or not at all.
@Suite(.serialized) struct `A killed command` {
  private let prompt: Prompt
  private let seed = SeededGenerator.seed()

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "Fido", "35m", "yesterday", "18:00", "--note", "0")
  }

  /// Everything that can be seen of the store.
  private var state: [String] {
    [prompt.run("list", "--json").output, prompt.run("dogs", "--json").output]
  }

  /// Runs commands in turn, each killed at a random moment, and then checks the store.
  ///
  /// - Parameters:
  ///   - command: the words of the next command.
  ///   - check: says whether the new state is valid after the old one.
  private func kill(
    rounds: Int, _ command: (Int) -> [String], _ check: (Int, [String], [String]) throws -> Void
  ) throws {
    var random = SeededGenerator(seed: seed)
    // The time that a command takes here, so that the moments are spread over it.
    let clock = ContinuousClock()
    let duration = try clock.measure { _ = try ProgramProcess(["list"], in: prompt).answer() }
    let longest = max(4_000, UInt32(duration.components.attoseconds / 1_000_000_000_000)) * 2
    var before = state
    for round in 1...rounds {
      let process = try ProgramProcess(command(round), in: prompt)
      usleep(UInt32.random(in: 0..<longest, using: &random))
      process.kill()
      _ = process.answer()
      let doctor = prompt.run("doctor")
      #expect(doctor.code == 0, "seed \(seed), round \(round): \(doctor)")
      let after = state
      try check(round, before, after)
      before = after
    }
    // The leftovers do no harm.
    #expect(prompt.run("add", "Fido", "5m").code == 0)
  }

  @Test func `import`() throws {
    var text = "dog,start,minutes\n"
    for number in 0..<1_500 {
      text +=
        "Rex,2026-\(number % 9 + 10 > 10 ? "09" : "10")-\(number % 20 + 10) 0\(number % 10):30,\(number + 1)\n"
    }
    let file = prompt.file("walks.csv").path
    try Data(text.utf8).write(to: URL(filePath: file))
    var counts: Set<Int> = []
    try kill(rounds: 12) { _ in
      ["import", file]
    } _: { round, _, _ in
      let count = prompt.run("list").output.split(separator: "\n").count
      counts.insert(count)
      #expect(count == 1 || count == 1_501, "seed \(seed), round \(round)")
      if count > 1 {
        #expect(prompt.run("undo").code == 0)
        #expect(prompt.run("list").output.split(separator: "\n").count == 1)
      }
    }
    #expect(!counts.isEmpty)
  }

  @Test func `edit`() throws {
    try kill(rounds: 20) { round in
      ["edit", "1", "--note", "\(round)", "--duration", "\(round)m", "--dog", "Fido"]
    } _: { round, before, after in
      let isDone = after[0].contains("\"note\": \"\(round)\"")
      #expect(isDone || after == before, "seed \(seed), round \(round)")
      #expect(
        !isDone || after[0].contains("\"minutes\": \(round),"), "seed \(seed), round \(round)")
    }
  }

  @Test func `start and stop`() throws {
    try kill(rounds: 20) { _ in
      state[0].contains("\"end\": null") ? ["stop", "--note", "home"] : ["start", "Fido"]
    } _: { round, before, after in
      let wasOut = before[0].contains("\"end\": null")
      let isOut = after[0].contains("\"end\": null")
      #expect(wasOut != isOut || before == after, "seed \(seed), round \(round)")
    }
  }

  @Test func `undo and redo`() throws {
    for number in 1...8 { _ = prompt.run("edit", "1", "--note", "\(number)") }
    try kill(rounds: 20) { round in
      [round / 5 % 2 == 0 ? "undo" : "redo"]
    } _: { round, before, after in
      func number(_ state: [String]) -> Int? {
        (0...8).first { state[0].contains("\"note\": \"\($0)\"") }
      }
      let steps = try #require(number(after)) - #require(number(before))
      #expect(
        (round / 5 % 2 == 0 ? [0, -1] : [0, 1]).contains(steps), "seed \(seed), round \(round)")
    }
    while prompt.run("undo").code == 0 {}
    #expect(prompt.run("list").output.isEmpty)
  }
}
