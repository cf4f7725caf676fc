/// An operand of a command: a word without dashes, known by its place.
///
///     Argument("ID", help: "the number in front of a walk in `dogwalk list`", isRepeating: true)
package struct Argument: Hashable, Sendable {
  /// How help calls it, in capitals.
  package let valueName: String
  /// What it means, as a phrase without a full stop.
  package let help: String
  /// Whether the command refuses to run without it.
  package let isRequired: Bool
  /// Whether any number of words may stand here; only the last argument of a command may repeat.
  package let isRepeating: Bool
  /// Whether a number may stand here: where none may, one behind an option with an optional value
  /// belongs to that.
  package let takesNumbers: Bool
  /// What a shell may offer.
  package let completion: Completion

  /// An argument; required and alone unless said otherwise.
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

  /// The name as it stands in a line of usage: `ID…`, `[WORDS…]`.
  package var usage: String {
    let name = isRepeating ? valueName + "…" : valueName
    return isRequired ? name : "[\(name)]"
  }
}
