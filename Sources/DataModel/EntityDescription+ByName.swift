/// What an entity inherits; its model says so, and it is no part of what the entity is.
struct InheritedProperties: Sendable, Hashable {
  var properties: [PropertyDescription] = []

  static func == (one: InheritedProperties, other: InheritedProperties) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension EntityDescription {
  /// Every property by its name, the inherited ones with it.
  ///
  ///     model.entitiesByName["Puppy"]?.propertiesByName["name"]   // that of the Animal
  ///
  /// One declared anew takes the place of the inherited one. An entity that is in no model has its own
  /// alone. Follows Core Data's `propertiesByName`.
  public var propertiesByName: [String: PropertyDescription] {
    var found: [String: PropertyDescription] = [:]
    for property in inherited.properties + properties { found[property.name] = property }
    return found
  }

  /// Every attribute by its name, the inherited ones with it.
  ///
  ///     dog.attributesByName.keys.sorted()   // ["age", "name"]
  ///
  /// Follows Core Data's `attributesByName`.
  public var attributesByName: [String: AttributeDescription] {
    propertiesByName.compactMapValues {
      if case .attribute(let attribute) = $0 { attribute } else { nil }
    }
  }

  /// Every relationship by its name, the inherited ones with it.
  ///
  ///     dog.relationshipsByName["walks"]?.isOrdered   // true
  ///
  /// Follows Core Data's `relationshipsByName`.
  public var relationshipsByName: [String: RelationshipDescription] {
    propertiesByName.compactMapValues {
      if case .relationship(let relationship) = $0 { relationship } else { nil }
    }
  }

  /// The properties of its superentities, the root's first.
  ///
  /// Stops where a name is unknown or comes twice.
  func inheritedProperties(from entities: [String: EntityDescription]) -> [PropertyDescription] {
    var found: [PropertyDescription] = []
    var seen: Set<String> = [name]
    var next = superentityName
    while let name = next, seen.insert(name).inserted, let entity = entities[name] {
      found = entity.properties + found
      next = entity.superentityName
    }
    return found
  }
}
