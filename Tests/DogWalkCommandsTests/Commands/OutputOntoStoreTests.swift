import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Output never overwrites the store, or its other files, or the input.
@Suite struct `Output onto the store` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    _ = prompt.run("add", "Fido", "35m")
    let (store, home) = (prompt.file("walks.sqlite").path, prompt.home.path)
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/link.json", withDestinationPath: store)
    try FileManager.default.linkItem(atPath: store, toPath: "\(home)/hard.json")
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/folder", withDestinationPath: home)
  }

  private func bytes() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: prompt.home.path) {
      found[name] = try? Data(contentsOf: prompt.file(name))
    }
    return found
  }

  @Test(arguments: [
    "walks.sqlite", "walks.sqlite-wal", "walks.sqlite-shm", "walks.sqlite-journal", "link.json",
    "hard.json", "folder/walks.sqlite", "folder/walks.sqlite-wal", "folder/./link.json",
  ])
  func `is refused under any name`(name: String) throws {
    let path = prompt.file(name).path
    let before = try bytes()
    for words in [
      ["export", "--format", "json", "-o", path], ["export", "--format", "csv", "-o", path],
      ["report", "--svg", path], ["doctor", "--backup", path],
    ] {
      let answer = prompt.run(words)
      #expect(answer.code == 73 && answer.output.isEmpty, "\(words): \(answer)")
      #expect(answer.errors.contains("cannot write \(path): it is the store, or belongs to it"))
      #expect(try bytes() == before)
    }
  }

  @Test func `is refused where there is no store yet`() throws {
    let new = try Prompt()
    for name in ["walks.sqlite", "walks.sqlite-wal"] {
      let path = new.file(name).path
      #expect(new.run("export", "--format", "json", "-o", path).code == 73)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(arguments: ["walks.sqlite", "walks.sqlite-wal", "link.json"])
  func `is refused as standard output`(name: String) throws {
    let before = try Data(contentsOf: prompt.file("walks.sqlite"))
    // `>>` does not empty it, as `>` would before the program starts.
    let script = "dogwalk list >> \(name); echo $? > code"
    let answer = try ProgramProcess(script: script, in: prompt).answer()
    #expect(answer.errors.contains("cannot write standard output: it is the store"))
    #expect(try String(contentsOf: prompt.file("code"), encoding: .utf8) == "73\n")
    #expect(try Data(contentsOf: prompt.file("walks.sqlite")) == before)
  }

  @Test func `a store is not created in a file that is being read`() throws {
    let new = try Prompt()
    let path = new.file("walks.sqlite").path
    try Data().write(to: URL(filePath: path))
    for words in [["import", path], ["add", "Fido", "--gpx", path]] {
      let answer = new.run(words)
      #expect(answer.code == 65 && answer.output.isEmpty, "\(words): \(answer)")
      #expect(answer.errors.contains("it is the store itself"))
      #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
    }
    let script = "dogwalk import - < walks.sqlite; echo $?"
    #expect(try ProgramProcess(script: script, in: new).answer().output == "65\n")
  }
}
