import DataModel

extension SwiftCall {
  /// Makes a property again.
  init(_ property: PropertyDescription) {
    switch property {
    case .attribute(let attribute): self.init(attribute)
    case .relationship(let relationship): self.init(relationship)
    }
  }

  private init(_ attribute: AttributeDescription) {
    self.init(head: ".attribute(AttributeDescription(", closing: "))")
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
  }

  /// Makes a uniqueness constraint again.
  init(_ constraint: [String]) {
    self.init(head: "[", arguments: constraint.map(SwiftLiteral.string), closing: "]")
  }

  /// Makes a fetch index again.
  init(_ index: FetchIndexDescription) {
    self.init(head: "FetchIndexDescription(", closing: ")")
    add("name", index.name)
    let elements = index.elements.map { element in
      let name = SwiftLiteral.string(element.propertyName)
      return ".init(propertyName: \(name)\(element.isAscending ? "" : ", isAscending: false"))"
    }
    add("elements", code: "[" + elements.joined(separator: ", ") + "]")
  }

  /// An entity's arguments before its properties.
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

  /// An entity's arguments after its properties, constraints and indexes.
  static func argumentsAfterLists(of entity: EntityDescription) -> [String] {
    var call = SwiftCall(head: "", closing: "")
    call.add("versionHashModifier", entity.versionHashModifier)
    call.add("renamingIdentifier", entity.renamingIdentifier)
    return call.arguments
  }
}
