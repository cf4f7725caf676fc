/// An error in the words of a command line; the program exits with 64.
///
///     throw ValidationError("unknown option --dgo", hint: "Did you mean --dog?")
///     // dogwalk: unknown option --dgo. Did you mean --dog?
package struct ValidationError: Error, Hashable, CustomStringConvertible {
  /// The message printed after `dogwalk: `: what failed, why, and what to do.
  package let message: String

  /// Creates an error with a complete message.
  package init(_ message: String) {
    self.message = message
  }

  /// Creates an error from a complaint and a hint, which is a sentence of its own.
  package init(_ complaint: String, hint: String) {
    self.init("\(complaint). \(hint)")
  }

  /// The message.
  package var description: String { message }

  /// A word quoted for a message, with control characters escaped.
  package static func quoted(_ word: some StringProtocol) -> String {
    "\"\(String(word).escapingControls)\""
  }
}
