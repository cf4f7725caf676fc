import DataFormats
import DataModel
import SystemLibraries

/// Functions, casts, conditionals and subqueries.
extension PredicateParser {
  /// Parses `SUBQUERY(walks, $w, $w.duration > 1800)` from the parenthesis on.
  mutating func subquery() throws(PredicateFormatError) -> FetchExpression {
    try expect(.openParenthesis, "(")
    let collection = try expression(try node(.bits))
    try expect(.comma, "a comma and a variable")
    guard token.kind == .variable else {
      throw scanner.error("expected a variable, such as $x", at: token.start)
    }
    let variable = scanner.variableName(token)
    try advance()
    try expect(.comma, "a comma and a condition")
    let condition = try node(.lowest)
    let meaning = try predicate(condition)
    try expect(.closeParenthesis, "AND, OR or )")
    return .subquery(collection, variable: variable, meaning)
  }

  /// Parses `TERNARY(isOngoing == YES, 0, duration)` from the parenthesis on.
  mutating func ternary() throws(PredicateFormatError) -> FetchExpression {
    try expect(.openParenthesis, "(")
    // Parsed completely first, so that an error is reported where parsing stopped.
    let condition = try node(.lowest)
    let chosen = try predicate(condition)
    try expect(.comma, "a comma and a value")
    let one = try node(.bits)
    let first = try expression(one)
    try expect(.comma, "a comma and another value")
    let other = try node(.bits)
    let second = try expression(other)
    try expect(.closeParenthesis, "an operator or )")
    return .conditional(chosen, first, second)
  }

  /// Parses `name:(…)` or `name:name:(…)`.
  mutating func call(named name: String) throws(PredicateFormatError) -> FetchExpression {
    let start = token.start
    try advance()
    guard token.kind == .sign(.openParenthesis) else {
      throw scanner.error("expected (", at: token.start)
    }
    return try arguments(ofFunction: name, at: start)
  }

  /// Parses the arguments of a function from the parenthesis on, and applies the function.
  mutating func arguments(
    ofFunction name: String, at start: Int
  ) throws(PredicateFormatError) -> FetchExpression {
    try expect(.openParenthesis, "(")
    var arguments: [FetchExpression] = []
    if token.kind != .sign(.closeParenthesis) {
      arguments.append(try expression(try node(.bits)))
      while token.kind == .sign(.comma) {
        try advance()
        arguments.append(try expression(try node(.bits)))
      }
    }
    try expect(.closeParenthesis, "a comma or )")
    let lowercased = name.lowercased()
    if let function = Self.function(lowercased) {
      guard arguments.count == function.argumentCount else {
        throw scanner.error("\(name) takes \(function.argumentCount) values", at: start)
      }
      return .function(function, arguments)
    }
    guard let aggregate = Self.aggregate(lowercased) else {
      throw scanner.error("there is no function \(name)", at: start)
    }
    guard arguments.count == 1 else { throw scanner.error("\(name) takes 1 value", at: start) }
    switch arguments[0].kind {
    case .aggregate(let values):
      guard let made = Self.aggregate(aggregate, of: values) else {
        throw scanner.error("\(name) takes a list of numbers", at: start)
      }
      return made
    case .keyPath(let path): return .keyPath(Self.keyPath(aggregate, path))
    // An attribute's name may also be given as a text: `min(%@)`.
    case .constant(.string(let path)?) where PredicateScanner.isKeyPath(path):
      return .keyPath(Self.keyPath(aggregate, path))
    case .subquery where aggregate == .count: return arguments[0].property(aggregate.rawValue)
    case .property(let base, let path):
      guard case .subquery = base.kind else { break }
      return .property(of: base, "\(aggregate.rawValue).\(path)")
    default: break
    }
    throw scanner.error("\(name) takes a key path or a list of numbers", at: start)
  }

