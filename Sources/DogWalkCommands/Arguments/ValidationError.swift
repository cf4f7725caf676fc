/// Something in the words of a command that cannot be accepted; the program ends with 64.
///
///     throw ValidationError("unknown option --dgo", hint: "Did you mean --dog?")
///     // dogwalk: unknown option --dgo. Did you mean --dog?
struct ValidationError: Error, Hashable, CustomStringConvertible {
  /// What is printed behind `dogwalk: `: what failed, why, and what to do.
  let message: String

  /// An error whose whole message is given.
  init(_ message: String) {
    self.message = message
  }

  /// An error that says what is wrong and, as a sentence of its own, what to do about it.
  init(_ complaint: String, hint: String) {
    self.init("\(complaint). \(hint)")
  }

  /// The message.
  var description: String { message }

  /// A word as messages quote it: in double quotes, with control characters made visible.
  static func quoted(_ word: some StringProtocol) -> String {
    "\"\(String(word).escapingControls)\""
  }
}
