extension AttributeDescription {
  /// The type of an attribute's values, numbered as in Core Data's files and hashes.
  public enum AttributeType: Int32, Sendable, Hashable, CaseIterable {
    /// No type: only a transient attribute may have none.
    case undefined = 0
    /// A signed integer of 16 bits.
    case integer16 = 100
    /// A signed integer of 32 bits.
    case integer32 = 200
    /// A signed integer of 64 bits.
    case integer64 = 300
    /// A decimal number; its precision is lost in a SQLite store, as on Apple's systems.
    case decimal = 400
    /// A floating-point number of 64 bits.
    case double = 500
    /// A floating-point number of 32 bits.
    case float = 600
    /// Text.
    case string = 700
    /// True or false.
    case boolean = 800
    /// A date, stored as seconds since 2001-01-01 00:00 UTC.
    case date = 900
    /// Bytes.
    case binaryData = 1000
    /// A UUID, stored as 16 bytes.
    case uuid = 1100
    /// A URL, stored as text.
    case uri = 1200
    /// A value that a registered transformer converts to bytes.
    case transformable = 1800
    /// Several attributes under one name.
    case composite = 2100
  }
}

extension AttributeDescription.AttributeType {
  /// The type's name as Xcode writes it: "Integer 16", "Binary".
  public var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binaryData: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .composite: "Composite"
    }
  }
}
