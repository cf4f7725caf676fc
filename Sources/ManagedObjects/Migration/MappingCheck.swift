import DataModel

/// Checks that everything a mapping refers to exists in its models, before anything is created.
struct MappingCheck {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let mapping: MappingModel
  private let names: Set<String>

  init(_ manager: MigrationManager, _ mapping: MappingModel) {
    source = manager.sourceModel
    destination = manager.destinationModel
    self.mapping = mapping
    names = Set(mapping.entityMappings.map(\.name))
  }

  /// - Throws: `MigrationError` with the first missing thing.
  func run() throws(MigrationError) {
    var seen: Set<String> = []
    for entity in mapping.entityMappings where !seen.insert(entity.name).inserted {
      throw .duplicateMappingName(entity.name)
    }
    for entity in mapping.entityMappings {
      let old = try find(
        entity.sourceEntityName, entity.sourceEntityVersionHash, source, mapping: entity.name)
      let new = try find(
        entity.destinationEntityName, entity.destinationEntityVersionHash, destination,
        mapping: entity.name)
      guard let new, entity.mappingType != .remove else { continue }
      try check(entity.attributeMappings, of: entity, old, in: new, isRelationship: false)
      try check(entity.relationshipMappings, of: entity, old, in: new, isRelationship: true)
    }
  }

  private func find(
    _ name: String?, _ hash: VersionHash?, _ model: ManagedObjectModel, mapping: String
  ) throws(MigrationError) -> EntityDescription? {
    guard let name else { return nil }
    guard let entity = model.entitiesByName[name] else {
      throw .unknownEntity(mapping: mapping, entity: name)
    }
    if let hash, hash != model.entityVersionHashesByName[name] {
      throw .differentVersion(mapping: mapping, entity: name)
    }
    return entity
  }

  private func check(
    _ properties: [PropertyMapping], of entity: EntityMapping, _ old: EntityDescription?,
    in new: EntityDescription, isRelationship: Bool
  ) throws(MigrationError) {
    for property in properties {
      let isKnown =
        isRelationship
        ? new.relationshipsByName[property.name] != nil
        : new.attributesByName[property.name] != nil
      guard isKnown else {
        throw .unknownProperty(mapping: entity.name, entity: new.name, property: property.name)
      }
      switch property.value {
      case nil: continue
      case .expression(let expression)? where !isRelationship:
        try check(expression, of: property, entity, old)
      case .destinationInstances(let expression, let name)? where isRelationship:
        if let name, !names.contains(name) {
          throw .unknownMapping(mapping: entity.name, property: property.name, name: name)
        }
        try check(expression, of: property, entity, old)
      case .policyFunction(let name, let arguments)?:
        guard entity.entityMigrationPolicyClassName != nil else {
          throw .unknownPolicyFunction(mapping: entity.name, property: property.name, name: name)
        }
        for argument in arguments { try check(argument, of: property, entity, old) }
      default:
        throw .unusableExpression(mapping: entity.name, property: property.name)
      }
    }
  }

  /// Checks key paths from the source's object one by one; a fetch would reject any other error.
  private func check(
    _ expression: FetchExpression, of property: PropertyMapping, _ mapping: EntityMapping,
    _ old: EntityDescription?
  ) throws(MigrationError) {
    // Without an object of the source nothing is evaluated.
    guard let old else { return }
    guard case .property(let base, let names) = expression.kind, base.kind == .variable("source")
    else { return }
    guard leads(names.split(separator: ".")[...], from: old) else {
      throw .unknownProperty(mapping: mapping.name, entity: old.name, property: names)
    }
  }

  /// Whether a key path is valid.
  private func leads(_ names: ArraySlice<Substring>, from entity: EntityDescription) -> Bool {
    guard let name = names.first else { return true }
    let rest = names.dropFirst()
    if name.hasPrefix("@") {
      return CollectionOperator(rawValue: String(name.dropFirst())) != nil
        && leads(rest, from: entity)
    }
    if let relationship = entity.relationshipsByName[String(name)] {
      guard let next = source.entitiesByName[relationship.destinationEntityName] else {
        return false
      }
      return leads(rest, from: next)
    }
    guard let attribute = entity.attributesByName[String(name)] else { return false }
    return rest.isEmpty || attribute.type == .composite
  }
}
