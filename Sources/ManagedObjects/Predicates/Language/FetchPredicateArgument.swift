public import DataModel
public import SystemLibraries

/// What may stand for a `%@`, `%K`, `%d` or `$variable` of a predicate.
///
///     try FetchPredicate(format: "dog == %@ AND %K IN %@", fido, "walker", ["Ann", "Bob"])
///
/// Numbers, truth values, texts, instants, bytes, UUIDs, URLs, objects and their IDs, expressions,
/// arrays and sets of those, and nil. A type of yours conforms by saying which of these it is.
public protocol FetchPredicateArgument {
  /// The value as an expression.
  var predicateExpression: FetchExpression { get }
}

extension FetchExpression: FetchPredicateArgument {
  /// The expression itself.
  public var predicateExpression: FetchExpression { self }
}

extension AttributeValue: FetchPredicateArgument {
  /// The value.
  public var predicateExpression: FetchExpression { .constant(self) }
}

extension FetchPredicateArgument where Self: BinaryInteger {
  /// A whole number; one beyond 64 bits becomes a floating-point number.
  public var predicateExpression: FetchExpression {
    Int64(exactly: self).map { .constant(.integer($0)) } ?? Double(self).predicateExpression
  }
}
extension Int: FetchPredicateArgument {}
extension Int8: FetchPredicateArgument {}
extension Int16: FetchPredicateArgument {}
extension Int32: FetchPredicateArgument {}
extension Int64: FetchPredicateArgument {}
extension UInt: FetchPredicateArgument {}
extension UInt8: FetchPredicateArgument {}
extension UInt16: FetchPredicateArgument {}
extension UInt32: FetchPredicateArgument {}
extension UInt64: FetchPredicateArgument {}

extension Double: FetchPredicateArgument {
  /// A number.
  public var predicateExpression: FetchExpression {
    .constant(.double(self))
  }
}
extension Float: FetchPredicateArgument {
  /// A number.
  public var predicateExpression: FetchExpression { Double(self).predicateExpression }
}
extension Decimal: FetchPredicateArgument {
  /// A base-ten number.
  public var predicateExpression: FetchExpression {
    .constant(.decimal(self))
  }
}
extension Bool: FetchPredicateArgument {
  /// A truth value.
  public var predicateExpression: FetchExpression { .constant(.boolean(self)) }
}
extension String: FetchPredicateArgument {
  /// A text.
  public var predicateExpression: FetchExpression { .constant(.string(self)) }
}
extension Substring: FetchPredicateArgument {
  /// A text.
  public var predicateExpression: FetchExpression { .constant(.string(String(self))) }
}
extension Date: FetchPredicateArgument {
  /// An instant.
  public var predicateExpression: FetchExpression { .constant(.date(self)) }
}
extension Data: FetchPredicateArgument {
  /// Bytes.
  public var predicateExpression: FetchExpression { .constant(.binary(self)) }
}
extension UUID: FetchPredicateArgument {
  /// A UUID.
  public var predicateExpression: FetchExpression { .constant(.uuid(self)) }
}
extension URL: FetchPredicateArgument {
  /// A URL.
  public var predicateExpression: FetchExpression { .constant(.uri(self)) }
}
extension ManagedObjectID: FetchPredicateArgument {
  /// The object of the ID.
  public var predicateExpression: FetchExpression { .object(self) }
}
extension Optional: FetchPredicateArgument where Wrapped: FetchPredicateArgument {
  /// The value, or "missing".
  public var predicateExpression: FetchExpression {
    self?.predicateExpression ?? .constant(nil)
  }
}
extension Array: FetchPredicateArgument where Element: FetchPredicateArgument {
  /// Several values.
  public var predicateExpression: FetchExpression { .aggregate(map(\.predicateExpression)) }
}
extension Set: FetchPredicateArgument where Element: FetchPredicateArgument {
  /// Several values.
  public var predicateExpression: FetchExpression { .aggregate(map(\.predicateExpression)) }
}
