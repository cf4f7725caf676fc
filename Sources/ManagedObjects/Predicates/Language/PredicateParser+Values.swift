import DataModel

/// The beginnings of values and conditions.
extension PredicateParser {
  /// Parses what may precede any operator: a value, a negation, or parentheses.
  mutating func prefix() throws(PredicateFormatError) -> Node {
    let start = token.start
    switch token.kind {
    case .sign(.openParenthesis):
      try advance()
      var inner = try node(.lowest)
      try expect(.closeParenthesis, "an operator or )")
      if let expression = inner.expression {
        inner.content = .expression(try properties(of: expression))
      }
      return try made(inner.content, start: start)
    case .sign(.not): return try negation()
    case .sign(.minus), .sign(.plus), .sign(.complement): return try signed()
    case .name:
      if let keyword = token.keyword, let node = try prefix(keyword) { return node }
    default: break
    }
    return try made(.expression(try value()), start: start)
  }

  /// Parses what begins with a keyword; nil if that is a value.
  private mutating func prefix(
    _ keyword: PredicateToken.Keyword
  ) throws(PredicateFormatError) -> Node? {
    let start = token.start
    switch keyword {
    case .not: return try negation()
    case .any, .some, .all, .none:
      try advance()
      let left = try node(.bits)
      guard startsComparison, token.keyword != .not else {
        throw scanner.error("expected an operator, such as ==", at: token.start)
      }
      let compared = try predicate(try comparison(left, keyword == .all ? .all : .any))
      return try made(.predicate(keyword == .none ? .not(compared) : compared), start: start)
    case .truePredicate, .falsePredicate:
      try advance()
      return try made(.predicate(.constant(keyword == .truePredicate)), start: start)
    default: return nil
    }
  }

  private mutating func negation() throws(PredicateFormatError) -> Node {
    let start = token.start
    try advance()
    let inner = try node(.comparison)
    return try made(.predicate(.not(try predicate(inner))), start: start)
  }

  /// Parses `-x`, `+x` or `~x`; a signed number becomes a constant.
  private mutating func signed() throws(PredicateFormatError) -> Node {
    let start = token.start
    let sign = token.kind
    try advance()
    if sign == .sign(.minus), case .integer(let number) = token.kind, number == 1 << 63 {
      try advance()
      return try made(.expression(.constant(.integer(.min))), start: start)
    }
    let operand = try node(.prefix)
    let inner = try expression(operand)
    let expression: FetchExpression =
      switch (sign, inner.kind) {
      case (.sign(.plus), _): inner
      case (.sign(.complement), _): .function(.complement, [inner])
      case (_, .constant(.integer(let number)?)) where number != .min: .constant(.integer(-number))
      case (_, .constant(.double(let number)?)): .constant(.double(-number))
      default: .function(.subtract, [.constant(.integer(0)), inner])
      }
    return try made(.expression(expression), start: start)
  }

  // MARK: Values

  /// Parses a value and the properties after it.
  private mutating func value() throws(PredicateFormatError) -> FetchExpression {
    let token = token
    switch token.kind {
    case .text(let text):
      try advance()
      return .constant(.string(text))
    case .integer(let number):
      try advance()
      return .constant(Int64(exactly: number).map { .integer($0) } ?? .double(Double(number)))
    case .real(let number):
      try advance()
      return .constant(.double(number))
    case .variable:
      try advance()
      return try properties(of: .variable(scanner.variableName(token)))
    case .placeholder(let letter):
      let value = try placeholder(letter)
      try advance()
      // Texts and numbers have no properties, whether literal or arguments.
      if case .constant = value.kind { return value }
      return try properties(of: value)
    case .sign(.openBrace): return try properties(of: try aggregate())
    case .selector: return try properties(of: try call(named: scanner.spelling(token)))
    case .name: return try named(token)
    default:
      throw scanner.error("expected a value or a key path", at: token.start)
    }
  }

  /// Parses a value that starts with a name: a keyword, a call or a key path.
  private mutating func named(
    _ token: PredicateToken
  ) throws(PredicateFormatError) -> FetchExpression {
    try advance()
    let isCall = self.token.kind == .sign(.openParenthesis) && self.token.start == token.end
    switch token.keyword {
    case .null, .nil: return .constant(nil)
    case .true, .yes: return .constant(.boolean(true))
    case .false, .no: return .constant(.boolean(false))
    case .evaluated: return try properties(of: .evaluatedObject)
    case .subquery where isCall: return try properties(of: try subquery())
    case .cast where isCall: return try properties(of: try cast())
    case .ternary where isCall: return try properties(of: try ternary())
    case .fetch where isCall:
      throw scanner.error("FETCH is not supported: no store can evaluate it", at: token.start)
    case .function where isCall:
      throw scanner.error(
        "FUNCTION is not supported: it calls methods of Objective-C", at: token.start)
    case .subquery, .cast, .fetch, .function, .ternary, nil: break
    default: throw scanner.error("expected a value or a key path", at: token.start)
    }
    if isCall {
      return try properties(of: try arguments(ofFunction: scanner.spelling(token), at: token.start))
    }
    return try properties(of: keyPath(token))
  }

