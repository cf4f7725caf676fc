/// An optional of whichever type, to look into values that are optionals themselves.
private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { self }
}

/// The value itself where it is an optional in an optional; nil where nothing is in it.
package func flattened(_ value: Any?) -> Any? {
  guard let value else { return nil }
  guard let optional = value as? any OptionalValue else { return value }
  return flattened(optional.wrappedValue)
}
