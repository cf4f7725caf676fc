/// What to write in place of an operand that most likely belongs to an option.
///
///     OperandHint(for: "park", among: ["--note", "the", "park"], options: [.note])?.text
///     // If it belongs to --note, write --note "the park".
package struct OperandHint: Hashable, Sendable {
  /// What to write, as a sentence.
  package let text: String
  /// The option that it was most likely meant for.
  package let option: Option

  /// Looks for the option; `nil` where none comes to mind.
  ///
  /// - Parameters:
  ///   - operand: One of the words, which is not understood by itself.
  ///   - words: The words as they were typed.
  ///   - options: The options that the command takes.
  package init?(for operand: String, among words: [String], options: [Option]) {
    if let hint = Self.value(around: operand, words, options) {
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

  /// Where an operand goes on with an option's value, as in `--since mon 18:00`, or has to be
  /// joined to it, as in `--month november`.
  private static func value(
    around operand: String, _ words: [String], _ options: [Option]
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
    guard let option else { return nil }
    var value = text
    for case .operand(let word) in words[index...].map({ CommandWord($0) }) { value += " " + word }
    let another = option.isRepeating ? ", else --\(option.name) \(operand.escapingControls)" : ""
    return OperandHint(
      text: "If it belongs to --\(option.name), write --\(option.name) "
        + "\(ValidationError.quoted(value))\(another).", option: option)
  }
}
