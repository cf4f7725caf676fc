import CommandLineKit

/// A command: its name, its arguments and options, and its action.
///
///     try Command.dogwalk.subcommand(["dogs", "use"]).perform(run)
///
/// The table of all commands is `Command.dogwalk`; parsing, help and completions read its
/// specification.
struct Command: Sendable {
  /// A subcommand, created when it is run or its help is requested.
  struct Subcommand: Sendable {
    /// The word that selects it.
    let name: String
    fileprivate let command: @Sendable () -> Command

    /// Creates a subcommand with a name.
    init(_ name: String, _ command: @autoclosure @escaping @Sendable () -> Command) {
      self.name = name
      self.command = command
    }
  }

  /// The name, arguments and options, including those of its subcommands.
  let specification: CommandSpecification
  /// Whether the command only reads the store and never changes it.
  let isReading: Bool
  private let subcommands: [Subcommand]
  private let action: (@Sendable (CommandRun) throws -> Void)?

  /// Creates a command; without an action it cannot be run, like `help`, which is handled earlier.
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

  /// Returns the command at a path of names, each a subcommand of the one before; itself for none.
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

  /// Performs the command's action.
  ///
  /// - Throws: Any error for which `Complaint` has a message.
  /// - Precondition: The command has an action.
  func perform(_ run: CommandRun) throws {
    guard let action else { fatalError("this command does nothing by itself") }
    try action(run)
  }
}
