extension PredicateParser {
  /// Whether the token is a comparison operator, or the `NOT` before one.
  var startsComparison: Bool {
    if case .sign = token.kind { return Self.operator(token) != nil }
    guard token.kind == .name, let keyword = token.keyword else { return false }
    return keyword == .not || Self.operator(token) != nil
  }

  /// Parses the operator and the right side of a comparison.
  mutating func comparison(
    _ left: Node, _ modifier: FetchPredicate.Modifier
  ) throws(PredicateFormatError) -> Node {
    let leftExpression = try expression(left)
    let isNegated = token.keyword == .not
    if isNegated { try advance() }
    guard let how = Self.operator(token), !isNegated || token.kind == .name else {
      throw scanner.error(
        isNegated ? "expected IN, CONTAINS, LIKE or the like" : "expected an operator, such as ==",
        at: token.start)
    }
    try advance()
    let options = try options()
    let right = try node(.bits)
    let rightExpression = try expression(right)
    if how == .between, case .aggregate(let bounds) = rightExpression.kind, bounds.count != 2 {
      throw scanner.error("expected two values, as in BETWEEN {1, 5}", at: right.start)
    }
    let compared = FetchPredicate.compare(
      .init(leftExpression, how, rightExpression, modifier: modifier, options: options))
    return try made(
      .predicate(isNegated ? .not(compared) : compared), start: left.start)
  }

  private static func `operator`(_ token: PredicateToken) -> FetchPredicate.Operator? {
    if case .sign(let sign) = token.kind {
      return switch sign {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .lessThan
      case .lessOrEqual: .lessThanOrEqual
      case .greater: .greaterThan
      case .greaterOrEqual: .greaterThanOrEqual
      default: nil
      }
    }
    guard token.kind == .name, let keyword = token.keyword else { return nil }
    return switch keyword {
    case .between: .between
    case .in: .in
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .matches: .matches
    default: nil
    }
  }

  /// Parses `[c]`, `[d]`, `[cd]`, `[n]`, or nothing.
  private mutating func options() throws(PredicateFormatError) -> FetchPredicate.Options {
    guard token.kind == .sign(.openBracket) else { return [] }
    try advance()
    let name = token
    var options: FetchPredicate.Options = []
    for (index, letter) in scanner.spelling(name).utf8.enumerated() {
      switch letter | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      case UInt8(ascii: "n"): options.insert(.normalized)
      default: throw scanner.error("expected c, d or n", at: name.start + index)
      }
    }
    guard !options.isEmpty else { throw scanner.error("expected c, d or n", at: name.start) }
    try advance()
    try expect(.closeBracket, "]")
    return options
  }
}
