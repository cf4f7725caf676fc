/// A hint for an operand that probably belongs to an option.
///
///     OperandHint(for: "park", among: ["--note", "the", "park"], options: [.note])?.text
///     // If it belongs to --note, write --note "the park".
package struct OperandHint: Hashable, Sendable {
  /// The hint, as a sentence.
  package let text: String
  /// The option that the operand probably belongs to.
  package let option: Option

  /// Searches for the option; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - operand: One of the words, which cannot be understood by itself.
  ///   - words: The words as they were typed.
  ///   - options: The options that the command accepts.
  ///   - count: How many of the words after an option's value may continue it; all of them if
  ///     its values are not known further.
  package init?(
    for operand: String, among words: [String], options: [Option],
    joining count: (_ option: Option, _ value: String, _ rest: [String]) -> Int = { $2.count }
  ) {
    if let hint = Self.value(around: operand, words, options, joining: count) {
      self = hint
    } else if let option = options.first(where: { $0.name == operand.lowercased() }) {
      self.init(text: "Did you mean --\(option.name)?", option: option)
    } else {
      return nil
    }
  }

  private init(text: String, option: Option) {
    self.text = text
    self.option = option
  }

  /// The hint for an operand that continues an option's value, as in `--since mon 18:00`, or must
  /// be joined to it, as in `--month november`.
  ///
  /// A value that contains a space was already quoted, and one of several choices is a single word.
  private static func value(
    around operand: String, _ words: [String], _ options: [Option],
    joining count: (Option, String, [String]) -> Int
  ) -> OperandHint? {
    guard let index = words.firstIndex(of: operand), index > 0 else { return nil }
    let text: String
    let option: Option?
    switch CommandWord(words[index - 1]) {
    case .long(let name, let value?):
      text = value
      option = options.first { $0.name == name && $0.value != .none }
    case .long(let name, nil):
      guard let option = options.first(where: { $0.name == name }),
        case .optional(let valueName) = option.value
      else { return nil }
      return OperandHint(
        text: "If it belongs to --\(name), write --\(name)=\(valueName).", option: option)
    case .operand(let value) where index > 1:
      text = value
      switch CommandWord(words[index - 2]) {
      case .long(let name, nil):
        option = options.first { $0.name == name && $0.needsValue }
      case .short(let letters):
        option = options.first { $0.short == letters.last && $0.needsValue }
      default: return nil
      }
    default: return nil
    }
    guard let option, !text.hasWhitespace else { return nil }
    if case .choices = option.completion { return nil }
    // A value extends up to the next option.
    let rest = words[index...].prefix { word in
      if case .operand = CommandWord(word) { true } else { false }
    }
    let joined = rest.prefix(max(0, count(option, text, Array(rest))))
    guard !joined.isEmpty else { return nil }
    let value = ([text] + joined).joined(separator: " ")
    let another = option.isRepeating ? ", else --\(option.name) \(operand.escapingControls)" : ""
    return OperandHint(
      text: "If it belongs to --\(option.name), write --\(option.name) "
        + "\(ValidationError.quoted(value))\(another).", option: option)
  }
}
