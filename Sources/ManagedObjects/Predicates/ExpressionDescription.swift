public import DataModel

/// A value to fetch into a dictionary: a property, an expression, or an aggregate over rows.
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
  /// An aggregate over the values of all rows in a group; missing values do not count.
  public enum Aggregate: Sendable, Hashable {
    /// The number of values.
    case count
    /// The number of distinct values.
    case countDistinct
    /// The sum; 0 for no values.
    case sum
    /// The sum divided by the count; nil if there are no values.
    case average
    /// The smallest value; nil if there are no values.
    case minimum
    /// The largest value; nil if there are no values.
    case maximum
  }

  /// The key in the dictionary.
  public var name: String
  /// The expression that is evaluated for each row.
  public var expression: FetchExpression
  /// The aggregate over all rows in a group; nil for the value of a single row.
  public var aggregate: Aggregate?
  /// The type of the result; nil for the attribute's type, or the type that results.
  public var expressionResultType: AttributeDescription.AttributeType?

  /// Fetches the value of an expression.
  public init(
    name: String, expression: FetchExpression,
    resultType: AttributeDescription.AttributeType? = nil
  ) {
    self.name = name
    self.expression = expression
    expressionResultType = resultType
  }

  /// Fetches an aggregate; `.evaluatedObject` counts rows.
  public init(
    name: String, _ aggregate: Aggregate, of expression: FetchExpression,
    resultType: AttributeDescription.AttributeType? = nil
  ) {
    self.init(name: name, expression: expression, resultType: resultType)
    self.aggregate = aggregate
  }

  /// Fetches a property by its name, or by a key path through to-ones.
  public init(stringLiteral name: String) {
    self.init(name: name, expression: .keyPath(name))
  }
}
