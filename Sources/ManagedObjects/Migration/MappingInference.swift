/// Infers a mapping between two models.
struct MappingInference {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  /// The source entity of each entity of the destination that is not new.
  private let entities: [String: String]

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(MigrationError) {
    self.source = source
    self.destination = destination
    entities = try Self.sources(from: source.entities, to: destination.entities, of: nil)
  }

  func mappingModel() throws(MigrationError) -> MappingModel {
    try refuseMergedHierarchies()
    var mappings: [EntityMapping] = []
    for entity in destination.entitiesInNumberOrder { mappings.append(try mapping(of: entity)) }
    try RelationshipInference(from: source, to: destination, mappings).check()
    let kept = Set(entities.values)
    for entity in source.entitiesInNumberOrder where !kept.contains(entity.name) {
      var mapping = EntityMapping(name: "IEM_Remove_\(entity.name)", from: entity.name, to: nil)
      mapping.sourceEntityVersionHash = source.entityVersionHashesByName[entity.name]
      mappings.append(mapping)
    }
    return MappingModel(inferred: mappings)
  }

  // MARK: Entities

  /// A table's rows can come from one table only: rows of two tables would have equal keys.
  private func refuseMergedHierarchies() throws(MigrationError) {
    var roots: [String: Set<String>] = [:]
    for entity in destination.entities {
      guard let old = entities[entity.name].flatMap({ source.entitiesByName[$0] }) else { continue }
      roots[destination.lineage(of: entity)[0].name, default: []]
        .insert(source.lineage(of: old)[0].name)
    }
    for (root, sources) in roots.sorted(by: { $0.key < $1.key }) where sources.count > 1 {
      throw .mergedHierarchies(root: root, sourceRoots: sources.sorted())
    }
  }

  private func mapping(of entity: EntityDescription) throws(MigrationError) -> EntityMapping {
    let hash = destination.entityVersionHashesByName[entity.name]
    let old = entities[entity.name].flatMap { source.entitiesByName[$0] }
    let oldHash = old.flatMap { source.entityVersionHashesByName[$0.name] }
    let attributes = try pair(entity, with: old, \.attributesByName).map { name, sourceName in
      let source = sourceName.flatMap { old?.attributesByName[$0] }
      let isKept = entity.attributesByName[name]?.keepsValue(of: source) ?? true
      return (name: name, sourceName: isKept ? sourceName : nil)
    }
    let relationships = try pair(entity, with: old, \.relationshipsByName)
    if let old {
      for pair in attributes {
        guard let attribute = entity.attributesByName[pair.name] else { continue }
        try check(
          attribute, from: pair.sourceName.flatMap { old.attributesByName[$0] }, of: entity.name)
      }
    }
    let type: EntityMapping.MappingType =
      old == nil ? .add : old?.name == entity.name && oldHash == hash ? .copy : .transform
    let prefix =
      switch type {
      case .add: "IEM_Add_"
      case .copy: "IEM_Copy_"
      default: "IEM_Transform_"
      }
    var mapping = EntityMapping(name: prefix + entity.name, from: old?.name, to: entity.name)
    mapping.mappingType = type
    mapping.sourceEntityVersionHash = oldHash
    mapping.destinationEntityVersionHash = hash
    mapping.attributeMappings = attributes.map {
      PropertyMapping(name: $0.name, sourceName: $0.sourceName)
    }
    mapping.relationshipMappings = relationships.map {
      PropertyMapping(name: $0.name, sourceName: $0.sourceName, mappedBy: nil)
    }
    return mapping
  }

  /// Pairs the properties of one type.
  private func pair<Property: Renamable>(
    _ entity: EntityDescription, with old: EntityDescription?,
    _ properties: (EntityDescription) -> [String: Property]
  ) throws(MigrationError) -> [(name: String, sourceName: String?)] {
    func sorted(_ entity: EntityDescription) -> [Property] {
      properties(entity).sorted { $0.key < $1.key }.map(\.value)
    }
    let new = sorted(entity)
    let sources = try Self.sources(from: old.map(sorted) ?? [], to: new, of: entity.name)
    return new.map { ($0.name, sources[$0.name]) }
  }

  /// The source's names by the destination's.
  ///
  /// - Parameter entity: the entity whose properties these are; nil for entities.
  private static func sources<Description: Renamable>(
    from source: [Description], to destination: [Description], of entity: String?
  ) throws(MigrationError) -> [String: String] {
    let renaming = Renaming(from: source, to: destination)
    switch renaming.conflict {
    case .severalDestinations(let names, let source):
      throw .ambiguousRenaming(
        entity: entity, source: entity.map { "\($0).\(source)" } ?? source, destinations: names)
    case .cycle(let names): throw .renamingCycle(entity: entity, names: names)
    case nil: return renaming.sources
    }
  }

  // MARK: Attributes

  /// Throws for changes of an attribute that cannot be inferred.
  private func check(
    _ attribute: AttributeDescription, from old: AttributeDescription?, of entity: String,
    path: String = ""
  ) throws(MigrationError) {
    // A transient attribute has no type in the store.
    if attribute.isTransient { return }
    let stored = old.flatMap { $0.isTransient ? nil : $0 }
    let name = path + attribute.name
    if let stored, stored.type != attribute.type {
      throw .incompatibleAttributeTypes(
        entity: entity, attribute: name, source: stored.type, destination: attribute.type)
    }
    if attribute.type == .composite {
      for var element in attribute.elements {
        element.isOptional = element.isOptional || attribute.isOptional
        let original = stored?.elements.first { $0.name == element.name }.map { original in
          var original = original
          original.isOptional = original.isOptional || stored?.isOptional == true
          return original
        }
        try check(element, from: original, of: entity, path: "\(name).")
      }
      return
    }
    let mayBeMissing = stored?.isOptional ?? true
    if mayBeMissing, !attribute.isOptional, !attribute.isDerived, attribute.defaultValue == nil {
      throw .missingDefaultValue(entity: entity, attribute: name)
    }
  }
}
