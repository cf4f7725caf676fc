public import DataModel

/// A condition on objects of one entity, as a value.
///
///     FetchPredicate.comparison("dog.nameKey", .equal, .string("fido"))
///       .and(.comparison("date", .greaterThanOrEqual, .date(monday)))
///
/// The store runs it as SQL; over unsaved objects it is evaluated in memory, with the same meaning:
/// texts compare by their UTF-8 bytes, and a comparison with a missing value is false but for `==
/// nil` and `!=`, as in Core Data. Values are bound, never put into the SQL.
public indirect enum FetchPredicate: Sendable, Hashable {
  /// How two values are compared.
  public enum Operator: Sendable, Hashable {
    /// Both are the same, or both missing.
    case equal
    /// They differ, or one is missing.
    case notEqual
    /// The property is smaller.
    case lessThan
    /// The property is smaller or the same.
    case lessThanOrEqual
    /// The property is larger.
    case greaterThan
    /// The property is larger or the same.
    case greaterThanOrEqual
  }

  /// Always true, or always false.
  case constant(Bool)
  /// An attribute, or a key path through to-ones that ends in one, against a value; nil for
  /// "missing".
  case comparison(_ keyPath: String, Operator, AttributeValue?)
  /// An attribute is one of several values.
  case isIn(_ keyPath: String, [AttributeValue])
  /// A to-one leads to one of some objects.
  case leads(_ keyPath: String, to: [ManagedObjectID])
  /// The object is one of some.
  case selfIn([ManagedObjectID])
  /// All conditions are true.
  case all([FetchPredicate])
  /// One condition is true at least.
  case any([FetchPredicate])
  /// The condition is false.
  case not(FetchPredicate)

  /// This condition and another.
  public func and(_ other: FetchPredicate) -> FetchPredicate { .all([self, other]) }
  /// This condition or another.
  public func or(_ other: FetchPredicate) -> FetchPredicate { .any([self, other]) }
}
