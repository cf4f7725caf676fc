/// Parses the words of one command into values, according to the command's options.
///
/// It reads all words even after an error, so that `--help` is recognised anywhere; `finish()`
/// throws the first error.
struct ArgumentReader {
  /// The values read so far.
  private(set) var values = ArgumentValues()

  private let path: CommandPath
  private let options: [Option]
  private var firstError: ValidationError?
  private var words: [String] = []

  private let wasNamed: Bool

  /// Creates a reader for the command at the end of the path.
  ///
  /// - Parameter wasNamed: Whether the command was typed; the help of a default command is of
  ///   little use.
  init(path: CommandPath, wasNamed: Bool = true) {
    self.path = path
    self.wasNamed = wasNamed
    self.options = path.options
  }

  /// Reads words in order.
  mutating func read(_ words: [String]) {
    self.words = words
    var rest = words[...]
    while let word = rest.popFirst() {
      switch CommandWord(word) {
      case .operand(let operand):
        if let name = CommandWord.nameBehindDashes(operand) {
          let near = usual(name) ?? nearest(to: name, among: options.map(\.name))
          note(unknown(operand, nearest: near ?? takingAway(name)))
        }
        values.operands.append(operand)
      case .terminator:
        values.operands.append(contentsOf: rest)
        return
      case .long(let name, let value):
        readLong(name, value: value, rest: &rest)
      case .short(let letters):
        readShort(letters, rest: &rest)
      }
    }
  }

  /// The values, if there was no error and the number of operands is right.
  func finish() throws(ValidationError) -> ArgumentValues {
    if let firstError { throw firstError }
    let arguments = path.command.arguments
    let required = arguments.count(where: \.isRequired)
    if values.operands.count < required {
      let missing = arguments.filter(\.isRequired)[values.operands.count]
      throw ValidationError(
        "\(path.title) needs \(article(missing.valueName)) \(missing.valueName), \(missing.help)",
        hint: "See \(path.call) --help.")
    }
    if values.operands.count > arguments.count, arguments.last?.isRepeating != true {
      let surplus = values.operands[arguments.count]
      let taken = arguments.map(\.usage).joined(separator: " ")
      throw ValidationError(
        "\(path.title) takes \(taken.isEmpty ? "options only" : taken): "
          + "\(ValidationError.quoted(surplus)) is unexpected",
        hint: OperandHint(for: surplus, among: words, options: options)?.text
          ?? littleWordHint ?? path.command.surplusHint ?? "See \(path.call) --help.")
    }
    return values
  }

  private mutating func readLong(_ name: String, value: String?, rest: inout ArraySlice<String>) {
    guard let option = options.first(where: { $0.name == name }) else {
      let names = options.map(\.name)
      // Abbreviated options are not accepted, but suggested.
      let begun = name.utf8.count < 2 ? nil : names.first { $0.hasPrefix(name) }
      note(unknown("--\(name)", nearest: usual(name) ?? begun ?? nearest(to: name, among: names)))
      return
    }
    switch option.value {
    case .none where value != nil:
      note(ValidationError("--\(name) takes no value", hint: "Write --\(name) alone."))
    case .none:
      keep(value, for: option)
    case .optional:
      var value = value
      if value == nil, let next = rest.first, Self.isLooseNumber(next) {
        // If the command takes no numbers as operands, the number must be the option's value.
        if !path.command.arguments.contains(where: \.takesNumbers) {
          value = rest.removeFirst()
        } else {
          refuseLooseNumber(next, behind: option, rest.dropFirst())
        }
      }
      keep(value, for: option)
    case .required:
      if let value = value ?? nextValue(for: option, spelled: "--\(name)", rest: &rest) {
        keep(value, for: option)
      }
    }
  }

