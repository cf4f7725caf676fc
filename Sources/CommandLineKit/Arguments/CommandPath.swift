/// A command found in the table, with the commands above it: `dogwalk`, `dogs`, `add`.
package struct CommandPath: Hashable, Sendable {
  /// The specifications from the program down to the command itself; never empty.
  package private(set) var specifications: [CommandSpecification]

  /// The program itself.
  package init(root: CommandSpecification) {
    specifications = [root]
  }

  /// The command itself.
  package var command: CommandSpecification { specifications[specifications.count - 1] }

  /// The names below the program's own: `["dogs", "add"]`; empty for the program itself.
  package var names: [String] { specifications.dropFirst().map(\.name) }

  /// The command as messages name it: `dogs add`, or the program's own name.
  package var title: String { names.isEmpty ? command.name : names.joined(separator: " ") }

  /// The whole call: `dogwalk dogs add`.
  package var call: String { specifications.map(\.name).joined(separator: " ") }

  /// The options it takes: its own first, then those it shares with the commands above.
  package var options: [Option] {
    command.options + specifications.reversed().flatMap(\.sharedOptions)
  }

  /// Steps down to a subcommand.
  package func appending(_ subcommand: CommandSpecification.Subcommand) -> CommandPath {
    var path = self
    path.specifications.append(subcommand.specification)
    return path
  }
}
