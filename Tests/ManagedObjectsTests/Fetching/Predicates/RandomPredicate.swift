import Foundation
import ManagedObjects
import TestSupport

/// Random predicates of every form.
struct RandomPredicate {
  var random: SeededGenerator

  mutating func predicate(depth: Int) -> FetchPredicate {
    switch Int.random(in: depth > 0 ? 0..<10 : 4..<10, using: &random) {
    case 0:
      return .all(
        (0..<Int.random(in: 2...4, using: &random)).map { _ in predicate(depth: depth - 1) })
    case 1:
      return .any(
        (0..<Int.random(in: 2...4, using: &random)).map { _ in predicate(depth: depth - 1) })
    case 2, 3: return .not(predicate(depth: depth - 1))
    case 4: return .constant(Bool.random(using: &random))
    default:
      let how = pick(Self.operators)
      let right =
        how == .between
        ? .aggregate([expression(depth: depth - 1), expression(depth: depth - 1)])
        : expression(depth: depth - 1)
      return .compare(
        .init(
          expression(depth: depth - 1), how, right, modifier: pick([.direct, .direct, .any, .all]),
          options: pick([
            [], [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
          ])))
    }
  }

  mutating func expression(depth: Int) -> FetchExpression {
    switch Int.random(in: depth > 0 ? -2..<12 : 4..<12, using: &random) {
    case -2:
      return .conditional(
        predicate(depth: depth - 1), expression(depth: depth - 1), expression(depth: depth - 1))
    case -1:
      return .element(
        of: pick([.keyPath("walks"), .property(of: .variable("x"), "walks")]),
        pick([.first, .last, .index(2)]))
    case 0:
      return .aggregate(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in expression(depth: depth - 1) })
    case 1: return .function(pick(Self.unary), [variable(expression(depth: depth - 1))])
    case 2:
      return .function(
        pick(Self.binary), [expression(depth: depth - 1), expression(depth: depth - 1)])
    case 3:
      return .property(
        of: .subquery(.keyPath(pick(Self.paths)), variable: "w", predicate(depth: depth - 1)),
        "@count")
    case 4, 5: return .keyPath(pick(Self.paths))
    case 6:
      return pick([
        .evaluatedObject, .variable("x"), .property(of: .variable("y"), "a.b"), .function(.now, []),
      ])
    default: return .constant(value())
    }
  }

  /// Casts and negations of constants are computed when they are parsed.
  private func variable(_ expression: FetchExpression) -> FetchExpression {
    if case .constant = expression.kind { .keyPath("a") } else { expression }
  }

  mutating func value() -> AttributeValue? {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: nil
    case 1: .integer(pick([0, 1, -1, .max, .min, Int64.random(in: .min ... .max, using: &random)]))
    case 2:
      .double(
        pick([
          0, 0.5, -1.5, 1e300, .infinity, -.infinity, Double.random(in: -1e6...1e6, using: &random),
        ]))
    case 3: .boolean(Bool.random(using: &random))
    case 4:
      .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random)))
    case 5: .decimal(Decimal(Int.random(in: -1000...1000, using: &random)) / 100)
    case 6: .binary(Data((0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }))
    case 7: pick([.uuid(UUID()), .uri(URL(string: "http://a/b?c=%20")!)])
    default:
      .string(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          pick([
            "a", "\"", "'", "\\", "\n", "\t", "é", "🐕", "%@", "$", "#", " ", "\0", "*", "n", "u",
          ])
        }.joined())
    }
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }

  static let paths = [
    "a", "dog.name", "walks.@count", "@max.a", "walks.@median.a", "walks.@sum.duration", "in",
    "dog.not", "größe", "size",
  ]
  private static let unary: [FetchExpression.Function] = [
    .abs, .ceiling, .floor, .trunc, .sqrt, .naturalLogarithm, .exponential, .lowercase, .uppercase,
    .length, .toDate, .toNumber,
    .complement,
  ]
  private static let binary: [FetchExpression.Function] = [
    .add, .subtract, .multiply, .divide, .power, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
    .shiftLeft, .shiftRight,
  ]
  private static let operators: [FetchPredicate.Operator] = [
    .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between,
    .in, .beginsWith, .endsWith, .contains, .like, .matches,
  ]
}
