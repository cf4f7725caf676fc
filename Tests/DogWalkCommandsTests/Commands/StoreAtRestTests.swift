import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkCommands

/// The store between two commands: one file.
@Suite(.serialized) struct `A store at rest` {
  private let prompt: Prompt

  init() throws { prompt = try Prompt() }

  private func dogwalk(_ words: String...) throws -> Prompt.Answer {
    try ProgramProcess(words, in: prompt).answer()
  }

  /// The names of the store's files.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: prompt.home.path)
      .filter { $0.hasPrefix("walks") }.sorted()
  }

  private func bytes() throws -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: try files().map { ($0, try Data(contentsOf: prompt.file($0))) })
  }

  /// How many walks are in a copy of the file alone.
  private func walksInFile() throws -> Int {
    let copy = try Prompt()
    try FileManager.default.copyItem(
      at: prompt.file("walks.sqlite"), to: copy.file("walks.sqlite"))
    return copy.run("list").output.split(separator: "\n").count
  }

  @Test func `is one file after every command that writes`() throws {
    let commands: [[String]] = [
      ["add", "Fido", "35m"], ["add", "Fido", "20m", "7:30"], ["edit", "1", "--note", "rain"],
      ["start", "Fido"], ["stop"], ["continue"], ["stop"], ["dogs", "add", "Rex"],
      ["dogs", "set", "Rex", "--target", "60m"],
      ["dogs", "use", "Rex"], ["dogs", "rename", "Rex", "Max"], ["delete", "2"], ["undo"], ["redo"],
      ["dogs", "delete", "-y", "Max"],
    ]
    for command in commands {
      #expect(try ProgramProcess(command, in: prompt).answer().code == 0, "\(command)")
      #expect(try files() == ["walks.sqlite"], "\(command)")
    }
    #expect(try walksInFile() == 3)
  }

  @Test func `is one file after a command that failed`() throws {
    _ = try dogwalk("add", "Fido", "35m")
    for command in [["delete", "7"], ["edit", "1", "nonsense"], ["start", "Fido", "35m"]] {
      #expect(try ProgramProcess(command, in: prompt).answer().code != 0)
      #expect(try files() == ["walks.sqlite"], "\(command)")
    }
  }

  @Test func `is complete in its file while a list is watched`() throws {
    let watched = try TerminalProcess()
    try watched.dogwalk("add", "Fido", "35m", "yesterday", "18:00")
    try watched.start(["watch"])
    #expect(watched.shows("Fido"))
    let copy = try Prompt()
    for number in 1...5 {
      try watched.dogwalk("add", "Fido", "\(number)m")
      try? FileManager.default.removeItem(at: copy.file("walks.sqlite"))
      try FileManager.default.copyItem(
        at: watched.prompt.file("walks.sqlite"), to: copy.file("walks.sqlite"))
      #expect(copy.run("list").output.split(separator: "\n").count == number + 1)
    }
    watched.type("q")
    #expect(watched.end() == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: watched.prompt.home.path)
        .filter { $0.hasPrefix("walks") } == ["walks.sqlite"])
  }

  /// Makes a program that has saved a walk end abruptly, so that the walk is only in the log.
  private func leaveLog() throws {
    let script = """
      import os, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("UPDATE ZWALK SET ZNOTE = 'in the log'")
      store.commit()
      os._exit(0)
      """
    _ = try Python.run(script, [prompt.file("walks.sqlite").path])
  }

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"), arguments: [true, false])
  func `with a leftover log is read in place, and recovered by a writer`(
    hasIndex: Bool
  ) throws {
    _ = try dogwalk("add", "Fido", "35m")
    try leaveLog()
    if !hasIndex { try FileManager.default.removeItem(at: prompt.file("walks.sqlite-shm")) }
    let before = try bytes()
    #expect(before["walks.sqlite-wal"]?.isEmpty == false)
    for words in [["list"], ["export"], ["dogs"], ["doctor"], ["history"], ["report"]] {
      #expect(try ProgramProcess(words, in: prompt).answer().code == 0, "\(words)")
      #expect(try bytes() == before, "\(words)")
    }
    #expect(try dogwalk("list").output.contains("in the log"))
    #expect(try dogwalk("add", "Fido", "5m").code == 0)
    #expect(try files() == ["walks.sqlite"])
    #expect(try dogwalk("list").output.contains("in the log"))
  }

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"))
  func `with a journal instead of a log keeps it for readers`() throws {
    _ = try dogwalk("add", "Fido", "35m")
    let script = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      print(store.execute("PRAGMA journal_mode = " + sys.argv[2]).fetchone()[0])
      """
    _ = try Python.run(script, [prompt.file("walks.sqlite").path, "DELETE"])
    let before = try bytes()
    for words in [
      ["list"], ["export"], ["dogs"], ["doctor"], ["history"], ["report"],
      ["doctor", "--backup", "copy.sqlite"], ["delete", "--dry-run", "1"],
    ] {
      #expect(try ProgramProcess(words, in: prompt).answer().code == 0, "\(words)")
      #expect(try bytes() == before, "\(words)")
    }
  }

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"))
  func `keeps a short log however many others read all the time`() throws {
    _ = try dogwalk("add", "Fido", "35m")
    // At each moment one of them is in the middle of reading.
    let reader = """
      import os, random, sqlite3, sys, time
      parent = os.getppid()
      store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
      while os.getppid() == parent:
          store.execute("BEGIN")
          store.execute("SELECT count(*) FROM ZWALK").fetchone()
          time.sleep(random.uniform(0.002, 0.01))
          store.execute("COMMIT")
      """
    var readers: [Process] = []
    defer { for reader in readers { kill(reader.processIdentifier, SIGKILL) } }
    for _ in 0..<4 {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["python3", "-c", reader, prompt.file("walks.sqlite").path]
      try process.run()
      readers.append(process)
    }
    var largest = 0
    for number in 0..<150 {
      #expect(try dogwalk("add", "Fido", "\(number + 1)m", "7:30").code == 0)
      let log = try? Data(contentsOf: prompt.file("walks.sqlite-wal"))
      largest = max(largest, log?.count ?? 0)
    }
    #expect(largest < 2 << 20)
    #expect(prompt.run("list").output.split(separator: "\n").count == 151)
  }
}
