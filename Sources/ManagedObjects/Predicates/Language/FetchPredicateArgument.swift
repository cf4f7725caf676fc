public import DataModel
public import SystemLibraries

/// A value that can be substituted for a `%@`, `%K`, `%d` or `$variable` of a predicate.
///
///     try FetchPredicate(format: "dog == %@ AND %K IN %@", fido, "walker", ["Ann", "Bob"])
///
/// Numbers, Booleans, texts, dates, bytes, UUIDs, URLs, objects and their IDs, expressions, arrays
/// and sets of those, and nil. A custom type conforms by returning one of these as an expression.
public protocol FetchPredicateArgument {
  /// The value as an expression.
  var predicateExpression: FetchExpression { get }
}

extension FetchExpression: FetchPredicateArgument {
  /// The expression itself.
  public var predicateExpression: FetchExpression { self }
}

extension AttributeValue: FetchPredicateArgument {
  /// The value as a constant.
  public var predicateExpression: FetchExpression { .constant(self) }
}

extension FetchPredicateArgument where Self: BinaryInteger {
  /// The integer; one beyond 64 bits becomes a floating-point number.
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
  /// The number.
  public var predicateExpression: FetchExpression {
    .constant(.double(self))
  }
}
extension Float: FetchPredicateArgument {
  /// The number.
  public var predicateExpression: FetchExpression { Double(self).predicateExpression }
}
extension Decimal: FetchPredicateArgument {
  /// The decimal number.
  public var predicateExpression: FetchExpression {
    .constant(.decimal(self))
  }
}
extension Bool: FetchPredicateArgument {
  /// The Boolean value.
  public var predicateExpression: FetchExpression { .constant(.boolean(self)) }
}
extension String: FetchPredicateArgument {
  /// The text.
  public var predicateExpression: FetchExpression { .constant(.string(self)) }
}
extension Substring: FetchPredicateArgument {
  /// The text.
  public var predicateExpression: FetchExpression { .constant(.string(String(self))) }
}
extension Date: FetchPredicateArgument {
  /// The date.
  public var predicateExpression: FetchExpression { .constant(.date(self)) }
}
extension Data: FetchPredicateArgument {
  /// The bytes.
  public var predicateExpression: FetchExpression { .constant(.binary(self)) }
}
extension UUID: FetchPredicateArgument {
  /// The UUID.
  public var predicateExpression: FetchExpression { .constant(.uuid(self)) }
}
extension URL: FetchPredicateArgument {
  /// The URL.
  public var predicateExpression: FetchExpression { .constant(.uri(self)) }
}
extension ManagedObjectID: FetchPredicateArgument {
  /// The object with the ID.
  public var predicateExpression: FetchExpression { .object(self) }
}
extension Optional: FetchPredicateArgument where Wrapped: FetchPredicateArgument {
  /// The value; nil becomes a missing value.
  public var predicateExpression: FetchExpression {
    self?.predicateExpression ?? .constant(nil)
  }
}
extension Array: FetchPredicateArgument where Element: FetchPredicateArgument {
  /// The list of values.
  public var predicateExpression: FetchExpression { .aggregate(map(\.predicateExpression)) }
}
extension Set: FetchPredicateArgument where Element: FetchPredicateArgument {
  /// The list of values.
  public var predicateExpression: FetchExpression { .aggregate(map(\.predicateExpression)) }
}
