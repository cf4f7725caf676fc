import ManagedObjects
import SystemLibraries

/// The migration of a store of the tutorial's app to the current version.
///
/// In such a store a dog may have no name, two dogs may have the same name, and a walk may have
/// neither date nor dog. Dogs with the same name are merged, with all their walks; an object
/// without a name gets the model's default name.
enum TutorialMigration {
  static let mapping: MappingModel = {
    var dogs = EntityMapping(name: "DogToDog", from: "Dog", to: "Dog")
    dogs.entityMigrationPolicyClassName = "DogPolicy"
    var walks = EntityMapping(name: "WalkToWalk", from: "Walk", to: "Walk")
    walks.attributeMappings = [PropertyMapping(name: "date", sourceName: "date")]
    walks.entityMigrationPolicyClassName = "WalkPolicy"
    return MappingModel(entityMappings: [dogs, walks])
  }()

  static let policies: [String: EntityMigrationPolicy.Type] = [
    "DogPolicy": DogPolicy.self, "WalkPolicy": WalkPolicy.self,
  ]

  /// Returns the dog with a name in the new store, inserting one for a dog of the old store if
  /// needed.
  fileprivate static func dog(
    named name: String?, of source: ManagedObject?, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let dog = EntityDescription.insertNewObject(forEntityName: "Dog", into: context)
    // Without a name, the model's default applies.
    if let name, !name.isEmpty { dog.setValue(name, forKey: "name") }
    let key = NameKey.of(dog.value(forKey: "name") as? String ?? "")
    var request = FetchRequest<ManagedObject>(entityName: "Dog")
    request.predicate = .comparison("nameKey", .equal, .string(key))
    if let known = try context.fetch(request).first {
      context.delete(dog)
      return known
    }
    dog.setValue(key, forKey: "nameKey")
    dog.setValue(source.map { UUID(of: $0) } ?? UUID(), forKey: "uuid")
    return dog
  }
}

/// Merges all dogs with the same name.
private final class DogPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let dog = try TutorialMigration.dog(
      named: source.value(forKey: "name") as? String, of: source, in: manager.destinationContext)
    manager.associate(sourceInstance: source, withDestinationInstance: dog, for: mapping)
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let dogs = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [destination])
    let walks = dogs.flatMap { dog in
      (dog.value(forKey: "walks") as? OrderedSet<ManagedObject>)?.array ?? []
    }
    destination.setValue(
      manager.destinationInstances(forEntityMappingName: "WalkToWalk", sourceInstances: walks),
      forKey: "walks")
  }
}

/// Gives walks the values that they need for display.
private final class WalkPolicy: EntityMigrationPolicy {
  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let walks = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [destination])
    destination.setValue(walks.first.map { UUID(of: $0) }, forKey: "uuid")
    if destination.value(forKey: "date") == nil {
      destination.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "date")
      destination.setValue("When this walk was is not known.", forKey: "note")
    }
    if destination.value(forKey: "dog") == nil {
      let dog = try TutorialMigration.dog(named: nil, of: nil, in: manager.destinationContext)
      destination.setValue(dog, forKey: "dog")
    }
  }
}
