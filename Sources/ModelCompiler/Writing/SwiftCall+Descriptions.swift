import DataModel

extension SwiftCall {
  /// Creates the call that creates a property.
  init(_ property: PropertyDescription) {
    switch property {
    case .attribute(let attribute):
      self.init(attribute)
      head = ".attribute(" + head
      closing += ")"
    case .relationship(let relationship): self.init(relationship)
    case .fetchedProperty(let property): self.init(property)
    }
  }

  private init(_ attribute: AttributeDescription) {
    self.init(head: "AttributeDescription(", closing: ")")
    add("name", attribute.name)
    add("type", code: ".\(attribute.type)")
    add("isOptional", attribute.isOptional)
    add("isTransient", attribute.isTransient)
    if let value = attribute.defaultValue {
      add("defaultValue", code: SwiftLiteral.value(value))
    }
    add("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
    add("preservesValueInHistoryOnDeletion", attribute.preservesValueInHistoryOnDeletion)
    add("usesScalarValueType", attribute.usesScalarValueType)
    add("versionHashModifier", attribute.versionHashModifier)
    add("renamingIdentifier", attribute.renamingIdentifier)
    if let value = attribute.minimumValue { add("minimumValue", code: SwiftLiteral.value(value)) }
    if let value = attribute.maximumValue { add("maximumValue", code: SwiftLiteral.value(value)) }
    add("regularExpression", attribute.regularExpression)
    add("derivationExpression", attribute.derivationExpression)
    add("valueTransformerName", attribute.valueTransformerName)
    add("attributeValueClassName", attribute.attributeValueClassName)
    if !attribute.elements.isEmpty {
      let elements = attribute.elements.map { SwiftCall($0).oneLine }
      add("elements", code: "[" + elements.joined(separator: ", ") + "]")
    }
    add("isIndexed", attribute.isIndexed)
    add("isIndexedBySpotlight", attribute.isIndexedBySpotlight)
    add("isStoredInExternalRecord", attribute.isStoredInExternalRecord)
    add("allowsCloudEncryption", attribute.allowsCloudEncryption)
    add("userInfo", attribute.userInfo)
  }

  private init(_ property: FetchedPropertyDescription) {
    self.init(head: ".fetchedProperty(FetchedPropertyDescription(", closing: "))")
    add("name", property.name)
    add("isOptional", property.isOptional)
    add("fetchRequest", code: SwiftCall(property.fetchRequest).oneLine)
    add("renamingIdentifier", property.renamingIdentifier)
    add("userInfo", property.userInfo)
  }

  /// Creates the call that creates a fetch request.
  init(_ request: FetchRequestDescription) {
    self.init(head: "FetchRequestDescription(", closing: ")")
    add("entityName", request.entityName)
    add("predicateFormat", request.predicateFormat)
    if request.fetchLimit != 0 { add("fetchLimit", code: "\(request.fetchLimit)") }
    if request.fetchBatchSize != 0 { add("fetchBatchSize", code: "\(request.fetchBatchSize)") }
    if request.resultType != .managedObject { add("resultType", code: ".\(request.resultType)") }
    if !request.includesSubentities { add("includesSubentities", code: "false") }
    if !request.includesPropertyValues { add("includesPropertyValues", code: "false") }
    if !request.includesPendingChanges { add("includesPendingChanges", code: "false") }
    if !request.returnsObjectsAsFaults { add("returnsObjectsAsFaults", code: "false") }
    add("returnsDistinctResults", request.returnsDistinctResults)
  }

  private init(_ relationship: RelationshipDescription) {
    self.init(head: ".relationship(RelationshipDescription(", closing: "))")
    add("name", relationship.name)
    add("destinationEntityName", relationship.destinationEntityName)
    add("inverseName", relationship.inverseName)
    add("isOptional", relationship.isOptional)
    add("isTransient", relationship.isTransient)
    if relationship.minCount != 0 { add("minCount", code: "\(relationship.minCount)") }
    if relationship.maxCount != 1 { add("maxCount", code: "\(relationship.maxCount)") }
    add("isOrdered", relationship.isOrdered)
    if relationship.deleteRule != .nullify {
      add("deleteRule", code: ".\(relationship.deleteRule)")
    }
    add("versionHashModifier", relationship.versionHashModifier)
    add("renamingIdentifier", relationship.renamingIdentifier)
    add("userInfo", relationship.userInfo)
  }

  /// Creates the literal of a uniqueness constraint.
  init(_ constraint: [String]) {
    self.init(head: "[", arguments: constraint.map(SwiftLiteral.string), closing: "]")
  }

  /// Creates the call that creates a fetch index.
  init(_ index: FetchIndexDescription) {
    self.init(head: "FetchIndexDescription(", closing: ")")
    add("name", index.name)
    let elements = index.elements.map { element in
      var call = SwiftCall(head: ".init(", closing: ")")
      call.add("propertyName", element.propertyName)
      call.add("expression", element.expression)
      if element.collationType != .binary { call.add("collationType", code: ".rTree") }
      if !element.isAscending { call.add("isAscending", code: "false") }
      return call.oneLine
    }
    add("elements", code: "[" + elements.joined(separator: ", ") + "]")
    add("partialIndexPredicate", index.partialIndexPredicate)
  }

  /// Returns an entity's arguments before its properties.
  static func argumentsBeforeLists(of entity: EntityDescription) -> [String] {
    var call = SwiftCall(head: "", closing: "")
    call.add("name", entity.name)
    if entity.managedObjectClassName != entity.name {
      call.add("managedObjectClassName", entity.managedObjectClassName)
    }
    call.add("isAbstract", entity.isAbstract)
    call.add("superentityName", entity.superentityName)
    return call.arguments
  }

  /// Returns an entity's arguments after its properties, constraints and indexes.
  static func argumentsAfterLists(of entity: EntityDescription) -> [String] {
    var call = SwiftCall(head: "", closing: "")
    call.add("versionHashModifier", entity.versionHashModifier)
    call.add("renamingIdentifier", entity.renamingIdentifier)
    if !entity.compoundIndexes.isEmpty {
      let sets = entity.compoundIndexes.map(SwiftLiteral.strings)
      call.add("compoundIndexes", code: "[" + sets.joined(separator: ", ") + "]")
    }
    call.add("userInfo", entity.userInfo)
    return call.arguments
  }
}
