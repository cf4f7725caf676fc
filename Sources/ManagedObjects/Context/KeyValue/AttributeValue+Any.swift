import SystemLibraries

extension AttributeValue {
  /// Converts a value of any supported type: numbers of every width, strings, dates, data.
  ///
  /// nil for a type that no attribute has.
  package init?(_ value: Any) {
    switch value {
    case let value as AttributeValue: self = value
    case let text as String: self = .string(text)
    case let number as Int: self = .integer(Int64(number))
    case let number as Double: self = .double(number)
    case let flag as Bool: self = .boolean(flag)
    case let date as Date: self = .date(date)
    case let number as Int64: self = .integer(number)
    case let number as Int32: self = .integer(Int64(number))
    case let number as Int16: self = .integer(Int64(number))
    case let number as Float: self = .double(Double(number))
    case let number as Decimal: self = .decimal(number)
    case let uuid as UUID: self = .uuid(uuid)
    case let data as Data: self = .binary(data)
    case let url as URL: self = .uri(url)
    case let text as Substring: self = .string(String(text))
    case let bytes as [UInt8]: self = .binary(Data(bytes))
    case let number as any BinaryInteger:
      guard let number = Int64(exactly: number) else { return nil }
      self = .integer(number)
    default: return nil
    }
  }

  /// Converts a value to an attribute's own type; nil if it does not fit.
  ///
  /// Foundation's `NSNumber` is all of what it can be. A transformable attribute's value goes
  /// through its transformer, if one is registered.
  package init?(_ value: Any, for attribute: AttributeDescription) {
    if attribute.isTransformed {
      guard let data = attribute.data(of: value) else { return nil }
      self = .binary(data)
      return
    }
    if attribute.type == .boolean, let flag = value as? Bool {
      self = .boolean(flag)
      return
    }
    guard let given = AttributeValue(value)?.fitting(attribute.type) else { return nil }
    self = given
  }

  /// The value in the Swift type of an attribute's type: `Int16` for Integer 16.
  func anyValue(of type: AttributeDescription.AttributeType) -> any Sendable {
    switch (self, type) {
    case (.integer(let number), .integer16): Int16(truncatingIfNeeded: number)
    case (.integer(let number), .integer32): Int32(truncatingIfNeeded: number)
    case (.integer(let number), _): number
    case (.double(let number), .float): Float(number)
    case (.double(let number), _): number
    case (.decimal(let number), _): number
    case (.boolean(let flag), _): flag
    case (.string(let text), _): text
    case (.date(let date), _): date
    case (.binary(let data), _): data
    case (.uuid(let uuid), _): uuid
    case (.uri(let url), _): url
    }
  }
}

extension Array: ObjectCollection where Element: ManagedObject {
  var objects: [ManagedObject] { self }
}

extension Set: ObjectCollection where Element: ManagedObject {
  var objects: [ManagedObject] { map { $0 } }
}

extension OrderedSet: ObjectCollection {
  var objects: [ManagedObject] { array }
}
