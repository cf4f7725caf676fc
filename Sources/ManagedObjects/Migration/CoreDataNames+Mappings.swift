// What the target CoreDataNames calls by another name, since it has Core Data's names itself.

extension MappingModel {
  /// What becomes of each entity.
  package var storedEntityMappings: [EntityMapping] {
    get { entityMappings }
    set { entityMappings = newValue }
  }
}

extension EntityMapping {
  /// Where attributes have their values from.
  package var storedAttributeMappings: [PropertyMapping] {
    get { attributeMappings }
    set { attributeMappings = newValue }
  }
  /// Where relationships have their objects from.
  package var storedRelationshipMappings: [PropertyMapping] {
    get { relationshipMappings }
    set { relationshipMappings = newValue }
  }
}

extension PropertyMapping {
  /// The property's name in the destination.
  package var storedName: String {
    get { name }
    set { name = newValue }
  }
}
