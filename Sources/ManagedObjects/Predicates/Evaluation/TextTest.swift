import TextMatching

/// A test by an operator on texts, whose right side is prepared once.
///
///     try TextTest(.beginsWith, Array("Fi".utf8), .caseInsensitive).holds(row.bytes(slot))
///
/// Used in memory, and by a function in SQL.
struct TextTest {
  private enum Kind {
    case begins(FoldedText)
    case ends(FoldedText)
    case contains(FoldedText)
    case like(LikePattern)
    case matches(RegularExpression)
  }
  private let kind: Kind
  let how: FetchPredicate.Operator
  let pattern: [UInt8]
  let options: TextOptions

  /// - Precondition: the operator is one on texts.
  /// - Throws: if a pattern of `MATCHES` is invalid.
  init(
    _ how: FetchPredicate.Operator, _ pattern: [UInt8], _ options: TextOptions
  ) throws(RegularExpressionError) {
    let text = String(decoding: pattern, as: UTF8.self)
    self.how = how
    self.pattern = pattern
    self.options = options
    switch how {
    case .beginsWith: kind = .begins(FoldedText(text, options))
    case .endsWith: kind = .ends(FoldedText(text, options))
    case .contains: kind = .contains(FoldedText(text, options))
    case .like: kind = .like(LikePattern(text, options))
    case .matches: kind = .matches(try RegularExpression(text, options, hasLines: true))
    default: fatalError("\(how) is not an operator for strings.")
    }
  }

  func holds(_ text: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .begins(let start): start.isPrefix(of: text)
    case .ends(let end): end.isSuffix(of: text)
    case .contains(let part): part.isContained(in: text)
    case .like(let pattern): pattern.matches(text)
    case .matches(let pattern): pattern.matches(text)
    }
  }

  /// The number of the operator, passed to a function in SQL.
  static func code(_ how: FetchPredicate.Operator) -> Int64 {
    switch how {
    case .beginsWith: 0
    case .endsWith: 1
    case .contains: 2
    case .like: 3
    default: 4
    }
  }

  /// The operator with a number.
  static func `operator`(_ code: Int64) -> FetchPredicate.Operator {
    switch code {
    case 0: .beginsWith
    case 1: .endsWith
    case 2: .contains
    case 3: .like
    default: .matches
    }
  }
}
