/// A regular expression as it was read.
indirect enum RegularExpressionTree {
  case empty
  case scalar(UInt32, ignoresCase: Bool)
  /// Any scalar, or any but the end of a line.
  case any(endsOfLines: Bool)
  /// A scalar of the set with this number.
  case set(Int)
  case assertion(RegularExpressionAssertion)
  case sequence([RegularExpressionTree])
  case alternatives([RegularExpressionTree])
  /// At most so many times; nil for any number of them.
  case repeated(RegularExpressionTree, least: Int, most: Int?)
}

/// A condition on a position in the text.
enum RegularExpressionAssertion: UInt8, Sendable {
  case textStart
  case textEnd
  /// The end, or before the line's end that is the last.
  case lastLineEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary
}
