// Members that the target CoreDataNames calls by another name, since it declares Core Data's names
// itself.

extension MappingModel {
  /// The mapping of each entity.
  package var storedEntityMappings: [EntityMapping] {
    get { entityMappings }
    set { entityMappings = newValue }
  }
}

extension EntityMapping {
  /// The sources of the attributes' values.
  package var storedAttributeMappings: [PropertyMapping] {
    get { attributeMappings }
    set { attributeMappings = newValue }
  }
  /// The sources of the relationships' objects.
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
