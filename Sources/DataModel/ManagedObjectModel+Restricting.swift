extension ManagedObjectModel {
  /// The part of a model that one store contains.
  ///
  /// These are the entities of a configuration, and all of their hierarchies, since an entity
  /// hierarchy shares a table. nil returns the whole model, and an unknown name nil.
  package func restricted(toConfiguration name: String?) -> ManagedObjectModel? {
    guard name != nil else { return self }
    guard let kept = storedEntities(forConfigurationName: name) else { return nil }
    let names = Set(kept.map(\.name))
    return ManagedObjectModel(
      entities: kept, versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: fetchRequestTemplatesByName,
      versionHashes: isCompiled ? entityVersionHashesByName.filter { names.contains($0.key) } : nil,
      classes: classes)
  }

  /// The entities that a store with a configuration contains, including whole entity hierarchies;
  /// all for nil.
  ///
  /// nil if there is no configuration of that name.
  func storedEntities(forConfigurationName name: String?) -> [EntityDescription]? {
    guard name != nil else { return entities }
    guard let named = entities(forConfigurationName: name) else { return nil }
    let roots = Set(named.map { lineage(of: $0)[0].name })
    return entities.filter { roots.contains(lineage(of: $0)[0].name) }
  }

  /// A relationship whose destination is not in this part of a model, as `Entity.relationship`.
  ///
  /// nil if there is none.
  package var relationshipToMissingEntity: String? {
    for entity in entities {
      for relationship in entity.relationships
      where entitiesByName[relationship.destinationEntityName] == nil {
        return "\(entity.name).\(relationship.name)"
      }
    }
    return nil
  }
}
