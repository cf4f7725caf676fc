/// How a piece of text stands out on a terminal, by its ANSI number; never the only sign of a
/// meaning.
package enum TextStyle: Int, Sendable {
  /// For headings.
  case bold = 1
  /// For what matters less.
  case dim = 2
  /// For what is overdue.
  case red = 31
  /// For what is done.
  case green = 32
  /// For warnings.
  case yellow = 33
}
