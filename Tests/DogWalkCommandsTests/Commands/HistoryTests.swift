import CommandLineKit
import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `The history on a terminal` {
  private let prompt: Prompt

  init() throws {
    prompt = try Prompt()
    prompt.variables["DOGWALK_BY"] = "Ana"
    #expect(prompt.run("add", "Fido", "25m", "7:30", "--note", "rain and wind").code == 0)
    #expect(prompt.run("dogs", "add", "Rex").code == 0)
  }

  private func history(columns: Int) -> [Substring] {
    prompt.terminal = Terminal(isTerminal: true, columns: columns)
    return prompt.run("history", "--no-pager").output.split(separator: "\n")
  }

  @Test func `has a command after its details`() {
    #expect(
      history(columns: 80) == [
        "today 20:00          Ana  dogs add Rex",
        "today 20:00  walk 1  Ana  add Fido 25m 7:30 --note \"rain and wind\"",
      ])
  }

  @Test func `has it below, complete, where there is no room for it`() {
    #expect(
      history(columns: 40) == [
        "today 20:00          Ana", "  dogs add Rex", "today 20:00  walk 1  Ana",
        "  add Fido 25m 7:30 --note \"rain and", "  wind\"",
      ])
  }

  @Test func `has it on the same line while all of them fit there`() {
    #expect(prompt.run("history", "--forget", "--yes").code == 0)
    #expect(prompt.run("dogs", "add", "Max").code == 0)
    #expect(history(columns: 30) == ["today 20:00  Ana  dogs add Max"])
  }
}
