public import DataModel
public import TextMatching

/// A condition on objects of one entity, as a value.
///
///     request.predicate = try .init(format: "dog.name == %@ AND duration > %@", "Fido", 1800)
///     request.predicate = \Walk.dog?.name == "Fido" && \Walk.duration > 1800
///     request.predicate = .comparison("dog.name", .equal, .string("Fido"))
///
/// The store runs it as SQL; over unsaved objects it is evaluated in memory, with the same meaning.
/// Texts compare by their UTF-8 bytes unless an option says otherwise. There are two answers, not
/// SQL's three: a comparison with a missing value is false, but for `== nil` and `!=`, and `NOT` of
/// it is true. Values are bound, never put into the SQL. Follows Core Data's `NSPredicate`.
public struct FetchPredicate: Sendable, Hashable {
  /// What a predicate says, to be taken apart.
  ///
  ///     if case .all(let parts) = predicate.kind { print(parts.count) }
  public indirect enum Kind: Sendable, Hashable {
    /// Always true, or always false.
    case constant(Bool)
    /// Two expressions compared.
    case compare(Comparison)
    /// All conditions are true; so it is where there are none.
    case all([FetchPredicate])
    /// One condition is true at least.
    case any([FetchPredicate])
    /// The condition is false.
    case not(FetchPredicate)
    /// What was put together nests more than a thousand levels deep: nothing of it is kept, and
    /// whoever uses it is told.
    case tooDeep
  }

  /// What the predicate says.
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

  /// Two expressions compared.
  public static func compare(_ comparison: Comparison) -> FetchPredicate {
    FetchPredicate(
      .compare(comparison), around: comparison.left.nesting.union(comparison.right.nesting))
  }

  /// All conditions are true; so it is where there are none.
  public static func all(_ parts: [FetchPredicate]) -> FetchPredicate {
    FetchPredicate(.all(parts), around: PredicateNesting(of: parts.lazy.map(\.nesting)))
  }

  /// One condition is true at least.
  public static func any(_ parts: [FetchPredicate]) -> FetchPredicate {
    FetchPredicate(.any(parts), around: PredicateNesting(of: parts.lazy.map(\.nesting)))
  }

  /// The condition is false.
  public static func not(_ part: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.not(part), around: part.nesting)
  }

  /// Two expressions and how they are compared; follows Core Data's `NSComparisonPredicate`.
  public struct Comparison: Sendable, Hashable {
    /// What stands before the operator.
    public var left: FetchExpression
    /// How the two are compared.
    public var `operator`: Operator
    /// What stands behind the operator.
    public var right: FetchExpression
    /// Whether the left is one value, or any or all of a to-many's.
    public var modifier: Modifier
    /// How texts are compared.
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

  /// How two values are compared.
  public enum Operator: Sendable, Hashable {
    /// Both are the same, or both missing.
    case equal
    /// They differ, or one is missing.
    case notEqual
    /// The left is smaller.
    case lessThan
    /// The left is smaller or the same.
    case lessThanOrEqual
    /// The left is larger.
    case greaterThan
    /// The left is larger or the same.
    case greaterThanOrEqual
    /// The left is not smaller than the first of two values, nor larger than the second.
    case between
    /// The left is one of several values, one of a to-many's members, or part of a text.
    case `in`
    /// The left text starts with the right one.
    case beginsWith
    /// The left text ends with the right one.
    case endsWith
    /// The right is part of the left text, or among the members of the left to-many.
    case contains
    /// The left text is as the right one, where `?` stands for any character and `*` for any text.
    case like
    /// The whole left text is as the regular expression on the right says.
    case matches
  }

  /// For which members of a to-many a comparison must hold.
  public enum Modifier: Sendable, Hashable {
    /// The left is one value.
    case direct
    /// For one member at least, so for none of an empty to-many.
    case any
    /// For every member, so for an empty to-many.
    case all
  }

  /// How texts are compared.
  public typealias Options = TextOptions
}

extension FetchPredicate {
  /// An attribute, or a key path that ends in one, against a value; nil for "missing".
  public static func comparison(
    _ keyPath: String, _ how: Operator, _ value: AttributeValue?
  ) -> FetchPredicate {
    .compare(Comparison(.keyPath(keyPath), how, .constant(value)))
  }

  /// An attribute is one of several values.
  public static func isIn(_ keyPath: String, _ values: [AttributeValue]) -> FetchPredicate {
    .compare(Comparison(.keyPath(keyPath), .in, .aggregate(values.map { .constant($0) })))
  }

  /// A to-one leads to one of some objects.
  public static func relationship(_ keyPath: String, isIn ids: [ManagedObjectID]) -> FetchPredicate
  {
    .compare(Comparison(.keyPath(keyPath), .in, .aggregate(ids.map { .object($0) })))
  }

  /// The object is one of some.
  public static func object(isIn ids: [ManagedObjectID]) -> FetchPredicate {
    .compare(Comparison(.evaluatedObject, .in, .aggregate(ids.map { .object($0) })))
  }

  /// This condition and another.
  public func and(_ other: FetchPredicate) -> FetchPredicate {
    if case .all(let parts) = kind { .all(parts + [other]) } else { .all([self, other]) }
  }

  /// This condition or another.
  public func or(_ other: FetchPredicate) -> FetchPredicate {
    if case .any(let parts) = kind { .any(parts + [other]) } else { .any([self, other]) }
  }
}
