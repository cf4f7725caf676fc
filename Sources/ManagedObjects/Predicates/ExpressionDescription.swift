public import DataModel

/// A value to fetch for a dictionary: a property, an expression, or an aggregate of many rows.
///
///     request.propertiesToFetch = [
///       "dog.name",
///       ExpressionDescription(name: "longest", .maximum, of: .keyPath("duration")),
///       ExpressionDescription(
///         name: "minutes",
///         expression: .function(.divide, [.keyPath("duration"), .constant(.integer(60))])),
///     ]
///
/// Follows Core Data's `NSExpressionDescription`.
public struct ExpressionDescription: Sendable, Hashable, ExpressibleByStringLiteral {
  /// What is made of the values of all rows of a group; missing values do not count.
  public enum Aggregate: Sendable, Hashable {
    /// How many values there are.
    case count
    /// How many different values there are.
    case countDistinct
    /// The sum; 0 for no values.
    case sum
    /// The sum divided by the count; missing for no values.
    case average
    /// The smallest; missing for no values.
    case minimum
    /// The largest; missing for no values.
    case maximum
  }

  /// The key in the dictionary.
  public var name: String
  /// What is worked out for each row.
  public var expression: FetchExpression
  /// What is made of all rows of a group; nil for the value of one of them.
  public var aggregate: Aggregate?
  /// The type of the result; nil for that of the attribute, or as it comes.
  public var expressionResultType: AttributeDescription.AttributeType?

  /// Asks for the value of an expression.
  public init(
    name: String, expression: FetchExpression,
    resultType: AttributeDescription.AttributeType? = nil
  ) {
    self.name = name
    self.expression = expression
    expressionResultType = resultType
  }

  /// Asks for an aggregate; `.evaluatedObject` counts rows.
  public init(
    name: String, _ aggregate: Aggregate, of expression: FetchExpression,
    resultType: AttributeDescription.AttributeType? = nil
  ) {
    self.init(name: name, expression: expression, resultType: resultType)
    self.aggregate = aggregate
  }

  /// Asks for a property by its name, or by a key path through to-ones.
  public init(stringLiteral name: String) {
    self.init(name: name, expression: .keyPath(name))
  }
}
