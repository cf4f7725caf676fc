/// The completions that a shell may offer for a value.
package enum Completion: Hashable, Sendable {
  /// None: the value is free text.
  case nothing
  /// One of these words; the parser rejects any other.
  case choices([String])
  /// Values that the program finds itself, by what it calls them.
  case custom(String)
  /// Files.
  case files
  /// The names of the program's commands.
  case commands
}
