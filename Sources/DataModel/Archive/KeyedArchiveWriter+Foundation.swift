import SystemLibraries

/// Values of Foundation's own classes, which whoever imports all of Foundation may hand over:
/// `JSONSerialization` makes them. Nothing here can name the classes, so their names tell them.
extension KeyedArchiveWriter {
  /// The value as Swift has it: an `NSNumber` of 2 is an `Int`; nil for nothing and for `NSNull`.
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

  /// The number as the type that it was made of: a cast takes 1 for a truth value too, and 2.0 for
  /// a whole number.
  private static func number(_ value: Any) -> Any {
    let text = "\(value)"
    if let integer = Int(text) { return integer }
    if let integer = UInt64(text) { return integer }
    if let double = value as? Double { return double }
    return value
  }
}
