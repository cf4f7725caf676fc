import CommandLineKit

/// A command: what it is called and takes, and what it does.
///
///     try Command.dogwalk.subcommand(["dogs", "use"]).perform(run)
///
/// The table of all of them is `Command.dogwalk`; parsing, help and completions read its
/// specification.
struct Command: Sendable {
  /// What it is called and takes, the commands below it included.
  let specification: CommandSpecification
  private let subcommands: [Command]
  private let action: (@Sendable (CommandRun) throws -> Void)?

  /// A command; without an action it cannot be run, as `help` that is answered before.
  init(
    _ specification: CommandSpecification, subcommands: [Command] = [],
    action: (@Sendable (CommandRun) throws -> Void)? = nil
  ) {
    var specification = specification
    specification.subcommands = subcommands.map(\.specification)
    self.specification = specification
    self.subcommands = subcommands
    self.action = action
  }

  /// The command of those names, one below the other; itself for none.
  ///
  /// - Precondition: The names come from the specification.
  func subcommand(_ names: [String]) -> Command {
    var command = self
    for name in names {
      guard let next = command.subcommands.first(where: { $0.specification.name == name }) else {
        preconditionFailure("\(command.specification.name) has no command \(name)")
      }
      command = next
    }
    return command
  }

  /// Does what the command is for.
  ///
  /// - Throws: Whatever `Complaint` has words for.
  /// - Precondition: The command has something to do.
  func perform(_ run: CommandRun) throws {
    guard let action else { preconditionFailure("\(specification.name) does nothing by itself") }
    try action(run)
  }
}
