import SystemLibraries

/// The built-in transformer: archives values of Foundation's classes.
///
/// It reads and writes keyed archives as Core Data's `NSSecureUnarchiveFromData` does.
struct StandardTransformer: AttributeDescription.ValueTransformer {
  /// The names that models use for it; without a name Core Data uses the second.
  static let names: Set<String> = ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"]

  func transformedValue(_ value: Any) throws -> Data {
    guard let value = KeyedArchiveWriter.swiftValue(value) else { throw NoTransformedValue() }
    return Data(try KeyedArchiveWriter.bytes(of: value))
  }

  func reverseTransformedValue(_ data: Data) throws -> Any {
    guard let value = try KeyedArchiveReader.value(of: data) else { throw NoValue() }
    return value
  }

  /// The archive has no value.
  private struct NoValue: Error {}
}

extension Int: UnarchivableValue {}
extension Int8: UnarchivableValue {}
extension Int16: UnarchivableValue {}
extension Int32: UnarchivableValue {}
extension Int64: UnarchivableValue {}
extension UInt: UnarchivableValue {}
extension UInt8: UnarchivableValue {}
extension UInt16: UnarchivableValue {}
extension UInt32: UnarchivableValue {}
extension UInt64: UnarchivableValue {}
extension Double: UnarchivableValue {}
extension Float: UnarchivableValue {}
extension Bool: UnarchivableValue {}
extension String: UnarchivableValue {}
extension Date: UnarchivableValue {}
extension Data: UnarchivableValue {}
extension URL: UnarchivableValue {}
extension UUID: UnarchivableValue {}

extension Decimal: UnarchivableValue {
  init?(unarchived value: Any) {
    switch value {
    case let number as Decimal: self = number
    case let number as Int: self.init(number)
    case let number as UInt64: self.init(number)
    case let number as Double: self.init(stored: number)
    default: return nil
    }
  }
}

/// A collection's element that may be nil.
extension Optional: UnarchivableValue where Wrapped: UnarchivableValue {
  init?(unarchived value: Any) {
    guard let value = flattened(value) else {
      self = .none
      return
    }
    guard let wrapped = Wrapped(unarchived: value) else { return nil }
    self = .some(wrapped)
  }
}

extension Array: UnarchivableValue where Element: UnarchivableValue {
  init?(unarchived value: Any) {
    guard let members = value as? [Any] else { return nil }
    self = members.compactMap(Element.init(unarchived:))
    if count != members.count { return nil }
  }
}

extension Set: UnarchivableValue where Element: UnarchivableValue {
  init?(unarchived value: Any) {
    guard let members = value as? Set<AnyHashable> else { return nil }
    self = Set(members.compactMap { Element(unarchived: $0.base) })
    if count != members.count { return nil }
  }
}

extension Dictionary: UnarchivableValue where Key: UnarchivableValue, Value: UnarchivableValue {
  init?(unarchived value: Any) {
    guard let entries = value as? [AnyHashable: Any] else { return nil }
    self = [:]
    for (key, value) in entries {
      guard let key = Key(unarchived: key.base), let value = Value(unarchived: value) else {
        return nil
      }
      self[key] = value
    }
  }
}
