/// Predicates from Swift's key paths, checked by the compiler:
///
///     request.predicate = \Walk.date > start && \Walk.dog?.name == "Fido"
///
/// A key path leads through to-ones to a stored property. It is read once, on an object made for
/// that. A few microseconds each.
extension FetchPredicate {
  /// Both conditions.
  public static func && (one: FetchPredicate, other: FetchPredicate) -> FetchPredicate {
    one.and(other)
  }

  /// One condition at least.
  public static func || (one: FetchPredicate, other: FetchPredicate) -> FetchPredicate {
    one.or(other)
  }

  /// The contrary.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate { .not(predicate) }

  fileprivate static func compare(
    _ names: String, _ how: Operator, _ value: some FetchPredicateArgument
  ) -> FetchPredicate {
    .compare(Comparison(.keyPath(names), how, value.predicateExpression))
  }
}

/// A value that a key path of a predicate can lead to.
public typealias KeyPathValue = SlotValue & FetchPredicateArgument & Equatable

// MARK: Optional properties

/// The property is the value; nil for "missing".
public func == <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .equal, value) }

/// The property is not the value.
public func != <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .notEqual, value) }

/// The property is smaller than the value.
public func < <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThan, value) }

/// The property is the value or smaller.
public func <= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThanOrEqual, value) }

/// The property is larger than the value.
public func > <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThan, value) }

/// The property is the value or larger.
public func >= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value?>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThanOrEqual, value) }

// MARK: Required properties

/// The property is the value.
public func == <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .equal, value) }

/// The property is not the value.
public func != <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .notEqual, value) }

/// The property is smaller than the value.
public func < <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThan, value) }

/// The property is the value or smaller.
public func <= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .lessThanOrEqual, value) }

/// The property is larger than the value.
public func > <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThan, value) }

/// The property is the value or larger.
public func >= <Root: ManagedObject, Value: KeyPathValue>(
  keyPath: KeyPath<Root, Value>, value: Value
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .greaterThanOrEqual, value) }

// MARK: Objects

/// The to-one leads to the object; nil for nowhere.
public func == <Root: ManagedObject, Destination: ManagedObject>(
  keyPath: KeyPath<Root, Destination?>, object: Destination?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .equal, object) }

/// The to-one does not lead to the object.
public func != <Root: ManagedObject, Destination: ManagedObject>(
  keyPath: KeyPath<Root, Destination?>, object: Destination?
) -> FetchPredicate { .compare(KeyPathProbe.names(keyPath), .notEqual, object) }
