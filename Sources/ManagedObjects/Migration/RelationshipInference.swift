import DataModel

/// Checks whether the links between objects can be migrated.
struct RelationshipInference {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private var mappings: [String: EntityMapping] = [:]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, _ mappings: [EntityMapping]
  ) {
    self.source = source
    self.destination = destination
    for mapping in mappings { self.mappings[mapping.destinationEntityName ?? ""] = mapping }
  }

  /// Throws for relationships whose links would be lost or contradict each other.
  func check() throws(MigrationError) {
    for entity in destination.entities {
      guard let mapping = mappings[entity.name], mapping.sourceEntityName != nil else { continue }
      for relationshipMapping in mapping.relationshipMappings {
        guard let new = entity.relationshipsByName[relationshipMapping.name],
          let old = original(of: new.name, in: entity.name), !new.isTransient, !old.isTransient
        else { continue }
        try check(new, from: old, of: entity)
      }
    }
  }

  /// The former relationship in the source; nil if it is new.
  private func original(of name: String, in entity: String) -> RelationshipDescription? {
    guard let mapping = mappings[entity],
      let old = mapping.sourceEntityName.flatMap({ source.entitiesByName[$0] })
    else { return nil }
    return mapping.relationshipMappings.first { $0.name == name }?.sourceName
      .flatMap { old.relationshipsByName[$0] }
  }

  private func check(
    _ new: RelationshipDescription, from old: RelationshipDescription, of entity: EntityDescription
  ) throws(MigrationError) {
    if old.isToMany, !new.isToMany {
      throw .toManyBecomesToOne(entity: entity.name, relationship: new.name)
    }
    guard leads(new, whereverLed: old) else {
      throw .differentDestination(
        entity: entity.name, relationship: new.name, source: old.destinationEntityName,
        destination: new.destinationEntityName)
    }
    guard keepsLinks(new, from: old) else {
      throw .differentInverse(entity: entity.name, relationship: new.name)
    }
  }

  /// Whether every former object of a relationship is still valid for it.
  private func leads(
    _ new: RelationshipDescription, whereverLed old: RelationshipDescription
  ) -> Bool {
    let family = Self.family(of: new.destinationEntityName, in: destination)
    let oldFamily = Self.family(of: old.destinationEntityName, in: source)
    return mappings.values.allSatisfy { mapping in
      guard let oldName = mapping.sourceEntityName, let name = mapping.destinationEntityName else {
        return true
      }
      return !oldFamily.contains(oldName) || family.contains(name)
    }
  }

  /// Whether the links can be kept with the relationship and its inverse.
  ///
  /// A new to-one as the inverse would have to be filled from the other end, where several objects
  /// may refer to one.
  private func keepsLinks(
    _ new: RelationshipDescription, from old: RelationshipDescription
  ) -> Bool {
    guard let inverse = destination.inverse(of: new), !inverse.isTransient else { return true }
    if let known = original(of: inverse.name, in: new.destinationEntityName), !known.isTransient {
      return known.name == old.inverseName
    }
    if inverse.isToMany { return true }
    // Then a to-one, renamed without a renaming identifier, is still in its column.
    return new.isToMany && old.isToMany && source.inverse(of: old)?.isToMany == false
  }

  static func family(of name: String, in model: ManagedObjectModel) -> Set<String> {
    Set(
      model.entities.filter { entity in model.lineage(of: entity).contains { $0.name == name } }
        .map(\.name))
  }
}
