extension ManagedObject: FetchPredicateArgument {
  /// The object as a constant of a predicate.
  public var predicateExpression: FetchExpression { .object(objectID) }
}
extension OrderedSet: FetchPredicateArgument where Element: FetchPredicateArgument {
  /// The values as an aggregate expression.
  public var predicateExpression: FetchExpression { .aggregate(map(\.predicateExpression)) }
}
