public import DataModel

/// What a predicate compares: a value, or the way to one.
///
///     FetchExpression.keyPath("walks.@sum.distance")
///     FetchExpression.function(.multiply, [.keyPath("minutes"), .constant(.integer(60))])
///
/// Follows Core Data's `NSExpression`.
public struct FetchExpression: Sendable, Hashable {
  /// What an expression is, to be taken apart.
  ///
  ///     if case .keyPath(let names) = expression.kind { print(names) }
  public indirect enum Kind: Sendable, Hashable {
    /// A value; nil for "missing".
    case constant(AttributeValue?)
    /// An object, by its ID.
    case object(ManagedObjectID)
    /// Several values: `{1, 2, 3}`.
    case aggregate([FetchExpression])
    /// Names with dots between them, from the object that is judged: `dog.name`, `walks.@count`.
    case keyPath(String)
    /// The object that is judged: `SELF`.
    case evaluatedObject
    /// A value given later, or the member that a subquery looks at: `$name`.
    case variable(String)
    /// Names with dots between them, from what another expression leads to: `$walk.duration`.
    case property(of: FetchExpression, String)
    /// What a function makes of its arguments.
    case function(Function, [FetchExpression])
    /// One value or another, as a condition says.
    case conditional(FetchPredicate, FetchExpression, FetchExpression)
    /// One of several values, or of an ordered to-many's members.
    case element(of: FetchExpression, ElementIndex)
    /// The members of a to-many that meet a condition, in which the variable is the member.
    case subquery(FetchExpression, variable: String, FetchPredicate)
    /// What was put together nests more than a thousand levels deep: nothing of it is kept, and
    /// whoever uses it is told.
    case tooDeep
  }

  /// What the expression is.
  public let kind: Kind
  let nesting: PredicateNesting

  private init(_ kind: Kind, around inner: PredicateNesting = PredicateNesting()) {
    nesting = inner.deeper
    self.kind = nesting.isTooDeep ? .tooDeep : kind
  }

  /// The object that is judged: `SELF`.
  public static let evaluatedObject = FetchExpression(.evaluatedObject)

  /// A value; nil for "missing".
  public static func constant(_ value: AttributeValue?) -> FetchExpression {
    FetchExpression(.constant(value))
  }

  /// An object, by its ID.
  public static func object(_ id: ManagedObjectID) -> FetchExpression {
    FetchExpression(.object(id))
  }

  /// Several values: `{1, 2, 3}`.
  public static func aggregate(_ values: [FetchExpression]) -> FetchExpression {
    FetchExpression(.aggregate(values), around: PredicateNesting(of: values.lazy.map(\.nesting)))
  }

  /// Names with dots between them, from the object that is judged: `dog.name`, `walks.@count`.
  ///
  /// One that begins with an operator is of all objects of the entity: `@max.date`.
  public static func keyPath(_ names: String) -> FetchExpression {
    let asksAll = names.utf8.first == UInt8(ascii: "@")
    return FetchExpression(.keyPath(names), around: PredicateNesting(asksAllObjects: asksAll))
  }

  /// A value given later, or the member that a subquery looks at: `$name`.
  public static func variable(_ name: String) -> FetchExpression {
    FetchExpression(.variable(name))
  }

  /// Names with dots between them, from what another expression leads to: `$walk.duration`.
  public static func property(of base: FetchExpression, _ names: String) -> FetchExpression {
    FetchExpression(.property(of: base, names), around: base.nesting)
  }

  /// What a function makes of its arguments.
  public static func function(
    _ function: Function, _ arguments: [FetchExpression]
  ) -> FetchExpression {
    FetchExpression(
      .function(function, arguments),
      around: PredicateNesting(of: arguments.lazy.map(\.nesting)))
  }

  /// One value or another, as a condition says: `TERNARY(isOngoing == YES, 0, duration)`.
  public static func conditional(
    _ condition: FetchPredicate, _ one: FetchExpression, _ other: FetchExpression
  ) -> FetchExpression {
    FetchExpression(
      .conditional(condition, one, other),
      around: condition.nesting.union(one.nesting).union(other.nesting))
  }

  /// One of several values, or of an ordered to-many's members: `walks[FIRST]`; missing where there
  /// is none at that index.
  public static func element(of base: FetchExpression, _ index: ElementIndex) -> FetchExpression {
    FetchExpression(.element(of: base, index), around: base.nesting)
  }

  /// The members of a to-many that meet a condition, in which the variable is the member.
  public static func subquery(
    _ members: FetchExpression, variable: String, _ condition: FetchPredicate
  ) -> FetchExpression {
    FetchExpression(
      .subquery(members, variable: variable, condition),
      around: members.nesting.union(condition.nesting))
  }

  /// Which of several values: the first, the last, or the one at an index.
  public enum ElementIndex: Sendable, Hashable {
    /// The first: `[FIRST]`.
    case first
    /// The last: `[LAST]`.
    case last
    /// The one of a number, counted from 0: `[2]`.
    case index(Int)
  }

  /// What can be made of values; the raw value is how it is written.
  public enum Function: String, Sendable, Hashable, CaseIterable {
    /// The sum of two numbers.
    case add = "+"
    /// The difference of two numbers.
    case subtract = "-"
    /// The product of two numbers.
    case multiply = "*"
    /// The quotient of two numbers, whole where both are; missing where the second is 0.
    case divide = "/"
    /// The first number to the power of the second.
    case power = "**"
    /// What is left when whole numbers are divided; missing where the second is 0.
    case modulus = "modulus:by:"
    /// The bits that both whole numbers have.
    case bitwiseAnd = "&"
    /// The bits that one of two whole numbers has.
    case bitwiseOr = "|"
    /// The bits in which two whole numbers differ.
    case bitwiseXor = "^"
    /// A whole number's bits moved to the left.
    case shiftLeft = "<<"
    /// A whole number's bits moved to the right.
    case shiftRight = ">>"
    /// The bits that a whole number does not have.
    case complement = "~"
    /// The number without its sign.
    case abs = "abs:"
    /// The smallest whole number that is not smaller.
    case ceiling = "ceiling:"
    /// The largest whole number that is not larger.
    case floor = "floor:"
    /// The number without what stands behind its point.
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
    /// How long a text is in UTF-16, as `NSString` counts, or a binary value in bytes.
    case length = "length:"
    /// The moment at which the predicate is evaluated; the same for all objects.
    case now = "now"
    /// Seconds since 2001 as an instant: `CAST(x, "NSDate")`.
    case toDate = "NSDate"
    /// An instant as seconds since 2001: `CAST(x, "NSNumber")`.
    case toNumber = "NSNumber"
    /// The object that a URI names: `CAST("x-coredata://…/Dog/p1", "NSManagedObjectID")`.
    case toObject = "NSManagedObjectID"
  }
}
