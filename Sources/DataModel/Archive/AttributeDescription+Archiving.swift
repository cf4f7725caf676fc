extension KeyedArchiveObjects {
  /// Adds an attribute of an entity.
  mutating func add(_ attribute: AttributeDescription, of owner: PropertyList) -> PropertyList {
    var flags = ArchivedPropertyFlags(
      isOptional: attribute.isOptional, isTransient: attribute.isTransient,
      userInfo: attribute.userInfo, versionHashModifier: attribute.versionHashModifier)
    flags.isReadOnly = attribute.isDerived
    let bounds = attribute.archivedBounds
    flags.hasValidationPredicates = !bounds.isEmpty
    var entries = flags.entries
    let storage =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      | (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    entries.merge(
      [
        "NSPropertyName": reference(toText: attribute.name), "NSEntity": owner,
        "NSRenamingIdentifier": reference(toText: attribute.renamingIdentifier ?? attribute.name),
        "NSAttributeType": .integer(Int64(attribute.type.rawValue)),
        "NSAttributeValueClassName": reference(toText: attribute.archivedClassName),
        "NSValueTransformerName": reference(toText: attribute.valueTransformerName),
        "NSDefaultValue": reference(to: attribute.defaultValue),
        "NSFlagsKey": .integer(Int64(storage)),
      ]) { first, _ in first }
    if let modifier = attribute.versionHashModifier {
      entries["NSVersionHashModifier"] = reference(toText: modifier)
    }
    if flags.hasUserInfo {
      let notes = attribute.userInfo.sorted { $0.key < $1.key }
        .map { ($0.key, reference(toText: $0.value)) }
      entries["NSUserInfo"] = add(notes, class: "NSDictionary")
    }
    if !bounds.isEmpty {
      let predicates = bounds.map { add($0, of: attribute) }
      entries["NSValidationPredicates"] = add(predicates, class: "NSMutableArray")
      let codes = bounds.map { add(.integer($0.code.rawValue)) }
      entries["NSValidationWarnings"] = add(codes, class: "NSMutableArray")
    }
    if attribute.isIndexed { entries["NSIsIndexed"] = .boolean(true) }
    if !attribute.elements.isEmpty {
      let elements = attribute.elements.map { add($0, of: owner) }
      entries["NSElements"] = add(elements)
    }
    if let expression = attribute.derivationExpression {
      entries["NSDerivationExpression"] = add(DerivationExpression(expression))
      entries["NSFilteringPredicate"] = Self.null
    }
    return add(entries, class: attribute.archiveClassName)
  }

  /// Adds a value; for nil, returns a reference to `$null`.
  mutating func reference(to value: AttributeValue?) -> PropertyList {
    switch value {
    case nil: Self.null
    case .integer(let integer): add(.integer(integer))
    case .double(let double): add(.real(double))
    case .boolean(let flag): add(.boolean(flag))
    case .string(let text): reference(toText: text)
    case .date(let date): add(date)
    case .binary(let data): add(.data(data))
    case .uuid(let uuid): add(uuid)
    case .uri(let url): add(url)
    case .decimal(let decimal): add(decimal)
    }
  }

  /// Adds an expression in the form of version hashes: `count:(walks)`, or a key path.
  private mutating func add(_ expression: DerivationExpression) -> PropertyList {
    let text = expression.canonicalText
    guard let open = text.firstIndex(of: "("), text.last == ")" else { return add(path: text) }
    let argument = String(text[text.index(after: open)...].dropLast())
    let utilities = add(
      [
        "NSExpressionType": .integer(0),
        "NSConstantValueClassName": reference(toText: "_NSPredicateUtilities"),
      ], class: "NSConstantValueExpression")
    let arguments = argument.isEmpty ? [] : [add(path: argument)]
    return add(
      [
        "NSExpressionType": .integer(4), "NSOperand": utilities,
        "NSSelectorName": reference(toText: String(text[..<open])), "NSArguments": add(arguments),
      ], class: "NSFunctionExpression")
  }

  /// Adds an expression that is a key path from the object.
  mutating func add(path: String) -> PropertyList {
    let specifier = add(
      ["NSExpressionType": .integer(10), "NSKeyPath": reference(toText: path)],
      class: "NSKeyPathSpecifierExpression")
    let selector = path.contains(".") ? "valueForKeyPath:" : "valueForKey:"
    return add(
      [
        "NSExpressionType": .integer(3), "NSSelectorName": reference(toText: selector),
        "NSOperand": add(["NSExpressionType": .integer(1)], class: "NSSelfExpression"),
        "NSArguments": add([specifier], class: "NSMutableArray"),
      ], class: "NSKeyPathExpression")
  }
}

extension AttributeDescription {
  /// The class of Core Data that represents it in an archive.
  fileprivate var archiveClassName: String {
    if isDerived { return "NSDerivedAttributeDescription" }
    return type == .composite ? "NSCompositeAttributeDescription" : "NSAttributeDescription"
  }

  /// The class name of its values in an archive; nil if an archive has none.
  fileprivate var archivedClassName: String? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binaryData: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    default: attributeValueClassName
    }
  }
}
