/// A parsed regular expression.
indirect enum RegularExpressionTree {
  case empty
  case scalar(UInt32, ignoresCase: Bool)
  /// Any scalar, with or without line breaks.
  case any(endsOfLines: Bool)
  /// A scalar of the set with a number.
  case set(Int)
  case assertion(RegularExpressionAssertion)
  case sequence([RegularExpressionTree])
  case alternatives([RegularExpressionTree])
  /// A repetition with a minimum and a maximum; a nil maximum means no limit.
  case repeated(RegularExpressionTree, least: Int, most: Int?)
}
