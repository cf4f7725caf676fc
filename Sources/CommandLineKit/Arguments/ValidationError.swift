/// Something in the words of a command that cannot be accepted; the program ends with 64.
///
///     throw ValidationError("unknown option --dgo", hint: "Did you mean --dog?")
///     // dogwalk: unknown option --dgo. Did you mean --dog?
package struct ValidationError: Error, Hashable, CustomStringConvertible {
  /// What is printed behind `dogwalk: `: what failed, why, and what to do.
  package let message: String

  /// An error whose whole message is given.
  package init(_ message: String) {
    self.message = message
  }

  /// An error that says what is wrong and, as a sentence of its own, what to do about it.
  package init(_ complaint: String, hint: String) {
    self.init("\(complaint). \(hint)")
  }

  /// The message.
  package var description: String { message }

  /// A word as messages quote it: in double quotes, with control characters made visible.
  package static func quoted(_ word: some StringProtocol) -> String {
    "\"\(String(word).escapingControls)\""
  }
}
