/// A condition on a position in the text.
enum RegularExpressionAssertion: UInt8, Sendable {
  case textStart
  case textEnd
  /// The end, or the position before a final line break.
  case lastLineEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary
}
