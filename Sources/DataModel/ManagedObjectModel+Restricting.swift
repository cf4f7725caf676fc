extension ManagedObjectModel {
  /// The part of a model that one store holds: the entities of a configuration, and all of their
  /// families, for a family shares a table.
  ///
  /// nil gives the whole model, and an unknown name nil.
  package func restricted(toConfiguration name: String?) -> ManagedObjectModel? {
    guard let name else { return self }
    guard let named = entities(forConfigurationName: name) else { return nil }
    let roots = Set(named.map { lineage(of: $0)[0].name })
    let kept = entities.filter { roots.contains(lineage(of: $0)[0].name) }
    let names = Set(kept.map(\.name))
    return ManagedObjectModel(
      entities: kept, versionIdentifiers: versionIdentifiers,
      fetchRequestTemplates: fetchRequestTemplatesByName,
      versionHashes: isCompiled ? entityVersionHashesByName.filter { names.contains($0.key) } : nil,
      classes: classes)
  }

  /// A relationship that leads out of this part of a model, as `Entity.relationship`; nil where
  /// none does.
  package var relationshipLeadingOut: String? {
    for entity in entities {
      for relationship in entity.relationships
      where entitiesByName[relationship.destinationEntityName] == nil {
        return "\(entity.name).\(relationship.name)"
      }
    }
    return nil
  }
}