  /// The key path for an aggregate: `sum(walks.duration)` is `walks.@sum.duration`, and
  /// `max(date)`, without a to-many, covers all objects: `@max.date`.
  static func keyPath(_ aggregate: AggregateFunction, _ path: String) -> String {
    if aggregate == .count { return "\(path).@count" }
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return "\(aggregate.rawValue).\(path)"
    }
    return "\(path[..<dot]).\(aggregate.rawValue)\(path[dot...])"
  }

  /// The function with a name in lower case, with or without its last colon.
  static func function(_ name: String) -> FetchExpression.Function? {
    let spelled = name.hasSuffix(":") || name == "now" ? name : name + ":"
    switch spelled {
    case "now:": return .now
    case "add:to:": return .add
    case "from:subtract:": return .subtract
    case "multiply:by:": return .multiply
    case "divide:by:": return .divide
    case "raise:topower:": return .power
    case "bitwiseand:with:": return .bitwiseAnd
    case "bitwiseor:with:": return .bitwiseOr
    case "bitwisexor:with:": return .bitwiseXor
    case "leftshift:by:": return .shiftLeft
    case "rightshift:by:": return .shiftRight
    case "onescomplement:": return .complement
    default: return FetchExpression.Function(rawValue: spelled)
    }
  }

  /// The aggregate of a list of constants: `sum({1, 2, 3})`; nil if they are not numbers.
  private static func aggregate(
    _ aggregate: AggregateFunction, of values: [FetchExpression]
  ) -> FetchExpression? {
    var fold = AggregateFold(aggregate)
    for value in values {
      guard aggregate != .count else {
        fold.add(nil)
        continue
      }
      guard case .constant(let constant?) = value.kind else { return nil }
      let number = Scalar(constant)
      guard number.number != nil else { return nil }
      fold.add(number)
    }
    return .constant(fold.result?.value(as: nil))
  }

  /// The aggregate with a name in lower case, with or without its colon.
  static func aggregate(_ name: String) -> AggregateFunction? {
    switch name {
    case "count", "count:": .count
    case "sum", "sum:": .sum
    case "min", "min:": .minimum
    case "max", "max:": .maximum
    case "average", "average:", "avg", "avg:": .average
    case "median", "median:": .median
    case "stddev", "stddev:": .standardDeviation
    default: nil
    }
  }

  // MARK: Casts

  /// Parses `CAST(694224000, "NSDate")` from the parenthesis on; a constant is converted at once.
  mutating func cast() throws(PredicateFormatError) -> FetchExpression {
    try expect(.openParenthesis, "(")
    let start = token.start
    let inner = try expression(try node(.bits))
    try expect(.comma, "a comma and a type, such as \"NSDate\"")
    guard case .text(let type) = token.kind else {
      throw scanner.error("expected a type, such as \"NSDate\"", at: token.start)
    }
    let typeStart = token.start
    try advance()
    try expect(.closeParenthesis, ")")
    if case .constant(let value) = inner.kind {
      guard let value else { return inner }
      if type != "NSManagedObjectID" {
        guard let value = value.cast(to: type) else {
          throw scanner.error("this cannot be cast to \(type)", at: start)
        }
        return .constant(value)
      }
    }
    switch type {
    case "NSDate": return .function(.toDate, [inner])
    case "NSNumber": return .function(.toNumber, [inner])
    case "NSManagedObjectID": return .function(.toObject, [inner])
    default:
      throw scanner.error("only constants can be cast to \(type)", at: typeStart)
    }
  }
}

extension FetchExpression.Function {
  /// The number of arguments.
  var argumentCount: Int {
    switch self {
    case .now: 0
    case .complement, .abs, .ceiling, .floor, .trunc, .sqrt, .naturalLogarithm, .logarithm,
      .exponential, .lowercase, .uppercase, .length, .toDate, .toNumber, .toObject:
      1
    default: 2
    }
  }
}

extension AttributeValue {
  /// The value converted to one of Foundation's types; nil if it cannot be.
  func cast(to type: String) -> AttributeValue? {
    switch (type, self) {
    case ("NSDate", .date), ("NSString", .string), ("NSUUID", .uuid), ("NSURL", .uri),
      ("NSData", .binary), ("NSDecimalNumber", .decimal), ("NSNumber", .integer),
      ("NSNumber", .double), ("NSNumber", .boolean), ("NSNumber", .decimal):
      return self
    case ("NSDate", .integer(let seconds)):
      return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case ("NSDate", .double(let seconds)):
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case ("NSNumber", .date(let date)): return .double(date.timeIntervalSinceReferenceDate)
    case ("NSNumber", .string(let text)):
      return Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
    case ("NSDecimalNumber", .integer(let number)): return .decimal(Decimal(number))
    case ("NSDecimalNumber", .double(let number)): return .decimal(Decimal(stored: number))
    case ("NSDecimalNumber", .string(let text)): return Decimal(string: text).map { .decimal($0) }
    case ("NSString", .integer(let number)): return .string(String(number))
    case ("NSString", .double(let number)): return .string(number.description)
    case ("NSUUID", .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
    case ("NSURL", .string(let text)): return URL(string: text).map { .uri($0) }
    case ("NSData", .string(let text)): return Data(hexadecimal: text).map { .binary($0) }
    default: return nil
    }
  }
}

extension Data {
  /// Parses bytes from pairs of hexadecimal digits; nil for anything else.
  init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self.init(capacity: digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let upper = digits[index].hexadecimalDigit,
        let lower = digits[index + 1].hexadecimalDigit
      else { return nil }
      append(upper << 4 | lower)
    }
  }

  /// The bytes as pairs of hexadecimal digits.
  var hexadecimal: String {
    var text = ""
    for byte in self {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }
}
