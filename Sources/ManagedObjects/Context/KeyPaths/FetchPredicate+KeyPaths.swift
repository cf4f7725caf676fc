/// Predicates from Swift's key paths, checked by the compiler.
///
///     request.predicate = \Walk.date > start && \Walk.dog?.name == "Fido"
///
/// A key path goes through to-ones to a stored property. It is evaluated once, on an object made
/// for that purpose, which takes a few microseconds.
extension FetchPredicate {
  /// A predicate that both conditions must meet.
  public static func && (one: FetchPredicate, other: FetchPredicate) -> FetchPredicate {
    one.and(other)
  }

  /// A predicate that at least one of the conditions must meet.
  public static func || (one: FetchPredicate, other: FetchPredicate) -> FetchPredicate {
    one.or(other)
  }

  /// A predicate that negates a condition.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate { .not(predicate) }

  fileprivate static func compare(
    _ names: String, _ how: Operator, _ value: some FetchPredicateArgument
  ) -> FetchPredicate {
    .compare(Comparison(.keyPath(names), how, value.predicateExpression))
  }
}

/// A type of value that a predicate's key path can have.
public typealias KeyPathValue = SlotValue & FetchPredicateArgument & Equatable

// MARK: Optional properties

/// The property equals the value; nil for a missing value.
public func == <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .equal, value) }

/// The property does not equal the value.
public func != <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .notEqual, value) }

/// The property is less than the value.
public func < <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThan, value) }

/// The property is less than or equal to the value.
public func <= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThanOrEqual, value) }

/// The property is greater than the value.
public func > <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThan, value) }

/// The property is greater than or equal to the value.
public func >= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThanOrEqual, value) }

// MARK: Required properties

/// The property equals the value.
public func == <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .equal, value) }

/// The property does not equal the value.
public func != <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .notEqual, value) }

/// The property is less than the value.
public func < <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThan, value) }

/// The property is less than or equal to the value.
public func <= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThanOrEqual, value) }

/// The property is greater than the value.
public func > <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThan, value) }

/// The property is greater than or equal to the value.
public func >= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThanOrEqual, value) }

// MARK: Objects

/// The to-one's destination is the object; nil for none.
public func == <Root: ManagedObject, Destination: ManagedObject>(
  keyPath: KeyPath<Root, Destination?>, object: Destination?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .equal, object) }

/// The to-one's destination is not the object.
public func != <Root: ManagedObject, Destination: ManagedObject>(
  keyPath: KeyPath<Root, Destination?>, object: Destination?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .notEqual, object) }
