import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct `The program` {
  @Test(arguments: ["--version", "--help", "help", "add -h", "help dogs use"])
  func `prints help and version without looking at more than the width`(line: String) throws {
    let prompt = try Prompt()
    prompt.variables = ["DOGWALK_NOW": "never"]
    let output = OutputSink.memory()
    let surroundings = ProgramEnvironment(
      environment: Environment(prompt.variables),
      zone: LocalZone { _ in
        Issue.record("the zone was looked at")
        return 0
      },
      output: output, errors: .memory(),
      terminal: { _ in
        if line == "--version" { Issue.record("the terminal was looked at") }
        return Terminal(isTerminal: false)
      })
    let words = line.split(separator: " ").map(String.init)
    #expect(CommandLineTool(in: surroundings).run(words) == 0)
    #expect(!output.text.isEmpty)
  }

  @Test(arguments: ["list", "dogs", "delete 1", "dogs use Fido", "list --json", ""])
  func `creates no store for reading`(line: String) throws {
    let prompt = try Prompt()
    let surroundings = ProgramEnvironment(
      environment: Environment(prompt.variables), zone: .fixed(0), output: .memory(),
      errors: .memory())
    _ = CommandLineTool(in: surroundings).run(line.split(separator: " ").map(String.init))
    #expect(try FileManager.default.contentsOfDirectory(atPath: prompt.home.path) == [])
  }

  @Test(arguments: ["add Fido 25:99", "add Fido yestreday", "add Fido 0m", "add --dog= 5m"])
  func `creates no store for a walk that it refuses`(line: String) throws {
    let prompt = try Prompt()
    let surroundings = ProgramEnvironment(
      environment: Environment(prompt.variables), zone: .fixed(0), output: .memory(),
      errors: .memory())
    #expect(
      CommandLineTool(in: surroundings).run(line.split(separator: " ").map(String.init)) == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: prompt.home.path) == [])
  }

  @Test func `logs its SQL where its arguments ask for that`() throws {
    let prompt = try Prompt()
    let words = ["-com.apple.CoreData.SQLDebug", "1", "add", "Fido", "5m"]
    let answer = try ProgramProcess(words, in: prompt).answer()
    #expect(answer.code == 0)
    #expect(answer.errors.contains("CoreData: sql: INSERT INTO ZWALK"))
    #expect(!answer.output.contains("CoreData"))
  }

  @Test(arguments: ["relative", "./home", ""])
  func `needs an absolute home where no store is named`(home: String) throws {
    let prompt = try Prompt()
    prompt.variables["DOGWALK_STORE"] = nil
    prompt.variables["HOME"] = home
    #expect(prompt.run("add", "Fido", "5m").code == 78)
  }

  @Test(arguments: [["list"], ["list", "--limit", "1"], ["list", "--json"], ["dogs"]])
  func `refuses an unreadable DOGWALK_NOW`(words: [String]) throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m")
    prompt.variables["DOGWALK_NOW"] = "x"
    #expect(prompt.run(words).code == 64)
  }

  @Test(arguments: ["--by", "--note"])
  func `refuses an empty filter`(option: String) throws {
    #expect(try Prompt().run("list", option, "").code == 64)
  }

  @Test func `reports what else a new dog's name could mean`() throws {
    let prompt = try Prompt()
    let day = prompt.run("add", "--dog", "Mon", "5m").errors
    #expect(day == "Note: Mon is also a time. Write --dog Mon for the dog.\n")
    let length = prompt.run("add", "--dog", "35m", "6m").errors
    #expect(length == "Note: 35m is also a duration. Write --dog 35m for the dog.\n")
  }

  @Test func `shows a tab in a note as a space on a terminal`() throws {
    let prompt = try Prompt()
    _ = prompt.run("add", "Fido", "5m", "--note", "wet\tand cold")
    prompt.terminal = Terminal(isTerminal: true)
    #expect(prompt.run("list", "--no-pager").output.contains("wet and cold"))
  }

  @Test func `ends quietly where the reader has gone, and keeps the walk`() throws {
    OutputSink.ignoreWriteSignals()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let prompt = try Prompt()
    let answer = prompt.run("add", "Fido", "5m", output: OutputSink(descriptor: ends[1]))
    #expect(answer == Prompt.Answer())
    #expect(prompt.run("list").output.hasPrefix("1\t"))
  }

  @Test(.enabled(if: access("/dev/full", W_OK) == 0))
  func `reports where a walk is saved and the disk is full for the answer`() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let prompt = try Prompt()
    let answer = prompt.run("add", "Fido", "5m", output: OutputSink(descriptor: full))
    #expect(answer.code == 74)
    #expect(
      answer.errors
        == "dogwalk: the change is saved, but printing the result failed: No space left on device.\n"
    )
    #expect(prompt.run("list").output.hasPrefix("1\t"))
  }
}
