import Foundation
import TestSupport
import Testing

@testable import DogWalkCommands

/// Shells leave the `~` of `--store=~/walks.sqlite` alone; HOME here is never the user's own.
@Suite struct `A tilde in a store's name` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    prompt.variables["DOGWALK_STORE"] = nil
  }

  private func path(_ name: String) -> String { prompt.file(name).path }

  private func expectStore(at name: String, _ words: String..., line: Int = #line) {
    let answer = prompt.run(words)
    #expect(
      answer.output == "There is no store yet. The first walk makes one: \(path(name))\n",
      "\(answer), line \(line)")
  }

  @Test func `is HOME wherever the store is named`() throws {
    expectStore(at: "q.sqlite", "--store=~/q.sqlite", "doctor")
    prompt.variables["DOGWALK_STORE"] = "~/r.sqlite"
    expectStore(at: "r.sqlite", "doctor")
    prompt.variables["DOGWALK_STORE"] = nil
    #expect(prompt.run("config", "store", "~/z.sqlite").code == 0)
    #expect(prompt.run("config", "store").output == "\(path("z.sqlite"))\n")
    expectStore(at: "z.sqlite", "doctor")
    try Data("store = ~/y.sqlite\n".utf8).write(to: prompt.file(".config/dogwalk/config"))
    expectStore(at: "y.sqlite", "doctor")
  }

  @Test func `is HOME in the name of a copy, which is never the store`() throws {
    #expect(prompt.run("--store", path("one.sqlite"), "add", "Fido", "5m").code == 0)
    let answer = prompt.run("--store", path("one.sqlite"), "doctor", "--backup", "~/copy.sqlite")
    #expect(answer.output == "Copied the store to \(path("copy.sqlite")).\n", "\(answer)")
    #expect(FileManager.default.fileExists(atPath: path("copy.sqlite")))
    let onto = prompt.run("--store", path("one.sqlite"), "doctor", "--backup", "~/one.sqlite")
    #expect(onto.code == 73 && onto.errors.contains("it is the store"), "\(onto)")
  }

  @Test func `is HOME in the name of a store to sync with`() throws {
    #expect(prompt.run("--store", path("one.sqlite"), "add", "Fido", "5m").code == 0)
    let answer = prompt.run("--store", path("one.sqlite"), "sync", "~/two.sqlite")
    #expect(answer.output.hasPrefix("Synced with \(path("two.sqlite"))."), "\(answer)")
    #expect(FileManager.default.fileExists(atPath: path("two.sqlite")))
    #expect(prompt.run("--store", path("one.sqlite"), "sync", "~/one.sqlite").code == 64)
  }

  @Test func `is part of a name where it is not its first folder`() throws {
    expectStore(at: "~q.sqlite", "--store", path("~q.sqlite"), "doctor")
    expectStore(at: "a/~/q.sqlite", "--store", path("a/~/q.sqlite"), "doctor")
  }
}
