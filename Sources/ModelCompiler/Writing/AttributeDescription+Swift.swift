import DataModel

extension AttributeDescription {
  /// The Swift type of the attribute's values.
  var swiftType: String {
    switch type {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binaryData: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .undefined, .transformable, .composite:
      preconditionFailure("The checks let an attribute through that has no Swift type.")
    }
  }

  /// Whether the Swift type comes from Foundation.
  var needsFoundation: Bool {
    switch type {
    case .decimal, .date, .binaryData, .uuid, .uri: true
    default: false
    }
  }

  /// Whether Swift sees a plain value, with zero in place of nil, although there may be none.
  var readsNilAsZero: Bool {
    guard isOptional, usesScalarValueType else { return false }
    return switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: true
    default: false
    }
  }
}
