import DataModel

/// Key paths that begin with an operator, such as `@max.date`, over all objects of the entity.
///
/// They have the same value for all evaluated objects, so they are computed first and then treated
/// as constants.
extension PredicateBinder {
  /// An aggregate over all objects of the entity.
  struct OfAllObjects {
    let names: String
    let aggregate: AggregateFunction
    /// The value of each object; nil if they are only counted.
    let value: BoundExpression?
  }

  static func isOfAllObjects(_ names: String) -> Bool { names.utf8.first == UInt8(ascii: "@") }

  /// The aggregates over all objects in a predicate.
  func ofAllObjects(
    _ predicate: FetchPredicate
  ) throws(PredicateBindingError) -> [OfAllObjects] {
    var found: [String] = []
    _ = predicate.replacing { expression in
      if case .keyPath(let names) = expression.kind, Self.isOfAllObjects(names),
        !found.contains(names)
      {
        found.append(names)
      }
      return nil
    }
    var bound: [OfAllObjects] = []
    for names in found {
      let (aggregate, inner) = try parts(names, .keyPath(names))
      bound.append(OfAllObjects(names: names, aggregate: aggregate, value: inner?.expression))
    }
    return bound
  }

  /// The value computed before; nil if there is none.
  func valueOfAllObjects(
    _ names: String, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> TypedExpression {
    let (_, inner) = try parts(names, expression)
    return TypedExpression(
      expression: .constant(valuesOfAllObjects[names] ?? nil), kind: inner?.kind ?? .number)
  }

  private func parts(
    _ names: String, _ expression: FetchExpression
  ) throws(PredicateBindingError) -> (AggregateFunction, TypedExpression?) {
    let dot = names.utf8.firstIndex(of: UInt8(ascii: "."))
    let rest = dot.map { String(names[names.utf8.index(after: $0)...]) }
    let aggregate = try aggregate(String(names[..<(dot ?? names.endIndex)]), rest, names)
    guard let rest else { return (aggregate, nil) }
    let inner = try value(.keyPath(rest), Scopes(entities: [entity]))
    try check(inner, of: aggregate, rest, expression)
    return (aggregate, inner)
  }
}
