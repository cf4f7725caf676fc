import CommandLineKit
import CommandLineTesting
import Testing

@testable import storetool

@Suite struct `storetool's table of commands` {
  @Test func `is valid, except for two options with one name`() {
    let table = CommandSpecification.storetool
    // `--version` alone asks for the program's, `create --version NAME` for the model's.
    #expect(
      Set(table.problems(root: table)) == ["--version and --version differ in taking a value"])
  }

  @Test func `begins the help of every command with an example and fits 80 columns`() {
    var paths = [CommandPath(root: .storetool)]
    while let path = paths.popLast() {
      paths += path.command.subcommands.map(path.appending)
      let text = HelpText(for: path).text
      #expect(text.hasPrefix("Examples:\n  \(path.call)"))
      #expect(text.split(separator: "\n").allSatisfy { String($0).displayWidth <= 80 })
    }
  }
}
