import DataModel

/// The differences between two versions of an entity.
struct EntityComparison {
  fileprivate static let renamingIdentifier = "renaming identifier"

  /// The changes of the entity itself, then those of its properties by name.
  private(set) var changes: [ModelDifference.Change] = []

  init(_ old: EntityDescription, _ new: EntityDescription) {
    changes = Self.ownChanges(old, new)
    let pairs = RenamingPairs(old.properties, new.properties)
    var properties: [ModelDifference.Change] = []
    for property in pairs.removed {
      properties.append(
        .init(
          kind: .removed, property: property.name, movesVersionHash: !property.isTransient))
    }
    for property in pairs.added {
      properties.append(
        .init(kind: .added, property: property.name, movesVersionHash: !property.isTransient))
    }
    for (before, now) in pairs.kept {
      properties += Self.changes(before, now, in: old)
    }
    changes += properties.enumerated()
      .sorted { ($0.element.property ?? "", $0.offset) < ($1.element.property ?? "", $1.offset) }
      .map(\.element)
  }

  private static func ownChanges(
    _ old: EntityDescription, _ new: EntityDescription
  ) -> [ModelDifference.Change] {
    var comparison = Comparison(old, new) { $0.ownHash }
    comparison.note("abstract", \.isAbstract)
    comparison.note("parent", \.superentityName)
    comparison.note("class", \.managedObjectClassName) { $0 }
    comparison.note("unique", \.uniquenessConstraints, text: names)
    comparison.note("indexes", \.indexes) { indexes in
      indexes.isEmpty ? nil : indexes.map(\.reading).joined(separator: "; ")
    }
    comparison.note("compound indexes", \.compoundIndexes, text: names)
    comparison.note("version hash modifier", \.versionHashModifier)
    if old.name == new.name || new.renamingIdentifier != old.name {
      comparison.note(renamingIdentifier, \.renamingIdentifier)
    }
    comparison.note("user info", \.userInfo)
    return comparison.changes
  }

  private static func names(_ lists: [[String]]) -> String? {
    lists.isEmpty ? nil : lists.map { $0.joined(separator: " + ") }.joined(separator: ", ")
  }

  private static func changes(
    _ old: PropertyDescription, _ new: PropertyDescription, in entity: EntityDescription
  ) -> [ModelDifference.Change] {
    var changes: [ModelDifference.Change] = []
    if old.name != new.name {
      changes.append(
        .init(
          kind: .renamed, old: old.name, new: new.name,
          movesVersionHash: !old.isTransient || !new.isTransient))
    }
    switch (old, new) {
    case (.attribute(let one), .attribute(let other)):
      changes += AttributeComparison.changes(one, other, in: entity)
    case (.relationship(let one), .relationship(let other)):
      changes += RelationshipComparison.changes(one, other, in: entity)
    case (.fetchedProperty(let one), .fetchedProperty(let other)):
      var comparison = Comparison(one, other)
      comparison.note("optional", \.isOptional)
      comparison.note("fetch request", \.fetchRequest) { $0.reading }
      comparison.note(EntityComparison.renamingIdentifier, \.renamingIdentifier)
      comparison.note("user info", \.userInfo)
      changes += comparison.changes
    default:
      changes.append(
        .init(
          kind: .changed, aspect: "kind", old: old.kindName, new: new.kindName,
          movesVersionHash: !old.isTransient || !new.isTransient))
    }
    // A renaming identifier equal to the old name is implied by the renaming.
    if old.name != new.name, new.renamingIdentifier == old.name {
      changes.removeAll { $0.aspect == Self.renamingIdentifier }
    }
    for index in changes.indices { changes[index].property = new.name }
    return changes
  }
}

extension EntityDescription {
  /// The entity's own contribution to its version hash, and the name of its parent.
  fileprivate var ownHash: [UInt8] {
    var own = self
    own.properties = []
    let text = ManagedObjectModel(entities: [own]).entityVersionHashesByName[name]?.bytes ?? []
    return text + Array((superentityName ?? "").utf8)
  }
}

/// The differences between two versions of an attribute.
enum AttributeComparison {
  static func changes(
    _ old: AttributeDescription, _ new: AttributeDescription, in entity: EntityDescription
  ) -> [ModelDifference.Change] {
    var comparison = Comparison(old, new) { PropertyDescription.attribute($0).share(in: entity) }
    comparison.note("type", \.type) { $0.name }
    comparison.note("optional", \.isOptional)
    comparison.note("transient", \.isTransient)
    comparison.note("default", \.defaultValue)
    comparison.note("minimum", \.minimumValue)
    comparison.note("maximum", \.maximumValue)
    comparison.note("regular expression", \.regularExpression)
    comparison.note("conditions", \.validationPredicates) { conditions in
      conditions.isEmpty ? nil : conditions.map(\.format).joined(separator: "; ")
    }
    comparison.note("derived from", \.derivationExpression)
    comparison.note("transformer", \.valueTransformerName)
    comparison.note("value class", \.attributeValueClassName)
    comparison.note("elements", \.elements) { elements in
      let texts = elements.map { "\($0.name) \($0.type.name)" }
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
    comparison.note("large values in files", \.allowsExternalBinaryDataStorage)
    comparison.note("kept in history", \.preservesValueInHistoryOnDeletion)
    comparison.note("scalar", \.usesScalarValueType)
    comparison.note("indexed", \.isIndexed)
    comparison.note("indexed by Spotlight", \.isIndexedBySpotlight)
    comparison.note("stored in external record", \.isStoredInExternalRecord)
    comparison.note("encrypted in CloudKit", \.allowsCloudEncryption)
    comparison.note("version hash modifier", \.versionHashModifier)
    comparison.note(EntityComparison.renamingIdentifier, \.renamingIdentifier)
    comparison.note("user info", \.userInfo)
    return comparison.changes
  }
}

/// The differences between two versions of a relationship.
enum RelationshipComparison {
  static func changes(
    _ old: RelationshipDescription, _ new: RelationshipDescription, in entity: EntityDescription
  ) -> [ModelDifference.Change] {
    var comparison = Comparison(old, new) { PropertyDescription.relationship($0).share(in: entity) }
    comparison.note("destination", \.destinationEntityName) { $0 }
    comparison.note("inverse", \.inverseName)
    comparison.note("optional", \.isOptional)
    comparison.note("transient", \.isTransient)
    comparison.note("least count", \.minCount) { String($0) }
    comparison.note("most count", \.maxCount) { $0 == 1 ? "to-one" : $0 == 0 ? "to-many" : "\($0)" }
    comparison.note("ordered", \.isOrdered)
    comparison.note("delete rule", \.deleteRule) { $0.reading }
    comparison.note("version hash modifier", \.versionHashModifier)
    comparison.note(EntityComparison.renamingIdentifier, \.renamingIdentifier)
    comparison.note("user info", \.userInfo)
    return comparison.changes
  }
}

extension PropertyDescription {
  /// Returns the contribution to its entity's version hash; empty for a transient property.
  fileprivate func share(in entity: EntityDescription) -> [UInt8] {
    isTransient ? [] : versionHash(in: entity)
  }
}
