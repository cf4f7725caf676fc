/// Finds the command among the words: the first operand that names one, and a subcommand after it.
///
/// Options may precede the command (`dogwalk --store x.sqlite list`). Whether one of them takes the
/// next word as its value is decided by the options of all commands: options of the same name
/// either all take a value or none does.
package struct CommandSearch {
  /// The command found, or the default one.
  private(set) var path: CommandPath
  /// The words without those that name the command.
  private(set) var rest: [String] = []
  /// The index of the word that named the command; `nil` for the default command.
  package private(set) var commandIndex: Int?
  /// Whether the words named a command.
  var wasNamed: Bool { commandIndex != nil }

  /// Finds the command that the words name.
  ///
  /// - Throws: `ValidationError` if a command is expected and the word is not one.
  package init(words: [String], root: CommandSpecification) throws(ValidationError) {
    path = CommandPath(root: root)
    var index = 0
    while index < words.count, !path.command.subcommands.isEmpty {
      let word = words[index]
      index += 1
      switch CommandWord(word) {
      case .operand(let name):
        if let subcommand = path.command.subcommand(named: name) {
          path = path.appending(subcommand)
          commandIndex = commandIndex ?? index - 1
        } else if path.command.arguments.isEmpty {
          throw Self.unknown(name, below: path)
        } else {
          // No command is searched for after an operand.
          index -= 1
          rest.append(contentsOf: words[index...])
          index = words.count
        }
      case .terminator:
        index -= 1
        rest.append(contentsOf: words[index...])
        index = words.count
      case .long, .short:
        rest.append(word)
        // The options of all commands are collected only if a word follows that could be a value.
        if index < words.count, CommandWord.canBeValue(words[index]),
          Self.takesNextWord(word, among: root.allOptions)
        {
          rest.append(words[index])
          index += 1
        }
      }
    }
    rest.append(contentsOf: words[index...])
    if !wasNamed, let name = root.defaultSubcommand, let command = root.subcommand(named: name) {
      path = path.appending(command)
    }
  }

  /// The command that `dogwalk help` was asked about.
  static func path(
    to names: [String], below root: CommandSpecification
  ) throws(ValidationError) -> CommandPath {
    var path = CommandPath(root: root)
    for name in names {
      guard let subcommand = path.command.subcommand(named: name) else {
        throw unknown(name, below: path)
      }
      path = path.appending(subcommand)
    }
    return path
  }

  private static func takesNextWord(_ word: String, among options: [Option]) -> Bool {
    switch CommandWord(word) {
    case .operand, .terminator:
      return false
    case .long(let name, let value):
      return value == nil && options.contains { $0.name == name && $0.needsValue }
    case .short(let letters):
      // Only the last letter of a cluster takes the next word as its value.
      let first = letters.firstIndex { letter in
        options.contains { $0.short == letter && $0.needsValue }
      }
      return first.map { letters.index(after: $0) == letters.endIndex } ?? false
    }
  }

  private static func unknown(_ name: String, below path: CommandPath) -> ValidationError {
    let call = path.names.isEmpty ? "" : path.names.joined(separator: " ") + " "
    let complaint = "unknown command \(call)\(name.escapingControls)"
    if path.options.contains(where: { $0.name == name }) {
      return ValidationError(complaint, hint: "Did you mean \(path.call) --\(name)?")
    }
    let below = path.command.subcommands.filter { $0.specification.subcommand(named: name) != nil }
      .map { "\(path.call) \($0.name) \(name)" }
    if !below.isEmpty {
      return ValidationError(complaint, hint: "Did you mean \(below.joined(separator: " or "))?")
    }
    if let nearest = path.command.subcommandName(meantBy: name) {
      return ValidationError(complaint, hint: "Did you mean \(call)\(nearest)?")
    }
    return ValidationError(
      complaint, hint: path.command.surplusHint ?? "See \(path.call) --help.")
  }
}
