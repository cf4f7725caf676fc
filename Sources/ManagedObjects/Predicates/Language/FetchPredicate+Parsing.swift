extension FetchPredicate {
  /// Parses a predicate in Core Data's language.
  ///
  ///     try FetchPredicate(format: "duration > 1800 AND dog.name BEGINSWITH[c] 'f'")
  ///     try FetchPredicate(format: "%K == %@ AND ANY walks.date > %@", "name", name, monday)
  ///     try FetchPredicate(format: "SUBQUERY(walks, $w, $w.duration > $LONG).@count > 2")
  ///
  /// Keywords are not case-sensitive. The arguments are used in order for each `%@` (a value), `%K`
  /// (a key path), `%d`, `%i`, `%u`, `%ld` and the like (an integer), `%f` and the like (a number)
  /// and `%s` (a text); `%%` is the text "%". Names are resolved when the predicate is used.
  /// O(length). Source: Apple's Predicate Programming Guide, "Predicate Format String Syntax".
  ///
  /// - Throws: If the text is not a predicate, is nested deeper than a hundred levels (or, by
  ///   long chains of operators, than a thousand), or has another number of placeholders than
  ///   arguments.
  public init(
    format: String, _ arguments: (any FetchPredicateArgument)?...
  ) throws(PredicateFormatError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Parses a predicate, with the arguments in an array.
  ///
  /// - Throws: As `init(format:_:)` does.
  public init(
    format: String, argumentArray: [(any FetchPredicateArgument)?]
  ) throws(PredicateFormatError) {
    var parser = try PredicateParser(
      format, arguments: argumentArray.map { $0?.predicateExpression ?? .constant(nil) })
    self = try parser.predicate()
  }
}

extension FetchExpression {
  /// Parses an expression: `walks.@sum.duration / 60`.
  ///
  /// - Throws: As `FetchPredicate.init(format:_:)` does.
  public init(
    format: String, _ arguments: (any FetchPredicateArgument)?...
  ) throws(PredicateFormatError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Parses an expression, with the arguments in an array.
  ///
  /// - Throws: As `FetchPredicate.init(format:_:)` does.
  public init(
    format: String, argumentArray: [(any FetchPredicateArgument)?]
  ) throws(PredicateFormatError) {
    var parser = try PredicateParser(
      format, arguments: argumentArray.map { $0?.predicateExpression ?? .constant(nil) })
    self = try parser.expression()
  }
}
