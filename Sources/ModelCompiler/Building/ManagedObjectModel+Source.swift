import DataModel

extension ManagedObjectModel {
  /// Makes a model of a version that passed the checks.
  init(_ source: SourceModel) {
    self.init(
      entities: source.entities.map(EntityDescription.init),
      versionIdentifiers: source.versionIdentifiers)
  }
}

extension EntityDescription {
  /// The class of objects whose entity names none.
  static let plainClassName = "ManagedObject"

  fileprivate init(_ source: SourceEntity) {
    let attributes = source.attributes.map { PropertyDescription.attribute(.init($0)) }
    let relationships = source.relationships.map { PropertyDescription.relationship(.init($0)) }
    self.init(
      name: source.name,
      managedObjectClassName: source.className ?? Self.plainClassName,
      isAbstract: source.isAbstract,
      superentityName: source.parentName,
      properties: attributes + relationships,
      uniquenessConstraints: source.uniquenessConstraints.map(\.propertyNames),
      indexes: source.fetchIndexes.map(FetchIndexDescription.init),
      versionHashModifier: source.versionHashModifier,
      renamingIdentifier: source.renamingIdentifier)
  }
}

extension AttributeDescription {
  fileprivate init(_ source: SourceAttribute) {
    var defaultValue: AttributeValue?
    if case .value(let value)? = DefaultValue.of(source) { defaultValue = value }
    self.init(
      name: source.name,
      type: source.type ?? .undefined,
      isOptional: source.isOptional,
      isTransient: source.isTransient,
      defaultValue: defaultValue,
      allowsExternalBinaryDataStorage: source.allowsExternalBinaryDataStorage,
      preservesValueInHistoryOnDeletion: source.preservesValueInHistoryOnDeletion,
      usesScalarValueType: source.usesScalarValueType,
      versionHashModifier: source.versionHashModifier,
      renamingIdentifier: source.renamingIdentifier)
  }
}

extension RelationshipDescription {
  fileprivate init(_ source: SourceRelationship) {
    self.init(
      name: source.name,
      destinationEntityName: source.destinationName ?? "",
      inverseName: source.inverseName,
      isOptional: source.isOptional,
      isTransient: source.isTransient,
      minCount: source.minCount,
      maxCount: source.maxCount,
      isOrdered: source.isOrdered,
      deleteRule: source.deleteRule,
      versionHashModifier: source.versionHashModifier,
      renamingIdentifier: source.renamingIdentifier)
  }
}

extension FetchIndexDescription {
  fileprivate init(_ source: SourceFetchIndex) {
    self.init(
      name: source.name,
      elements: source.elements.map {
        Element(propertyName: $0.propertyName ?? "", isAscending: $0.isAscending)
      })
  }
}
