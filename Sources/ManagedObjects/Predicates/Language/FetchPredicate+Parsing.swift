extension FetchPredicate {
  /// Reads a predicate from text, in Core Data's language.
  ///
  ///     try FetchPredicate(format: "duration > 1800 AND dog.name BEGINSWITH[c] 'f'")
  ///     try FetchPredicate(format: "%K == %@ AND ANY walks.date > %@", "name", name, monday)
  ///     try FetchPredicate(format: "SUBQUERY(walks, $w, $w.duration > $LONG).@count > 2")
  ///
  /// Keywords are read in any case. An argument stands for each `%@` (a value), `%K` (a key path),
  /// `%d`, `%i`, `%u`, `%ld` and the like (a whole number), `%f` and the like (a number), `%s` (a
  /// text), in their order; `%%` is the text "%". Names are looked up when the predicate is used.
  /// O(length). Source: Apple's Predicate Programming Guide, "Predicate Format String Syntax".
  ///
  /// - Throws: Where the text is no predicate, nests deeper than a hundred levels (or, by long
  ///   chains of operators, than a thousand), or has other placeholders than there are arguments.
  public init(
    format: String, _ arguments: (any FetchPredicateArgument)?...
  ) throws(PredicateFormatError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Reads a predicate from text, with the arguments in an array.
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
  /// Reads an expression from text: `walks.@sum.duration / 60`.
  ///
  /// - Throws: As `FetchPredicate.init(format:_:)` does.
  public init(
    format: String, _ arguments: (any FetchPredicateArgument)?...
  ) throws(PredicateFormatError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Reads an expression from text, with the arguments in an array.
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
