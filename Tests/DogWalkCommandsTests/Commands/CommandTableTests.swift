import CommandLineKit
import CommandLineTesting
import Testing

@testable import DogWalkCommands

@Suite struct `The program's table of commands` {
  let table = Command.dogwalk.specification

  @Test func `is valid`() {
    #expect(table.problems(root: table) == [])
  }

  @Test func `begins the help of every command with an example and fits 80 columns`() throws {
    var paths = [CommandPath(root: table)]
    while let path = paths.popLast() {
      paths += path.command.subcommands.map(path.appending)
      let text = HelpText(for: path).text
      #expect(text.hasPrefix("Examples:\n  \(path.call)"))
      #expect(text.split(separator: "\n").allSatisfy { String($0).displayWidth <= 80 })
    }
  }
}
