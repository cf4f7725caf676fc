import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Processes that do the same thing at the same time.
@Suite(.serialized) struct `Many processes at once` {
  private func answers(_ words: [[String]], in prompt: Prompt) throws -> [Prompt.Answer] {
    try words.map { try ProgramProcess($0, in: prompt) }.map { $0.answer() }
  }

  /// Whether a command succeeded, with or without a note, or was busy for too long, as happens on a
  /// busy machine.
  private func isDoneOrBusy(_ answer: Prompt.Answer) -> Bool {
    answer.code == 0 && (answer.errors.isEmpty || answer.errors.hasPrefix("Note: "))
      || answer.code == 75 && answer.output.isEmpty
        && answer.errors.hasSuffix("Nothing was changed. Try again.\n")
  }

  @Test(arguments: [true, false])
  func `importing a file add each walk once`(hasUUIDs: Bool) throws {
    let prompt = try Prompt()
    let count = 200
    var text = hasUUIDs ? "dog,start,minutes,uuid\n" : "dog,start,minutes\n"
    for number in 0..<count {
      text += "Dog \(number % 3),2026-10-\(number % 20 + 10) 0\(number % 10):30,\(number + 1)"
      text += hasUUIDs ? ",\(UUID().uuidString)\n" : "\n"
    }
    let file = prompt.file("walks.csv").path
    try Data(text.utf8).write(to: URL(filePath: file))
    let answers = try answers(Array(repeating: ["import", file], count: 8), in: prompt)
    #expect(answers.allSatisfy(isDoneOrBusy), "\(answers)")
    #expect(answers.filter { $0.output.contains("\(count) new") }.count == 1)
    #expect(
      answers.filter { $0.code == 0 && !$0.output.contains("\(count) new") }
        .allSatisfy { $0.output.hasPrefix("Nothing new") })
    #expect(prompt.run("list").output.split(separator: "\n").count == count)
    #expect(prompt.run("dogs").output.split(separator: "\n").count == 3)
  }

  @Test(arguments: [["start", "Fido"], ["continue"]])
  func `starting one dog begin one walk`(words: [String]) throws {
    let prompt = try Prompt()
    if words == ["continue"] {
      #expect(prompt.run("add", "Fido", "35m", "7:30", "--by", "Ana", "+park").code == 0)
    }
    let walksBefore = prompt.run("list").output.split(separator: "\n").count
    let answers = try answers(Array(repeating: words, count: 12), in: prompt)
    #expect(answers.filter { $0.code == 0 }.count == 1, "\(answers)")
    #expect(
      answers.filter { $0.code != 0 && $0.code != 75 }
        .allSatisfy { $0.code == 1 && $0.errors.contains("is out already") }, "\(answers)")
    #expect(prompt.run("list").output.split(separator: "\n").count == walksBefore + 1)
    #expect(prompt.run("stop").code == 0)
  }

  @Test func `giving one dog a name succeed once, and the others report the current state`() throws
  {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "35m", "--by", "Ana")
    for (words, refusal) in [
      (["dogs", "add", "Luna"], "there is a dog \"Luna\" already"),
      (["dogs", "rename", "Fido", "Shep"], "there is no dog \"Fido\""),
      (["walkers", "rename", "Ana", "Maria"], "there is no walker \"Ana\""),
    ] {
      let answers = try answers(Array(repeating: words, count: 8), in: prompt)
      #expect(answers.filter { $0.code == 0 }.count == 1, "\(words): \(answers)")
      #expect(
        answers.filter { $0.code != 0 && $0.code != 75 }
          .allSatisfy { $0.code == 1 && $0.errors.contains(refusal) }, "\(words): \(answers)")
      #expect(
        !answers.contains { $0.errors.contains("at the same moment") }, "\(words): \(answers)")
    }
  }

  @Test func `adding walks to a dog that others delete leave no walk without a dog`() throws {
    for _ in 0..<3 {
      let prompt = try Prompt()
      var text = "dog,start,minutes\n"
      for number in 0..<300 { text += "Fido,2026-10-\(number % 20 + 10) 06:30,\(number + 1)\n" }
      let file = prompt.file("walks.csv")
      try Data(text.utf8).write(to: file)
      _ = prompt.run("import", file.path)
      let adding = try ProgramProcess(
        script: """
          for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
            until dogwalk add -q Fido "${n}m" 5:00; do
              code=$?
              # The Fido that was meant has gone in between.
              [ "$code" = 75 ] || { echo "add failed: $code"; break; }
            done
          done
          """, in: prompt)
      let deleting = try ProgramProcess(
        script: """
          for n in 1 2 3 4 5 6; do dogwalk dogs delete -y Fido; echo "exit $?"; done
          """, in: prompt)
      let (added, deleted) = (adding.answer(), deleting.answer())
      let complaints = added.errors.split(separator: "\n").filter { $0.hasPrefix("dogwalk:") }
      #expect(added.output.isEmpty, "\(added)")
      #expect(complaints.allSatisfy { $0.contains("at the same moment") }, "\(added)")
      // Deleted, already gone, or another process was faster; never broken.
      for line in deleted.output.split(separator: "\n") where line.hasPrefix("exit") {
        #expect(["exit 0", "exit 1", "exit 75"].contains(line), "\(deleted)")
      }
      // Walks without a dog would stay.
      _ = prompt.run("dogs", "delete", "-y", "Fido")
      #expect(prompt.run("list").output.isEmpty)
    }
  }

  @Test func `adding walks lose none that they report`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
    var saved = 0
    for round in 0..<3 {
      let answers = try answers(
        (0..<20).map {
          ["add", "--dog", $0 % 2 == 0 ? "Fido" : "Rex", "\(round * 20 + $0 + 1)m", "6:00"]
        },
        in: prompt)
      saved += answers.filter { $0.code == 0 }.count
      #expect(answers.allSatisfy(isDoneOrBusy), "\(answers)")
    }
    #expect(prompt.run("list").output.split(separator: "\n").count == saved + 1)
    #expect(prompt.run("dogs").output.split(separator: "\n").count == 2)
    #expect(prompt.run("doctor").code == 0)
  }
}
