import DataModel

extension AttributeDescription {
  /// The Swift type of the values; for a composite, each element has its own.
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

  /// The class of a transformable's values, if the model names one.
  private var customType: SwiftTypeName? {
    guard let type = attributeValueClassName.flatMap(SwiftTypeName.init) else { return nil }
    // A transient attribute has no stored bytes to return instead.
    return isTransient && type.isAppleClass ? nil : type
  }

  /// Whether a transformable's accessor returns the stored bytes, because its class does not exist
  /// here.
  var isAccessedAsBytes: Bool { type == .transformable && customType?.isAppleClass == true }

  /// Whether the Swift type is from Foundation, or contains one that is.
  var needsFoundation: Bool {
    switch type {
    case .decimal, .date, .binaryData, .uuid, .uri: true
    case .transformable: customType?.needsFoundation ?? false
    case .composite: elements.contains { !$0.isTransient && $0.elementNeedsFoundation }
    default: false
    }
  }

  /// A transformable element is stored as bytes, whatever its class.
  private var elementNeedsFoundation: Bool { type == .transformable || needsFoundation }

  /// Whether the attribute's description contains values from Foundation.
  var describesFoundationValues: Bool {
    [defaultValue, minimumValue, maximumValue].contains { $0?.isOfFoundation == true }
      || elements.contains(where: \.describesFoundationValues)
  }

  /// Whether the accessor's type is not optional and reads nil as zero.
  var readsNilAsZero: Bool {
    isOptional && usesScalarValueType && hasZero
  }

  /// Whether the Swift type has a zero value.
  var hasZero: Bool {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: true
    default: false
    }
  }

  /// Whether Xcode uses `NSNumber` for it.
  var isNumberObject: Bool { hasZero && type != .date && !usesScalarValueType }
}

extension AttributeValue {
  /// Whether the value's type is from Foundation.
  fileprivate var isOfFoundation: Bool {
    switch self {
    case .decimal, .date, .binary, .uuid, .uri: true
    case .integer, .double, .boolean, .string: false
    }
  }
}
