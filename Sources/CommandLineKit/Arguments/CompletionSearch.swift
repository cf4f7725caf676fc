/// The completions for the last of some words, according to the table of commands.
///
///     CompletionSearch(words: ["delete", ""], commands: .dogwalk).offers
///     // [.option…] and the walks
///
/// All completion logic is here; the shells' scripts only call it and display the result.
package struct CompletionSearch {
  /// A completion to offer.
  package enum Offer: Hashable, Sendable {
    /// A word with its meaning.
    case word(String, meaning: String)
    /// The values of a kind, to be looked up; with a lead, they follow `--option=`.
    case values(Completion, lead: String)
  }

  /// The completions in the order of help, not yet filtered by what was typed of the last word.
  package let offers: [Offer]

  /// Analyses the words without the program's name; the last one, possibly empty, is to be
  /// completed.
  package init(words: [String], commands root: CommandSpecification) {
    var path = CommandPath(root: root)
    var operands: [String] = []
    var isPlain = false
    var waiting: Option?
    for word in words.dropLast() {
      if waiting != nil {
        waiting = nil
      } else if !isPlain, word == "--" {
        isPlain = true
      } else if !isPlain, word.hasPrefix("-"), word.utf8.count > 1 {
        waiting = Self.option(waitingBehind: word, in: path)
      } else if operands.isEmpty, !isPlain, let command = path.command.subcommand(named: word) {
        path = path.appending(command)
      } else {
        operands.append(word)
      }
    }
    let last = words.last ?? ""
    if let waiting {
      offers = Self.values(waiting.completion, lead: "")
    } else if !isPlain, last.hasPrefix("--"), let equals = last.firstIndex(of: "=") {
      let name = last[last.index(last.startIndex, offsetBy: 2)..<equals]
      let option = path.options.first { $0.name == name }
      offers = Self.values(option?.completion ?? .nothing, lead: String(last[...equals]))
    } else if !isPlain, last.hasPrefix("-") {
      offers = path.options.map { .word("--\($0.name)", meaning: $0.help) }
    } else {
      offers = Self.operands(operands, of: path)
    }
  }

  /// The option whose value is the next word.
  private static func option(waitingBehind word: String, in path: CommandPath) -> Option? {
    if word.hasPrefix("--") {
      return path.options.first { $0.needsValue && "--\($0.name)" == word }
    }
    // The first letter that takes a value takes the rest of the word, if there is any.
    for (index, letter) in word.dropFirst().enumerated() {
      guard let option = path.options.first(where: { $0.short == letter }) else { return nil }
      if option.needsValue { return index == word.count - 2 ? option : nil }
    }
    return nil
  }

  /// The completions for the word after some operands.
  private static func operands(_ words: [String], of path: CommandPath) -> [Offer] {
    let (command, count) = (path.command, words.count)
    var offers: [Offer] = []
    if words.isEmpty {
      offers += command.subcommands.map(Self.word)
    }
    let arguments = command.arguments
    let argument =
      count < arguments.count
      ? arguments[count] : arguments.last.flatMap { $0.isRepeating ? $0 : nil }
    guard let argument else { return offers }
    if argument.completion == .commands {
      // The words so far name a command, of which the next one is a subcommand.
      var named = path.specifications[0]
      for word in words {
        guard let next = named.subcommand(named: word) else { return offers }
        named = next.specification
      }
      return offers + named.subcommands.map(Self.word)
    }
    return offers + values(argument.completion, lead: "")
  }

  private static func word(_ command: CommandSpecification.Subcommand) -> Offer {
    .word(command.name, meaning: command.specification.abstract)
  }

  private static func values(_ completion: Completion, lead: String) -> [Offer] {
    switch completion {
    case .nothing: []
    case .choices(let words): words.map { .word(lead + $0, meaning: "") }
    case .custom, .files, .commands:
      [.values(completion, lead: lead)]
    }
  }
}
