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
  /// One declared anew takes the place of the inherited one. An entity that is in no model has its
  /// own alone. Follows Core Data's `propertiesByName`.
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
}

extension [String: EntityDescription] {
  /// Gives every entity the properties of its superentities, the root's first.
  ///
  /// Each is looked at once, however long the line is. Stops where a name is unknown or comes
  /// twice.
  mutating func inheritProperties() {
    var done: Set<String> = []
    for var name in keys {
      // Up to one that has what it inherits, then down again.
      var line: [String] = []
      while let entity = self[name], done.insert(name).inserted {
        line.append(name)
        guard let next = entity.superentityName else { break }
        name = next
      }
      for name in line.reversed() {
        let parent = self[name]?.superentityName.flatMap { self[$0] }
        // One that had another superentity, in another model, has nothing of that.
        self[name]?.inherited.properties =
          parent.map { $0.inherited.properties + $0.properties } ?? []
      }
    }
  }
}
