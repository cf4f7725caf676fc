/// What a command is called, takes and does: the one table behind parsing, help and completions.
///
///     CommandSpecification(
///       name: "delete",
///       abstract: "Delete walks.",
///       examples: [.init("dogwalk delete 3", "delete walk 3"), .init("dogwalk delete 3 4", "…")],
///       arguments: [Argument("ID", help: "the walk's number", isRepeating: true)],
///       options: [.flag("dry-run", help: "show what would go")])
///
/// It only describes: nothing in it runs.
struct CommandSpecification: Hashable, Sendable {
  /// A line that works as it stands, and what it does.
  struct Example: Hashable, Sendable {
    /// The line to type.
    let line: String
    /// What it does, as a phrase without a full stop.
    let meaning: String

    /// An example.
    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// The word that calls it; the program's own name at the top.
  var name: String
  /// What it does, in one sentence.
  var abstract: String
  /// Two to four real examples; help begins with them.
  var examples: [Example] = []
  /// Its operands, in order.
  var arguments: [Argument] = []
  /// Its own options, in the order of help.
  var options: [Option] = []
  /// Options that it and all commands below it take.
  var sharedOptions: [Option] = []
  /// What to do instead, as a sentence, where there are more operands than it takes.
  var surplusHint: String? = nil
  /// What else there is to know: paragraphs, wrapped when shown.
  var discussion: [String] = []
  /// The commands below it.
  var subcommands: [CommandSpecification] = []
  /// The subcommand that runs where none is named.
  var defaultSubcommand: String? = nil

  /// The subcommand of that name.
  func subcommand(named name: String) -> CommandSpecification? {
    subcommands.first { $0.name == name }
  }

  /// Every option of this command and of those below it.
  var allOptions: [Option] {
    sharedOptions + options + subcommands.flatMap(\.allOptions)
  }
}
