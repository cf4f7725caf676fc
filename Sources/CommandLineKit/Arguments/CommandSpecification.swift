/// What a command is called, takes and does: the one table behind parsing, help and completions.
///
///     let delete = CommandSpecification(
///       abstract: "Delete walks.",
///       examples: [.init("dogwalk delete 3", "delete walk 3"), .init("dogwalk delete 3 4", "…")],
///       arguments: [Argument("ID", help: "the walk's number", isRepeating: true)],
///       options: [.flag("dry-run", help: "show what would go")])
///     let dogwalk = CommandSpecification(
///       name: "dogwalk", abstract: "A walk log.", subcommands: [.init("delete", delete)])
///
/// It only describes: nothing in it runs.
package struct CommandSpecification: Hashable, Sendable {
  /// A line that works as it stands, and what it does.
  package struct Example: Hashable, Sendable {
    /// The line to type.
    package let line: String
    /// What it does, as a phrase without a full stop.
    package let meaning: String

    /// An example.
    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// A command below another: its name, and the rest of it once somebody asks.
  ///
  /// A program has many commands and runs one: the others are never made.
  package struct Subcommand: Hashable, Sendable {
    /// The word that calls it.
    package let name: String
    private let make: @Sendable () -> CommandSpecification

    /// A command of that name, which it need not tell itself.
    package init(
      _ name: String, _ specification: @autoclosure @escaping @Sendable () -> CommandSpecification
    ) {
      self.name = name
      make = specification
    }

    /// All about it.
    package var specification: CommandSpecification {
      var specification = make()
      specification.name = name
      return specification
    }

    /// Whether both are called, take and do the same.
    package static func == (one: Subcommand, other: Subcommand) -> Bool {
      one.specification == other.specification
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The word that calls it, which the command above it knows; the program's own name at the top.
  package fileprivate(set) var name: String
  /// What it does, in one sentence.
  package var abstract: String
  /// Two to four real examples; help begins with them.
  package var examples: [Example]
  /// Its operands, in order.
  package var arguments: [Argument]
  /// Its own options, in the order of help.
  package var options: [Option]
  /// Options that it and all commands below it take.
  package var sharedOptions: [Option]
  /// What to do instead, as a sentence, where a word is no command below it, or there are more
  /// operands than it takes.
  package var surplusHint: String?
  /// What else there is to know: paragraphs, wrapped when shown.
  package var discussion: [String]
  /// The environment variables that it reads, for the manual.
  package var variables: [Example] = []
  /// The files that it keeps, for the manual.
  package var files: [Example] = []
  /// The commands below it.
  package var subcommands: [Subcommand]
  /// The subcommand that runs where none is named.
  package var defaultSubcommand: String?

  /// A specification of a command; without any part that is not named.
  package init(
    name: String = "", abstract: String, examples: [Example] = [], arguments: [Argument] = [],
    options: [Option] = [], sharedOptions: [Option] = [], surplusHint: String? = nil,
    discussion: [String] = [], subcommands: [Subcommand] = [],
    defaultSubcommand: String? = nil
  ) {
    self.name = name
    self.abstract = abstract
    self.examples = examples
    self.arguments = arguments
    self.options = options
    self.sharedOptions = sharedOptions
    self.surplusHint = surplusHint
    self.discussion = discussion
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
  }

  /// The subcommand of that name.
  package func subcommand(named name: String) -> Subcommand? {
    subcommands.first { $0.name == name }
  }

  /// Every option of this command and of those below it.
  package var allOptions: [Option] {
    sharedOptions + options + subcommands.flatMap(\.specification.allOptions)
  }
}
