/// The style of text on a terminal, with its ANSI number; never the only indication of a meaning.
package enum TextStyle: Int, Sendable {
  /// For headings.
  case bold = 1
  /// For less important text.
  case dim = 2
  /// For overdue things.
  case red = 31
  /// For completed things.
  case green = 32
}
