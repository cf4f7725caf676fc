import SystemLibraries

/// The functions of predicates, in memory and in SQL alike.
///
/// The result for a missing value is missing. Integers stay integers as long as they fit into 64
/// bits; an undefined result (0 / 0, √-1) is missing.
enum ScalarFunction {
  static func apply(
    _ function: FetchExpression.Function, _ one: Scalar?, _ other: Scalar?
  ) -> Scalar? {
    guard let one else { return nil }
    switch function {
    case .toDate, .toNumber, .toObject: return one
    case .lowercase: return text(one) { $0.lowercased() }
    case .uppercase: return text(one) { $0.uppercased() }
    case .length: return length(one)
    case .abs, .ceiling, .floor, .trunc, .sqrt, .naturalLogarithm, .logarithm, .exponential,
      .complement:
      return unary(function, one)
    default: return other.flatMap { binary(function, one, $0) }
    }
  }

  private static func text(_ value: Scalar, _ body: (String) -> String) -> Scalar? {
    guard case .text(let bytes) = value else { return nil }
    return .text(Array(body(String(decoding: bytes, as: UTF8.self)).utf8))
  }

  private static func length(_ value: Scalar) -> Scalar? {
    switch value {
    case .text(let bytes): .integer(Int64(String(decoding: bytes, as: UTF8.self).utf16.count))
    case .bytes(let bytes): .integer(Int64(bytes.count))
    case .integer, .real: nil
    }
  }

  /// A floating-point result; nil for NaN.
  private static func real(_ number: Double) -> Scalar? { number.isNaN ? nil : .real(number) }

  private static func unary(
    _ function: FetchExpression.Function, _ value: Scalar
  ) -> Scalar? {
    switch (function, value) {
    case (.abs, .integer(let number)):
      number == .min ? .real(0x1p63) : .integer(number < 0 ? -number : number)
    case (.abs, .real(let number)): .real(number.magnitude)
    case (.ceiling, .integer), (.floor, .integer), (.trunc, .integer): value
    case (.ceiling, .real(let number)): .real(number.rounded(.up))
    case (.floor, .real(let number)): .real(number.rounded(.down))
    case (.trunc, .real(let number)): .real(number.rounded(.towardZero))
    case (.sqrt, _): value.number.flatMap { real($0.squareRoot()) }
    case (.naturalLogarithm, _): value.number.flatMap { real(log($0)) }
    case (.logarithm, _): value.number.flatMap { real(log10($0)) }
    case (.exponential, _): value.number.flatMap { real(exp($0)) }
    case (.complement, _): whole(value).map { .integer(~$0) }
    default: nil
    }
  }

  private static func binary(
    _ function: FetchExpression.Function, _ one: Scalar, _ other: Scalar
  ) -> Scalar? {
    if case .integer(let one) = one, case .integer(let other) = other,
      let result = whole(function, one, other)
    {
      return result
    }
    if let (one, other) = whole(one).flatMap({ one in whole(other).map { (one, $0) } }),
      let result = bits(function, one, other)
    {
      return .integer(result)
    }
    guard let one = one.number, let other = other.number else { return nil }
    switch function {
    case .add: return real(one + other)
    case .subtract: return real(one - other)
    case .multiply: return real(one * other)
    case .divide: return other == 0 ? nil : real(one / other)
    case .modulus: return other == 0 ? nil : real(fmod(one, other))
    case .power: return real(pow(one, other))
    default: return nil
    }
  }

  /// The result for two integers; nil if it is not a 64-bit integer.
  private static func whole(
    _ function: FetchExpression.Function, _ one: Int64, _ other: Int64
  ) -> Scalar? {
    let (result, overflows): (Int64, Bool)
    switch function {
    case .add: (result, overflows) = one.addingReportingOverflow(other)
    case .subtract: (result, overflows) = one.subtractingReportingOverflow(other)
    case .multiply: (result, overflows) = one.multipliedReportingOverflow(by: other)
    case .divide where other != 0: (result, overflows) = one.dividedReportingOverflow(by: other)
    case .modulus where other != 0: (result, overflows) = (other == -1 ? 0 : one % other, false)
    default: return nil
    }
    return overflows ? nil : .integer(result)
  }

  private static func bits(
    _ function: FetchExpression.Function, _ one: Int64, _ other: Int64
  ) -> Int64? {
    switch function {
    case .bitwiseAnd: one & other
    case .bitwiseOr: one | other
    case .bitwiseXor: one ^ other
    case .shiftLeft: one << other
    case .shiftRight: one >> other
    default: nil
    }
  }

  private static func whole(_ value: Scalar) -> Int64? {
    switch value {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .text, .bytes: nil
    }
  }
}
