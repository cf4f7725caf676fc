import ManagedObjects

/// Makes objects from values: an object with a value of an attribute is then linked to the object
/// that has it.
class ValuePolicy: EntityMigrationPolicy {
  /// The attribute of the source, and the relationship of the destination.
  class var names: (attribute: String, relationship: String) { fatalError("Each has its own.") }
  /// The entity at the relationship's end, and the attribute that has the value there.
  class var destination: (entity: String, attribute: String) { fatalError("Each has its own.") }

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let (names, end) = (Self.names, Self.destination)
    guard let value = source.value(forKey: names.attribute),
      let object = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [source]
      ).first
    else { return }
    let context = manager.destinationContext
    let known = try context.fetch(FetchRequest<ManagedObject>(entityName: end.entity)).first {
      $0.value(forKey: end.attribute) as? AnyHashable == value as? AnyHashable
    }
    let linked =
      known ?? EntityDescription.insertNewObject(forEntityName: end.entity, into: context)
    linked.setValue(value, forKey: end.attribute)
    object.setValue(linked, forKey: names.relationship)
  }
}

/// Assigns countries the continent of the number that they had.
final class ContinentPolicy: ValuePolicy {
  override class var names: (attribute: String, relationship: String) {
    ("isoContinent", "continent")
  }
  override class var destination: (entity: String, attribute: String) {
    ("Continent", "numericISO3166Code")
  }
}

/// Assigns cars the maker of the name that they had.
final class MakerPolicy: ValuePolicy {
  override class var names: (attribute: String, relationship: String) { ("maker", "createdBy") }
  override class var destination: (entity: String, attribute: String) { ("Maker", "name") }
}
