/// An operand of a command: a word without dashes, identified by its position.
///
///     Argument("ID", help: "the number in front of a walk in `dogwalk list`", isRepeating: true)
package struct Argument: Hashable, Sendable {
  /// The name in help, in capitals.
  package let valueName: String
  /// The meaning, as a phrase without a full stop.
  package let help: String
  /// Whether the command requires it.
  package let isRequired: Bool
  /// Whether it takes any number of words; only the last argument of a command may repeat.
  package let isRepeating: Bool
  /// Whether its value may be a number; if no argument accepts one, a number after an option with
  /// an optional value belongs to the option.
  package let takesNumbers: Bool
  /// The completions that a shell may offer.
  package let completion: Completion

  /// Creates an argument, by default required and not repeating.
  package init(
    _ valueName: String, help: String, isRequired: Bool = true, isRepeating: Bool = false,
    takesNumbers: Bool = true, completion: Completion = .nothing
  ) {
    self.valueName = valueName
    self.help = help
    self.isRequired = isRequired
    self.isRepeating = isRepeating
    self.takesNumbers = takesNumbers
    self.completion = completion
  }

  /// The name in a line of usage: `ID…`, `[WORDS…]`.
  package var usage: String {
    let name = isRepeating ? valueName + "…" : valueName
    return isRequired ? name : "[\(name)]"
  }
}
