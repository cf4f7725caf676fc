import DataModel

extension AttributeDescription {
  /// The Swift type of the attribute's values; of a composite the elements have one each.
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
    case .transformable: customType?.text ?? "Any"
    case .undefined, .composite: "Any"
    }
  }

  /// The class of a transformable's values, where the model names one.
  private var customType: SwiftTypeName? {
    guard let type = attributeValueClassName.flatMap(SwiftTypeName.init) else { return nil }
    // What is not stored has no bytes to give instead.
    return isTransient && type.isAppleClass ? nil : type
  }

  /// Whether a transformable's accessor gives the bytes stored: nobody can make its values here.
  var isAccessedAsBytes: Bool { type == .transformable && customType?.isAppleClass == true }

  /// Whether the Swift type comes from Foundation, or has one from there in it.
  var needsFoundation: Bool {
    switch type {
    case .decimal, .date, .binaryData, .uuid, .uri: true
    case .transformable: customType?.needsFoundation ?? false
    case .composite: elements.contains { !$0.isTransient && $0.elementNeedsFoundation }
    default: false
    }
  }

  /// A transformable element is bytes, whatever its class.
  private var elementNeedsFoundation: Bool { type == .transformable || needsFoundation }

  /// Whether the attribute's description has values from Foundation in it.
  var describesFoundationValues: Bool {
    [defaultValue, minimumValue, maximumValue].contains { $0?.isOfFoundation == true }
      || elements.contains(where: \.describesFoundationValues)
  }

  /// Whether Swift sees a plain value, with zero in place of nil, although there may be none.
  var readsNilAsZero: Bool {
    isOptional && usesScalarValueType && hasZero
  }

  /// Whether the Swift type has a value that can stand for none.
  var hasZero: Bool {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: true
    default: false
    }
  }

  /// Whether Xcode writes an `NSNumber` for it.
  var isNumberObject: Bool { hasZero && type != .date && !usesScalarValueType }
}

extension AttributeValue {
  /// Whether the value's type comes from Foundation.
  fileprivate var isOfFoundation: Bool {
    switch self {
    case .decimal, .date, .binary, .uuid, .uri: true
    case .integer, .double, .boolean, .string: false
    }
  }
}