  /// The key path of a token; `SELF` at its start is dropped.
  private func keyPath(_ token: PredicateToken) -> FetchExpression {
    var bytes = scanner.bytes[token.start..<token.end]
    if bytes.count > 5, bytes[token.start + 4] == UInt8(ascii: "."),
      PredicateToken.Keyword(bytes.prefix(4)) == .evaluated
    {
      bytes = bytes.dropFirst(5)
    }
    return .keyPath(names(bytes))
  }

  /// Names without the `#` that escapes keywords.
  private func names(_ bytes: ArraySlice<UInt8>) -> String {
    let isPlain = bytes.allSatisfy { $0 != UInt8(ascii: "#") }
    return isPlain
      ? String(decoding: bytes, as: UTF8.self)
      : String(decoding: bytes.filter { $0 != UInt8(ascii: "#") }, as: UTF8.self)
  }

  /// Parses `.name` and `[SIZE]` after a value.
  mutating func properties(
    of value: FetchExpression
  ) throws(PredicateFormatError) -> FetchExpression {
    var value = value
    while true {
      switch token.kind {
      case .sign(.dot):
        try advance()
        value = value.property(try propertyNames())
      case .sign(.openBracket):
        try advance()
        value = try element(of: value)
        try expect(.closeBracket, "]")
      default: return value
      }
    }
  }

  /// Parses what follows a dot: names, or `%K` for them.
  private mutating func propertyNames() throws(PredicateFormatError) -> String {
    let first = token
    switch first.kind {
    case .name:
      try advance()
      return names(scanner.bytes[first.start..<first.end])
    case .placeholder(UInt8(ascii: "K")):
      guard case .keyPath(let names) = try placeholder(UInt8(ascii: "K")).kind else { break }
      try advance()
      return names
    default: break
    }
    throw scanner.error("expected a property's name", at: first.start)
  }

  /// Parses `FIRST`, `LAST`, `SIZE` or a number in brackets.
  private mutating func element(
    of value: FetchExpression
  ) throws(PredicateFormatError) -> FetchExpression {
    let first = token
    try advance()
    if case .integer(let number) = first.kind, let index = Int(exactly: number) {
      return .element(of: value, .index(index))
    }
    switch first.kind == .name ? scanner.spelling(first).uppercased() : "" {
    case "SIZE": return value.property("@count")
    case "FIRST": return .element(of: value, .first)
    case "LAST": return .element(of: value, .last)
    default: throw scanner.error("expected FIRST, LAST, SIZE or a number", at: first.start)
    }
  }

  private mutating func placeholder(
    _ letter: UInt8
  ) throws(PredicateFormatError) -> FetchExpression {
    if letter == UInt8(ascii: "%") { return .constant(.string("%")) }
    let position = token.start
    let argument = try argument()
    switch (letter, argument.kind) {
    case (UInt8(ascii: "@"), _): return argument
    case (UInt8(ascii: "K"), .constant(.string(let path)?)): return .keyPath(path)
    case (UInt8(ascii: "K"), _):
      throw scanner.error("the argument for %K must be a string", at: position)
    case (UInt8(ascii: "d"), .constant(.integer?)), (UInt8(ascii: "d"), .constant(.boolean?)),
      (UInt8(ascii: "f"), .constant(.double?)), (UInt8(ascii: "s"), .constant(.string?)):
      return argument
    case (UInt8(ascii: "f"), .constant(.integer(let number)?)):
      return .constant(.double(Double(number)))
    case (UInt8(ascii: "d"), _):
      throw scanner.error("the argument for this must be a whole number", at: position)
    case (UInt8(ascii: "f"), _):
      throw scanner.error("the argument for this must be a number", at: position)
    default: throw scanner.error("the argument for this must be a string", at: position)
    }
  }

  /// Parses `{1, 2, 3}`.
  private mutating func aggregate() throws(PredicateFormatError) -> FetchExpression {
    try advance()
    var values: [FetchExpression] = []
    if token.kind != .sign(.closeBrace) {
      values.append(try expression(try node(.bits)))
      while token.kind == .sign(.comma) {
        try advance()
        values.append(try expression(try node(.bits)))
      }
    }
    try expect(.closeBrace, "a comma or }")
    return .aggregate(values)
  }
}

extension FetchExpression {
  /// The key path extended by names.
  func property(_ names: String) -> FetchExpression {
    switch kind {
    case .evaluatedObject: .keyPath(names)
    case .keyPath(let path): .keyPath("\(path).\(names)")
    case .property(let base, let path): .property(of: base, "\(path).\(names)")
    default: .property(of: self, names)
    }
  }
}
