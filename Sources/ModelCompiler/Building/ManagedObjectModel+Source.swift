import DataModel

extension ManagedObjectModel {
  /// Creates the model of a version that passed the checks.
  init(_ source: SourceModel) {
    let requests = source.fetchRequests.filter { !$0.description.entityName.isEmpty }
    self.init(
      entities: source.entities.map { EntityDescription($0, in: source) },
      versionIdentifiers: source.versionIdentifiers,
      configurations: Dictionary(
        source.configurations.map { ($0.name, $0.members.map(\.entityName)) },
        uniquingKeysWith: { first, _ in first }),
      fetchRequestTemplates: Dictionary(
        requests.map { ($0.name, $0.description) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension EntityDescription {
  /// The class of entities that name none.
  static let plainClassName = "ManagedObject"

  fileprivate init(_ source: SourceEntity, in model: SourceModel) {
    let attributes = source.attributes.map {
      PropertyDescription.attribute(.init($0, in: model))
    }
    let fetchedProperties = source.fetchedProperties.compactMap {
      FetchedPropertyDescription($0).map(PropertyDescription.fetchedProperty)
    }
    let relationships = source.relationships.map { PropertyDescription.relationship(.init($0)) }
    self.init(
      name: source.name,
      managedObjectClassName: source.className ?? Self.plainClassName,
      isAbstract: source.isAbstract,
      superentityName: source.parentName,
      properties: attributes + relationships + fetchedProperties,
      uniquenessConstraints: source.uniquenessConstraints.map(\.propertyNames),
      indexes: source.fetchIndexes.map(FetchIndexDescription.init),
      versionHashModifier: source.versionHashModifier,
      renamingIdentifier: source.renamingIdentifier,
      compoundIndexes: source.compoundIndexes.map(\.propertyNames),
      userInfo: source.userInfo)
  }
}

extension AttributeDescription {
  fileprivate init(_ source: SourceAttribute, in model: SourceModel) {
    let elements = source.type == .composite ? model.elements(of: source) ?? [] : []
    self.init(
      name: source.name,
      type: source.type ?? .undefined,
      isOptional: source.isOptional,
      isTransient: source.isTransient,
      defaultValue: source.defaultValue?.value,
      allowsExternalBinaryDataStorage: source.allowsExternalBinaryDataStorage,
      preservesValueInHistoryOnDeletion: source.preservesValueInHistoryOnDeletion,
      usesScalarValueType: source.usesScalarValueType,
      versionHashModifier: source.versionHashModifier,
      renamingIdentifier: source.renamingIdentifier,
      minimumValue: source.minimum?.value,
      maximumValue: source.maximum?.value,
      regularExpression: source.regularExpression,
      derivationExpression: source.isDerived ? source.derivationExpression : nil,
      valueTransformerName: source.valueTransformerName,
      attributeValueClassName: source.customClassName,
      elements: elements.map { AttributeDescription($0, in: model) },
      isIndexed: source.isIndexed,
      isIndexedBySpotlight: source.isIndexedBySpotlight,
      isStoredInExternalRecord: source.isStoredInExternalRecord,
      allowsCloudEncryption: source.allowsCloudEncryption,
      userInfo: source.userInfo)
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
      renamingIdentifier: source.renamingIdentifier,
      userInfo: source.userInfo)
  }
}

extension FetchedPropertyDescription {
  fileprivate init?(_ source: SourceFetchedProperty) {
    guard let request = source.fetchRequest else { return nil }
    self.init(
      name: source.name,
      isOptional: source.isOptional,
      fetchRequest: request.description,
      renamingIdentifier: source.renamingIdentifier,
      userInfo: source.userInfo)
  }
}

extension FetchIndexDescription {
  fileprivate init(_ source: SourceFetchIndex) {
    self.init(
      name: source.name,
      elements: source.elements.map {
        Element(
          propertyName: $0.propertyName ?? "", expression: $0.expression,
          collationType: $0.collationType, isAscending: $0.isAscending)
      },
      partialIndexPredicate: source.partialIndexPredicate)
  }
}
