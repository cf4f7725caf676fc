extension EntityDescription {
  /// All properties by name, including inherited ones.
  ///
  ///     model.entitiesByName["Puppy"]?.propertiesByName["name"]   // that of the Animal
  ///
  /// One that is redeclared replaces the inherited one. An entity outside a model has only its own.
  /// Follows Core Data's `propertiesByName`.
  public var propertiesByName: [String: PropertyDescription] {
    var found: [String: PropertyDescription] = [:]
    for property in inherited.properties + properties { found[property.name] = property }
    return found
  }

  /// All attributes by name, including inherited ones.
  ///
  ///     dog.attributesByName.keys.sorted()   // ["age", "name"]
  ///
  /// Follows Core Data's `attributesByName`.
  public var attributesByName: [String: AttributeDescription] {
    propertiesByName.compactMapValues {
      if case .attribute(let attribute) = $0 { attribute } else { nil }
    }
  }

  /// All relationships by name, including inherited ones.
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
  /// Sets the inherited properties of every entity, the root's first.
  ///
  /// Each entity is visited once, however long its lineage is. Stops at an unknown or repeated
  /// name.
  mutating func inheritProperties() {
    var done: Set<String> = []
    for var name in keys {
      // Up to an entity whose inherited properties are set, then down again.
      var line: [String] = []
      while let entity = self[name], done.insert(name).inserted {
        line.append(name)
        guard let next = entity.superentityName else { break }
        name = next
      }
      for name in line.reversed() {
        let parent = self[name]?.superentityName.flatMap { self[$0] }
        // An entity from another model must not keep what it inherited there.
        self[name]?.inherited.properties =
          parent.map { $0.inherited.properties + $0.properties } ?? []
      }
    }
  }
}
