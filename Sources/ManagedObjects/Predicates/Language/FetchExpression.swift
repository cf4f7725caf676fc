public import DataModel

/// An operand of a predicate: a value, a key path, or a function of them.
///
///     FetchExpression.keyPath("walks.@sum.distance")
///     FetchExpression.function(.multiply, [.keyPath("minutes"), .constant(.integer(60))])
///
/// Follows Core Data's `NSExpression`.
public struct FetchExpression: Sendable, Hashable {
  /// The kind of an expression, for inspecting it.
  ///
  ///     if case .keyPath(let names) = expression.kind { print(names) }
  public indirect enum Kind: Sendable, Hashable {
    /// A constant; nil for a missing value.
    case constant(AttributeValue?)
    /// An object, by its ID.
    case object(ManagedObjectID)
    /// A list of values: `{1, 2, 3}`.
    case aggregate([FetchExpression])
    /// A key path from the evaluated object: `dog.name`, `walks.@count`.
    case keyPath(String)
    /// The evaluated object: `SELF`.
    case evaluatedObject
    /// A variable to be substituted, or the member in a subquery: `$name`.
    case variable(String)
    /// A key path from the value of another expression: `$walk.duration`.
    case property(of: FetchExpression, String)
    /// A function applied to arguments.
    case function(Function, [FetchExpression])
    /// One of two values, chosen by a condition.
    case conditional(FetchPredicate, FetchExpression, FetchExpression)
    /// One of several values, or one member of an ordered to-many.
    case element(of: FetchExpression, ElementIndex)
    /// The members of a to-many that match a condition, in which the variable is the member.
    case subquery(FetchExpression, variable: String, FetchPredicate)
    /// The expression was nested more than a thousand levels deep: its contents were dropped, and
    /// using it throws an error.
    case tooDeep
  }

  /// The kind of the expression.
  public let kind: Kind
  let nesting: PredicateNesting

  private init(_ kind: Kind, around inner: PredicateNesting = PredicateNesting()) {
    nesting = inner.deeper
    self.kind = nesting.isTooDeep ? .tooDeep : kind
  }

  /// The evaluated object: `SELF`.
  public static let evaluatedObject = FetchExpression(.evaluatedObject)

  /// A constant; nil for a missing value.
  public static func constant(_ value: AttributeValue?) -> FetchExpression {
    FetchExpression(.constant(value))
  }

  /// An object, by its ID.
  public static func object(_ id: ManagedObjectID) -> FetchExpression {
    FetchExpression(.object(id))
  }

  /// A list of values: `{1, 2, 3}`.
  public static func aggregate(_ values: [FetchExpression]) -> FetchExpression {
    FetchExpression(.aggregate(values), around: PredicateNesting(of: values.lazy.map(\.nesting)))
  }

  /// A key path from the evaluated object: `dog.name`, `walks.@count`.
  ///
  /// A key path that begins with an operator covers all objects of the entity: `@max.date`.
  public static func keyPath(_ names: String) -> FetchExpression {
    let asksAll = names.utf8.first == UInt8(ascii: "@")
    return FetchExpression(.keyPath(names), around: PredicateNesting(asksAllObjects: asksAll))
  }

  /// A variable to be substituted, or the member in a subquery: `$name`.
  public static func variable(_ name: String) -> FetchExpression {
    FetchExpression(.variable(name))
  }

  /// A key path from the value of another expression: `$walk.duration`.
  public static func property(of base: FetchExpression, _ names: String) -> FetchExpression {
    FetchExpression(.property(of: base, names), around: base.nesting)
  }

  /// A function applied to arguments.
  public static func function(
    _ function: Function, _ arguments: [FetchExpression]
  ) -> FetchExpression {
    FetchExpression(
      .function(function, arguments),
      around: PredicateNesting(of: arguments.lazy.map(\.nesting)))
  }

  /// One of two values, chosen by a condition: `TERNARY(isOngoing == YES, 0, duration)`.
  public static func conditional(
    _ condition: FetchPredicate, _ one: FetchExpression, _ other: FetchExpression
  ) -> FetchExpression {
    FetchExpression(
      .conditional(condition, one, other),
      around: condition.nesting.union(one.nesting).union(other.nesting))
  }

  /// One of several values, or one member of an ordered to-many: `walks[FIRST]`; missing if there
  /// is none at that index.
  public static func element(of base: FetchExpression, _ index: ElementIndex) -> FetchExpression {
    FetchExpression(.element(of: base, index), around: base.nesting)
  }

  /// The members of a to-many that match a condition, in which the variable is the member.
  public static func subquery(
    _ members: FetchExpression, variable: String, _ condition: FetchPredicate
  ) -> FetchExpression {
    FetchExpression(
      .subquery(members, variable: variable, condition),
      around: members.nesting.union(condition.nesting))
  }

  /// An index into several values: the first, the last, or a number.
  public enum ElementIndex: Sendable, Hashable {
    /// The first: `[FIRST]`.
    case first
    /// The last: `[LAST]`.
    case last
    /// The value at a number, counted from 0: `[2]`.
    case index(Int)
  }

  /// A function in predicates; the raw value is its spelling.
  public enum Function: String, Sendable, Hashable, CaseIterable {
    /// The sum of two numbers.
    case add = "+"
    /// The difference of two numbers.
    case subtract = "-"
    /// The product of two numbers.
    case multiply = "*"
    /// The quotient of two numbers, an integer if both are integers; missing if the divisor is 0.
    case divide = "/"
    /// The first number to the power of the second.
    case power = "**"
    /// The remainder of an integer division; missing if the divisor is 0.
    case modulus = "modulus:by:"
    /// The bitwise AND of two integers.
    case bitwiseAnd = "&"
    /// The bitwise OR of two integers.
    case bitwiseOr = "|"
    /// The bitwise XOR of two integers.
    case bitwiseXor = "^"
    /// An integer shifted to the left.
    case shiftLeft = "<<"
    /// An integer shifted to the right.
    case shiftRight = ">>"
    /// The bitwise complement of an integer.
    case complement = "~"
    /// The absolute value.
    case abs = "abs:"
    /// The number rounded up to an integer.
    case ceiling = "ceiling:"
    /// The number rounded down to an integer.
    case floor = "floor:"
    /// The number truncated to an integer.
    case trunc = "trunc:"
    /// The square root; missing for a negative number.
    case sqrt = "sqrt:"
    /// The natural logarithm; missing for a negative number.
    case naturalLogarithm = "ln:"
    /// The logarithm to base 10; missing for a negative number.
    case logarithm = "log:"
    /// Euler's number to the power of a number.
    case exponential = "exp:"
    /// The text in lower case.
    case lowercase = "lowercase:"
    /// The text in upper case.
    case uppercase = "uppercase:"
    /// The length of a text in UTF-16 code units, as in `NSString`, or of a binary value in bytes.
    case length = "length:"
    /// The time at which the predicate is evaluated; the same for all objects.
    case now = "now"
    /// Seconds since 2001 converted to a date: `CAST(x, "NSDate")`.
    case toDate = "NSDate"
    /// A date converted to seconds since 2001: `CAST(x, "NSNumber")`.
    case toNumber = "NSNumber"
    /// The object that a URI names: `CAST("x-coredata://…/Dog/p1", "NSManagedObjectID")`.
    case toObject = "NSManagedObjectID"
  }
}
