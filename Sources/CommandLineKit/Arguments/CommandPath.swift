/// A command with the commands above it: `dogwalk`, `dogs`, `add`.
package struct CommandPath: Hashable, Sendable {
  /// The specifications from the program down to the command; never empty.
  package private(set) var specifications: [CommandSpecification]

  /// Creates the path of the program itself.
  package init(root: CommandSpecification) {
    specifications = [root]
  }

  /// The command itself.
  package var command: CommandSpecification { specifications[specifications.count - 1] }

  /// The names below the program's own: `["dogs", "add"]`; empty for the program itself.
  package var names: [String] { specifications.dropFirst().map(\.name) }

  /// The command's name in messages: `dogs add`, or the program's own name.
  package var title: String { names.isEmpty ? command.name : names.joined(separator: " ") }

  /// The full call: `dogwalk dogs add`.
  package var call: String { specifications.map(\.name).joined(separator: " ") }

  /// The options that the command accepts: its own first, then those shared by the commands above.
  package var options: [Option] {
    command.options + specifications.reversed().flatMap(\.sharedOptions)
  }

  /// The path extended by a subcommand.
  package func appending(_ subcommand: CommandSpecification.Subcommand) -> CommandPath {
    var path = self
    path.specifications.append(subcommand.specification)
    return path
  }
}
