import SystemLibraries

/// Values of Foundation's own classes, which code that imports all of Foundation may pass.
///
/// `JSONSerialization` creates them, for example. The classes cannot be referred to here, so they
/// are identified by their names.
extension KeyedArchiveWriter {
  /// Converts a value to Swift's type: an `NSNumber` of 2 to an `Int`; nil for nil and for
  /// `NSNull`.
  package static func swiftValue(_ value: Any) -> Any? {
    guard let value = flattened(value) else { return nil }
    let valueType = type(of: value)
    guard valueType is AnyClass else { return value }
    switch String(describing: valueType) {
    case "NSNull": return nil
    case "NSNumber": return number(value)
    case "NSDecimalNumber": return Decimal(string: "\(value)") ?? .nan
    default: return value
    }
  }

  /// The number in the type that it was created from.
  ///
  /// A cast would also convert 1 to a Boolean, and 2.0 to an integer.
  private static func number(_ value: Any) -> Any {
    let text = "\(value)"
    if let integer = Int(text) { return integer }
    if let integer = UInt64(text) { return integer }
    if let double = value as? Double { return double }
    return value
  }
}
