extension ManagedObject: FetchPredicateArgument {
  /// The object.
  public var predicateExpression: FetchExpression { .object(objectID) }
}
extension OrderedSet: FetchPredicateArgument where Element: FetchPredicateArgument {
  /// Several values.
  public var predicateExpression: FetchExpression { .aggregate(map(\.predicateExpression)) }
}
