public import DataModel
public import TextMatching

/// A condition on objects of one entity, as a value.
///
///     request.predicate = try .init(format: "dog.name == %@ AND duration > %@", "Fido", 1800)
///     request.predicate = \Walk.dog?.name == "Fido" && \Walk.duration > 1800
///     request.predicate = .comparison("dog.name", .equal, .string("Fido"))
///
/// A store runs it as SQL; on unsaved objects it is evaluated in memory, with the same meaning.
/// Texts are compared by their UTF-8 bytes unless an option changes that. There are two truth
/// values instead of SQL's three: a comparison with a missing value is false, except for `== nil`
/// and `!=`, and its `NOT` is true. Values are bound, never inserted into the SQL. Follows Core
/// Data's `NSPredicate`.
public struct FetchPredicate: Sendable, Hashable {
  /// The kind of a predicate, for inspecting it.
  ///
  ///     if case .all(let parts) = predicate.kind { print(parts.count) }
  public indirect enum Kind: Sendable, Hashable {
    /// Always true, or always false.
    case constant(Bool)
    /// A comparison of two expressions.
    case compare(Comparison)
    /// All conditions hold; true if there are none.
    case all([FetchPredicate])
    /// At least one condition holds.
    case any([FetchPredicate])
    /// The condition does not hold.
    case not(FetchPredicate)
    /// The predicate was nested more than a thousand levels deep: its contents were dropped, and
    /// using it throws an error.
    case tooDeep
  }

  /// The kind of the predicate.
  public let kind: Kind
  let nesting: PredicateNesting

  private init(_ kind: Kind, around inner: PredicateNesting) {
    nesting = inner.deeper
    self.kind = nesting.isTooDeep ? .tooDeep : kind
  }

  /// Always true, or always false.
  public static func constant(_ value: Bool) -> FetchPredicate {
    FetchPredicate(.constant(value), around: PredicateNesting())
  }

  /// A comparison of two expressions.
  public static func compare(_ comparison: Comparison) -> FetchPredicate {
    FetchPredicate(
      .compare(comparison), around: comparison.left.nesting.union(comparison.right.nesting))
  }

  /// All conditions hold; true if there are none.
  public static func all(_ parts: [FetchPredicate]) -> FetchPredicate {
    FetchPredicate(.all(parts), around: PredicateNesting(of: parts.lazy.map(\.nesting)))
  }

  /// At least one condition holds.
  public static func any(_ parts: [FetchPredicate]) -> FetchPredicate {
    FetchPredicate(.any(parts), around: PredicateNesting(of: parts.lazy.map(\.nesting)))
  }

  /// The condition does not hold.
  public static func not(_ part: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.not(part), around: part.nesting)
  }

  /// A comparison of two expressions; follows Core Data's `NSComparisonPredicate`.
  public struct Comparison: Sendable, Hashable {
    /// The expression before the operator.
    public var left: FetchExpression
    /// The operator.
    public var `operator`: Operator
    /// The expression after the operator.
    public var right: FetchExpression
    /// Whether the left side is a single value, or any or all values of a to-many.
    public var modifier: Modifier
    /// The options for comparing texts.
    public var options: Options

    /// Creates a comparison.
    public init(
      _ left: FetchExpression, _ how: Operator, _ right: FetchExpression,
      modifier: Modifier = .direct, options: Options = []
    ) {
      self.left = left
      self.operator = how
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }

  /// The operator of a comparison.
  public enum Operator: Sendable, Hashable {
    /// Both are equal, or both are missing.
    case equal
    /// They differ, or exactly one is missing.
    case notEqual
    /// The left side is smaller.
    case lessThan
    /// The left side is smaller or equal.
    case lessThanOrEqual
    /// The left side is larger.
    case greaterThan
    /// The left side is larger or equal.
    case greaterThanOrEqual
    /// The left side is between two values, both included.
    case between
    /// The left side is one of several values, a member of a to-many, or part of a text.
    case `in`
    /// The left text starts with the right one.
    case beginsWith
    /// The left text ends with the right one.
    case endsWith
    /// The right side is part of the left text, or a member of the left to-many.
    case contains
    /// The left text matches a pattern, in which `?` stands for any character and `*` for any text.
    case like
    /// The whole left text matches a regular expression.
    case matches
  }

  /// The members of a to-many for which a comparison must hold.
  public enum Modifier: Sendable, Hashable {
    /// The left side is a single value.
    case direct
    /// At least one member; false for an empty to-many.
    case any
    /// Every member; true for an empty to-many.
    case all
  }

  /// The options for comparing texts.
  public typealias Options = TextOptions
}

extension FetchPredicate {
  /// Compares an attribute, or a key path that ends in one, with a value; nil for a missing value.
  public static func comparison(
    _ keyPath: String, _ how: Operator, _ value: AttributeValue?
  ) -> FetchPredicate {
    .compare(Comparison(.keyPath(keyPath), how, .constant(value)))
  }

  /// Tests that an attribute has one of several values.
  public static func isIn(_ keyPath: String, _ values: [AttributeValue]) -> FetchPredicate {
    .compare(Comparison(.keyPath(keyPath), .in, .aggregate(values.map { .constant($0) })))
  }

  /// Tests that the destination of a to-one is one of some objects.
  public static func relationship(_ keyPath: String, isIn ids: [ManagedObjectID]) -> FetchPredicate
  {
    .compare(Comparison(.keyPath(keyPath), .in, .aggregate(ids.map { .object($0) })))
  }

  /// Tests that the object is one of some objects.
  public static func object(isIn ids: [ManagedObjectID]) -> FetchPredicate {
    .compare(Comparison(.evaluatedObject, .in, .aggregate(ids.map { .object($0) })))
  }

  /// The conjunction with another condition.
  public func and(_ other: FetchPredicate) -> FetchPredicate {
    if case .all(let parts) = kind { .all(parts + [other]) } else { .all([self, other]) }
  }

  /// The disjunction with another condition.
  public func or(_ other: FetchPredicate) -> FetchPredicate {
    if case .any(let parts) = kind { .any(parts + [other]) } else { .any([self, other]) }
  }
}
