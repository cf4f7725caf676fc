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
    case .transformable: customType?.text ?? "Data"
    case .undefined, .composite: "Any"
    }
  }

  /// The class of a transformable's values, where it is one that Swift may have everywhere.
  private var customType: SwiftTypeName? { attributeValueClassName.flatMap(SwiftTypeName.init) }

  /// Whether the Swift type comes from Foundation, or has one from there in it.
  var needsFoundation: Bool {
    switch type {
    case .decimal, .date, .binaryData, .uuid, .uri: true
    case .transformable: customType?.needsFoundation ?? true
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