  private mutating func readShort(_ letters: Substring, rest: inout ArraySlice<String>) {
    if letters.first?.isASCII == true, letters.first?.isNumber == true {
      // The end of a range, `18:00 -18:40`, is not a number.
      let hint =
        letters.contains(":") ? "Write a range without spaces." : "Leave the minus sign out."
      note(
        ValidationError(
          "\(ValidationError.quoted("-" + letters)): a length or a number cannot be negative",
          hint: hint))
      return
    }
    let cluster = String(letters)
    // With one dash instead of two, the rest of `-dog` must not become a dog named "og".
    let name = letters.prefix { $0 != "=" }
    if name.utf8.count > 1, let meant = options.first(where: { $0.name.hasPrefix(name) }) {
      note(unknown("-\(cluster)", nearest: meant.name))
      return
    }
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        let meant = takingAway(cluster) ?? (["v", "V"].contains(cluster) ? usual("v") : nil)
        note(unknown(meant == nil ? "-\(letter)" : "-\(cluster)", nearest: meant))
        return
      }
      guard option.needsValue else {
        keep(nil, for: option)
        continue
      }
      if !letters.isEmpty {
        // `-d=Fido` means Fido: no dog is named "=Fido".
        keep(String(letters.first == "=" ? letters.dropFirst() : letters), for: option)
      } else if let value = nextValue(for: option, spelled: "-\(letter)", rest: &rest) {
        keep(value, for: option)
      }
      return
    }
  }

  private mutating func nextValue(
    for option: Option, spelled spelling: String, rest: inout ArraySlice<String>
  ) -> String? {
    guard case .required(let valueName) = option.value else { return nil }
    guard let next = rest.first else {
      note(
        ValidationError(
          "\(spelling) needs a value: nothing follows it",
          hint: "Write \(spelling) \(valueName)."))
      return nil
    }
    guard CommandWord.canBeValue(next) else {
      let word = next.escapingControls
      if next.dropFirst().first?.isWholeNumber == true {
        note(
          ValidationError(
            "\(spelling) \(word): a number cannot be negative",
            hint: "Leave the minus sign out"
              + (Self.texts.contains(valueName)
                ? ", or write --\(option.name)=\(word) for a text." : ".")))
        return nil
      }
      note(
        ValidationError(
          "\(spelling) needs a value: \(word) looks like an option",
          hint: "Write \(spelling) \(valueName), or --\(option.name)=\(word) if that is the value.")
      )
      return nil
    }
    return rest.removeFirst()
  }

  /// The value names in help of options that take any text.
  private static let texts = ["TEXT", "NAME", "NEW", "WALKER", "TAG", "FILE", "PATH"]

  /// Whether a word is a number or a month; a whole date, or a word like `35m`, is not.
  private static func isLooseNumber(_ word: String) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// Rejects `--pee 2`, whose number would be taken for an operand; suggests placing it before the
  /// option if no other word begins with a number.
  private mutating func refuseLooseNumber(
    _ word: String, behind option: Option, _ rest: ArraySlice<String>
  ) {
    let others = values.operands + rest
    let isOnly = !others.contains { $0.utf8.first.map { (0x30...0x39).contains($0) } ?? false }
    note(
      ValidationError(
        "--\(option.name) takes its value only after an equals sign",
        hint: "Write --\(option.name)=\(word)"
          + (isOnly ? ", or put \(word) before --\(option.name)." : ".")))
  }

  private mutating func keep(_ value: String?, for option: Option) {
    if !option.isRepeating, values.contains(option) {
      note(ValidationError("--\(option.name) is given twice", hint: "Give it once."))
    }
    if let value, case .choices(let choices) = option.completion, !choices.contains(value) {
      let list = [choices.dropLast().joined(separator: ", "), choices.last ?? ""]
        .filter { !$0.isEmpty }.joined(separator: " or ")
      note(
        ValidationError(
          "--\(option.name) cannot be \(ValidationError.quoted(value))", hint: "Write \(list)."))
    }
    values.append(value, for: option)
  }

  private mutating func note(_ error: ValidationError) {
    firstError = firstError ?? error
  }

  private func unknown(_ spelling: String, nearest: String?) -> ValidationError {
    let helpCall = wasNamed ? path.call : path.specifications[0].name
    let hint =
      nearest.map { "Did you mean --\($0)?" } ?? other(String(spelling.drop { $0 == "-" }))
      ?? "See \(helpCall) --help."
    return ValidationError("unknown option \(spelling.escapingControls)", hint: hint)
  }

  /// A hint for an option that this command does not have: which subcommands have it, or which
  /// other commands if none was named.
  private func other(_ name: String) -> String? {
    let path = wasNamed ? path : CommandPath(root: path.specifications[0])
    if !wasNamed, path.command.subcommand(named: name) != nil {
      return "Did you mean \(path.call) \(name)?"
    }
    let commands = path.command.subcommands.filter { subcommand in
      subcommand.specification.options.contains { $0.name == name }
    }
    guard let first = commands.first else { return nil }
    let more = commands.count == 2 ? " and \(path.call) \(commands[1].name)" : " and others"
    return "It is an option of \(path.call) \(first.name)\(commands.count == 1 ? "" : more)."
  }

  /// The hint for the `to` in `rename Fido to Shep`; nil if that is not the surplus word.
  private var littleWordHint: String? {
    let count = path.command.arguments.count
    guard count > 1, values.operands.count == count + 1,
      let word = values.operands.first(where: ["to", "into", "as", "->", "=>", "="].contains)
    else { return nil }
    return "Leave \(ValidationError.quoted(word)) out."
  }

  /// This command's option for what other programs call by another name.
  private func usual(_ name: String) -> String? {
    func has(_ option: String) -> Bool { options.contains { $0.name == option } }
    switch name {
    case "json", "csv", "ics": return has("format") ? "format \(name)" : nil
    case "format": return has("json") ? "json" : nil
    case "from", "after", "start":
      return has("since") ? "since" : has("at") && name != "after" ? "at" : nil
    case "to", "before", "end": return has("until") ? "until" : nil
    case "date", "when", "time", "on": return has("at") ? "at" : nil
    case "daily", "weekly", "monthly":
      let unit = ["daily": "day", "weekly": "week", "monthly": "month"][name] ?? ""
      return has("by-\(unit)") ? "by-\(unit)" : nil
    case "v": return has("version") ? "version" : nil
    case "max", "count", "head", "last", "newest": return has("limit") ? "limit" : nil
    case "message", "comment", "text": return has("note") ? "note" : nil
    case "walker", "who", "person", "user": return has("by") ? "by" : nil
    case "km", "miles", "kilometres", "kilometers": return has("distance") ? "distance" : nil
    case "length", "minutes": return has("duration") ? "duration" : nil
    case "no-tag", "remove-tag", "remove", "without": return has("untag") ? "untag" : nil
    default: return nil
    }
  }

  /// The option, with its value, for removing what was written with a minus sign: `-park`.
  private func takingAway(_ word: String) -> String? {
    guard options.contains(where: { $0.name == "untag" }), word.count > 2,
      word.allSatisfy(\.isLetter)
    else { return nil }
    return "untag \(word)"
  }

  private func article(_ noun: String) -> String {
    noun.first.map("AEIOU".contains) == true ? "an" : "a"
  }
}
