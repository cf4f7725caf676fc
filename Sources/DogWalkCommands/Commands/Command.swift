import CommandLineKit

/// A command: what it is called and takes, and what it does.
///
///     try Command.dogwalk.subcommand(["dogs", "use"]).perform(run)
///
/// The table of all of them is `Command.dogwalk`; parsing, help and completions read its
/// specification.
struct Command: Sendable {
  /// A command below another; made when it is called, or its help is asked for.
  struct Subcommand: Sendable {
    /// The word that calls it.
    let name: String
    fileprivate let command: @Sendable () -> Command

    /// A command of that name.
    init(_ name: String, _ command: @autoclosure @escaping @Sendable () -> Command) {
      self.name = name
      self.command = command
    }
  }

  /// What it is called and takes, the commands below it included.
  let specification: CommandSpecification
  /// Whether it only looks at the store: then nothing that lies there changes.
  let isReading: Bool
  private let subcommands: [Subcommand]
  private let action: (@Sendable (CommandRun) throws -> Void)?

  /// A command; without an action it cannot be run, as `help` that is answered before.
  init(
    _ specification: CommandSpecification, isReading: Bool = false,
    subcommands: [Subcommand] = [],
    action: (@Sendable (CommandRun) throws -> Void)? = nil
  ) {
    var specification = specification
    if !subcommands.isEmpty { specification.synonyms = Self.synonyms }
    specification.subcommands = subcommands.map { subcommand in
      .init(subcommand.name, subcommand.command().specification)
    }
    self.specification = specification
    self.isReading = isReading
    self.subcommands = subcommands
    self.action = action
  }

  /// The command of those names, one below the other; itself for none.
  ///
  /// - Precondition: The names come from the specification.
  func subcommand(_ names: [String]) -> Command {
    var command = self
    for name in names {
      guard let next = command.subcommands.first(where: { $0.name == name }) else {
        fatalError("\(command.specification.name) has no command \(name)")
      }
      command = next.command()
    }
    return command
  }

  /// Does what the command is for.
  ///
  /// - Throws: Whatever `Complaint` has words for.
  /// - Precondition: The command has something to do.
  func perform(_ run: CommandRun) throws {
    guard let action else { fatalError("this command does nothing by itself") }
    try action(run)
  }
}
