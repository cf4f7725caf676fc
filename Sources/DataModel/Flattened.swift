/// An optional of any type, to unwrap nested optionals.
private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { self }
}

/// Unwraps nested optionals; nil if any of them is nil.
package func flattened(_ value: Any?) -> Any? {
  guard let value else { return nil }
  guard let optional = value as? any OptionalValue else { return value }
  return flattened(optional.wrappedValue)
}
