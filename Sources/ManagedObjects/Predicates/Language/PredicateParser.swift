import DataModel

/// A predicate parser with one token of look-ahead, by operator precedence.
///
/// Predicates and expressions are parsed by the same functions, since only later tokens determine
/// which one a `(` starts. Time is linear; nesting is limited, so that parsing does not overflow
/// the stack, and the result is limited like every predicate (`PredicateNesting`).
struct PredicateParser {
  var scanner: PredicateScanner
  var token: PredicateToken
  private let arguments: [FetchExpression]
  private var argumentCount = 0
  private var nesting = 0
  /// Whether to record the parsed expressions and comparisons with their positions.
  private let recordsPositions: Bool
  private(set) var expressions: [(expression: FetchExpression, start: Int)] = []
  private(set) var comparisons: [(predicate: FetchPredicate, start: Int)] = []

  static let deepestNesting = 100

  /// A parsed predicate or expression.
  struct Node {
    enum Content {
      case predicate(FetchPredicate)
      case expression(FetchExpression)
    }
    var content: Content
    let start: Int

    var expression: FetchExpression? {
      if case .expression(let expression) = content { expression } else { nil }
    }
  }

  init(
    _ format: String, arguments: [FetchExpression], recordsPositions: Bool = false
  ) throws(PredicateFormatError) {
    self.recordsPositions = recordsPositions
    scanner = PredicateScanner(format)
    self.arguments = arguments
    token = try scanner.next()
  }

  /// Parses the whole text as a predicate.
  mutating func predicate() throws(PredicateFormatError) -> FetchPredicate {
    let node = try node(.lowest)
    try finish(after: node)
    return try predicate(node)
  }

  /// Parses the whole text as an expression.
  mutating func expression() throws(PredicateFormatError) -> FetchExpression {
    let node = try node(.lowest)
    try finish(after: node)
    guard let expression = node.expression else {
      throw scanner.error("expected a value, not a condition", at: node.start)
    }
    return expression
  }

  private func finish(after node: Node) throws(PredicateFormatError) {
    guard token.kind == .end else {
      throw scanner.error(
        node.expression == nil
          ? "expected AND, OR or the end" : "expected an operator, such as ==", at: token.start)
    }
    guard argumentCount == arguments.count else {
      throw scanner.error(
        "\(arguments.count) arguments were given for \(argumentCount) placeholders",
        at: token.start)
    }
  }

  // MARK: Tokens

  mutating func advance() throws(PredicateFormatError) { token = try scanner.next() }

  /// Consumes a sign that must be there.
  mutating func expect(
    _ sign: PredicateToken.Sign, _ spelling: String
  ) throws(PredicateFormatError) {
    guard token.kind == .sign(sign) else {
      throw scanner.error("expected \(spelling)", at: token.start)
    }
    try advance()
  }

  /// The argument for the placeholder token.
  mutating func argument() throws(PredicateFormatError) -> FetchExpression {
    guard argumentCount < arguments.count else {
      throw scanner.error("there is no argument for this placeholder", at: token.start)
    }
    argumentCount += 1
    return arguments[argumentCount - 1]
  }

  // MARK: Operator precedence

  /// The precedence of an operator.
  enum Strength: UInt8, Comparable {
    case lowest, or, and, comparison, bits, shift, sum, product, power, prefix

    static func < (one: Strength, other: Strength) -> Bool { one.rawValue < other.rawValue }
    var next: Strength { Strength(rawValue: rawValue + 1) ?? .prefix }
  }

  /// Parses as much as binds at least as strongly as a precedence.
  mutating func node(_ least: Strength) throws(PredicateFormatError) -> Node {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.deepestNesting else {
      throw scanner.error("this is nested too deeply", at: token.start)
    }
    var left = try prefix()
    while true {
      if let (word, strength) = logical(token) {
        guard strength >= least else { return left }
        left = try compound(left, word, strength)
      } else if let (function, strength) = Self.arithmetic(token) {
        guard strength >= least else { return left }
        try advance()
        let right = try node(strength == .power ? strength : strength.next)
        left = try binary(left, function, right)
      } else if startsComparison {
        guard Strength.comparison >= least else { return left }
        left = try comparison(left, .direct)
      } else {
        return left
      }
    }
  }

  /// The logical operator of a token, in either spelling.
  private func logical(_ token: PredicateToken) -> (PredicateToken.Keyword, Strength)? {
    switch (token.kind, token.keyword) {
    case (.sign(.logicalAnd), _), (.name, .and): (.and, .and)
    case (.sign(.logicalOr), _), (.name, .or): (.or, .or)
    default: nil
    }
  }

  /// Parses a series of conditions joined by the same operator.
  private mutating func compound(
    _ first: Node, _ word: PredicateToken.Keyword, _ strength: Strength
  ) throws(PredicateFormatError) -> Node {
    var parts = [try predicate(first)]
    while let (next, _) = logical(token), next == word {
      try advance()
      parts.append(try predicate(try node(strength.next)))
    }
    return try made(
      .predicate(word == .and ? .all(parts) : .any(parts)), start: first.start)
  }

  /// The predicate in a node, which must be one.
  func predicate(_ node: Node) throws(PredicateFormatError) -> FetchPredicate {
    guard case .predicate(let predicate) = node.content else {
      throw scanner.error(
        "expected an operator, such as ==, after this value", at: token.start)
    }
    return predicate
  }

  /// The expression in a node, which must be one.
  func expression(_ node: Node) throws(PredicateFormatError) -> FetchExpression {
    guard let expression = node.expression else {
      throw scanner.error("expected a value, not a condition", at: node.start)
    }
    return expression
  }

  mutating func made(
    _ content: Node.Content, start: Int
  ) throws(PredicateFormatError) -> Node {
    let nesting: PredicateNesting
    switch content {
    case .predicate(let predicate):
      nesting = predicate.nesting
      if recordsPositions, case .compare = predicate.kind { comparisons.append((predicate, start)) }
    case .expression(let expression):
      nesting = expression.nesting
      if recordsPositions { expressions.append((expression, start)) }
    }
    guard !nesting.isTooDeep else { throw scanner.error("this is nested too deeply", at: start) }
    return Node(content: content, start: start)
  }

  // MARK: Arithmetic

  private mutating func binary(
    _ left: Node, _ function: FetchExpression.Function, _ right: Node
  ) throws(PredicateFormatError) -> Node {
    try made(
      .expression(.function(function, [try expression(left), try expression(right)])),
      start: left.start)
  }

  private static func arithmetic(
    _ token: PredicateToken
  ) -> (FetchExpression.Function, Strength)? {
    guard case .sign(let sign) = token.kind else { return nil }
    return switch sign {
    case .or: (.bitwiseOr, .bits)
    case .xor: (.bitwiseXor, .bits)
    case .and: (.bitwiseAnd, .bits)
    case .shiftLeft: (.shiftLeft, .shift)
    case .shiftRight: (.shiftRight, .shift)
    case .plus: (.add, .sum)
    case .minus: (.subtract, .sum)
    case .times: (.multiply, .product)
    case .divide: (.divide, .product)
    case .power: (.power, .power)
    default: nil
    }
  }
}
