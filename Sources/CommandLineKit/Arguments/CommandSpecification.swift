/// The name, syntax and help of a command: the single source for parsing, help and completions.
///
///     let delete = CommandSpecification(
///       abstract: "Delete walks.",
///       examples: [.init("dogwalk delete 3", "delete walk 3"), .init("dogwalk delete 3 4", "…")],
///       arguments: [Argument("ID", help: "the walk's number", isRepeating: true)],
///       options: [.flag("dry-run", help: "show what would go")])
///     let dogwalk = CommandSpecification(
///       name: "dogwalk", abstract: "A walk log.", subcommands: [.init("delete", delete)])
///
/// A description only: it contains no code that runs the command.
package struct CommandSpecification: Hashable, Sendable {
  /// An example with its explanation.
  package struct Example: Hashable, Sendable {
    /// The line to type.
    package let line: String
    /// The explanation, as a phrase without a full stop.
    package let meaning: String

    /// Creates an example.
    package init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// Words that people may type for a command.
  package struct Synonyms: Hashable, Sendable {
    /// The command's name and, if the words stand for them too, its operands: `list today`.
    package let call: String
    /// The words, in lower case.
    package let words: [String]

    /// Words for a command.
    package init(_ call: String, _ words: [String]) {
      self.call = call
      self.words = words
    }
  }

  /// A command below another: its name, and the rest of it once somebody asks.
  ///
  /// A program has many commands and runs one: the specifications of the others are never created.
  package struct Subcommand: Hashable, Sendable {
    /// The word that calls it.
    package let name: String
    private let make: @Sendable () -> CommandSpecification

    /// Creates a subcommand; its specification need not contain the name.
    package init(
      _ name: String, _ specification: @autoclosure @escaping @Sendable () -> CommandSpecification
    ) {
      self.name = name
      make = specification
    }

    /// The complete specification.
    package var specification: CommandSpecification {
      var specification = make()
      specification.name = name
      return specification
    }

    /// Whether both specifications are equal.
    package static func == (one: Subcommand, other: Subcommand) -> Bool {
      one.specification == other.specification
    }

    /// Hashes the name.
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// The word that calls it, set by the command above; at the top, the program's name.
  package fileprivate(set) var name: String
  /// The description, one sentence.
  package var abstract: String
  /// Two to four real examples, with which help begins.
  package var examples: [Example]
  /// Its operands, in order.
  package var arguments: [Argument]
  /// Its own options, in the order of help.
  package var options: [Option]
  /// The options that it shares with all its subcommands.
  package var sharedOptions: [Option]
  /// A hint, as a sentence, for a word that is not a subcommand, or for surplus operands.
  package var surplusHint: String?
  /// Further paragraphs of help, wrapped when shown.
  package var discussion: [String]
  /// The environment variables that it reads, for the manual.
  package var variables: [Example] = []
  /// The files that it uses, for the manual.
  package var files: [Example] = []
  /// Its subcommands.
  package var subcommands: [Subcommand]
  /// What people type for those, who know other programs.
  package var synonyms: [Synonyms]
  /// The subcommand that runs if none is named.
  package var defaultSubcommand: String?

  /// Creates a specification; omitted parts are empty.
  package init(
    name: String = "", abstract: String, examples: [Example] = [], arguments: [Argument] = [],
    options: [Option] = [], sharedOptions: [Option] = [], surplusHint: String? = nil,
    discussion: [String] = [], subcommands: [Subcommand] = [], synonyms: [Synonyms] = [],
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
    self.synonyms = synonyms
    self.defaultSubcommand = defaultSubcommand
  }

  /// The subcommand with a name.
  package func subcommand(named name: String) -> Subcommand? {
    subcommands.first { $0.name == name }
  }

  /// All options of this command and its subcommands.
  package var allOptions: [Option] {
    sharedOptions + options + subcommands.flatMap(\.specification.allOptions)
  }
}
