/// An expression bound to slots, as stores evaluate it.
///
/// A scope is a row in use: 0 is the evaluated row, followed by a member of each enclosing to-many.
indirect enum BoundExpression {
  /// A constant; nil for a missing value.
  case constant(Scalar?)
  /// A value of a row, or of a row reached by its to-ones.
  case value(scope: Int, BoundKeyPath)
  /// The primary key of a row.
  case key(scope: Int)
  case function(FetchExpression.Function, [BoundExpression])
  /// A text folded under options.
  case folded(BoundExpression, TextOptions)
  case aggregate(AggregateFunction, BoundCollection, BoundExpression)
  /// The first value if the condition holds, the second otherwise.
  case conditional(BoundPredicate, BoundExpression, BoundExpression)
  /// The value of one member, by its index from the start or the end of an ordered to-many.
  case element(BoundCollection, fromEnd: Bool, Int, BoundExpression)
}

extension BoundExpression {
  /// The value for the rows in scope.
  func value(_ evaluation: RowEvaluation) -> Scalar? {
    switch self {
    case .constant(let value): return value
    case .value(let scope, let path):
      return path.scalar(in: evaluation[scope].row, lookup: evaluation.toOne)
    case .key(let scope): return .integer(evaluation[scope].key)
    case .function(let function, let arguments):
      let first = arguments[0].value(evaluation)
      let second = arguments.count > 1 ? arguments[1].value(evaluation) : nil
      return ScalarFunction.apply(function, first, second)
    case .folded(let text, let options): return text.value(evaluation)?.folded(options)
    case .aggregate(let aggregate, let members, let value):
      var fold = AggregateFold(aggregate)
      evaluation.visit(members) {
        fold.add(aggregate == .count ? nil : value.value(evaluation))
        return false
      }
      return fold.result
    case .conditional(let condition, let one, let other):
      return (condition.matches(evaluation) ? one : other).value(evaluation)
    case .element(let members, let fromEnd, let index, let value):
      var values: [Scalar?] = []
      evaluation.visit(members) {
        values.append(value.value(evaluation))
        return !fromEnd && values.count > index
      }
      guard values.count > index else { return nil }
      return values[fromEnd ? values.count - 1 - index : index]
    }
  }
}
