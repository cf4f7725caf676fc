/// What makes the destination's objects of one entity mapping; a subclass says what a mapping
/// cannot.
///
///     final class MakerPolicy: EntityMigrationPolicy {
///       override func createDestinationInstances(
///         forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
///       ) throws {
///         try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
///         guard let car = manager.destinationInstances(
///           forEntityMappingName: mapping.name, sourceInstances: [source]).first else { return }
///         let name = source.value(forKey: "maker") as? String ?? "Unknown"
///         var request = FetchRequest<ManagedObject>(entityName: "Maker")
///         request.predicate = try FetchPredicate(format: "name == %@", name)
///         let context = manager.destinationContext
///         let maker = try context.fetch(request).first
///           ?? EntityDescription.insertNewObject(forEntityName: "Maker", into: context)
///         maker.setValue(name, forKey: "name")
///         car.setValue(maker, forKey: "createdBy")
///       }
///     }
///
/// A mapping names its policy in `entityMigrationPolicyClassName`; ``MigrationManager`` has the
/// classes by these names. One is made for each entity mapping and lives as long as the migration.
/// Its methods are called in this order: for every mapping ``begin(_:with:)``,
/// ``createDestinationInstances(forSource:in:manager:)`` for each object of the source and
/// ``endInstanceCreation(forMapping:manager:)``; then for every mapping
/// ``createRelationships(forDestination:in:manager:)`` for each object that was made and
/// ``endRelationshipCreation(forMapping:manager:)``; then for every mapping
/// ``performCustomValidation(forMapping:manager:)`` and ``end(_:manager:)``. An error that one of
/// them throws ends the migration, and the store is as it was.
///
/// All objects are plain managed objects, without the classes of the current model: their values
/// are read and set by key. Follows Core Data's `NSEntityMigrationPolicy`.
open class EntityMigrationPolicy {
  /// Makes a policy; the manager does.
  public required init() {}

  /// Is called before anything is made for a mapping.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Makes what becomes of an object of the source.
  ///
  /// By itself it makes one object of the destination's entity, sets the attributes that the
  /// mapping names, and associates the two. One of its own that leaves out `super` and makes
  /// nothing leaves the object out.
  ///
  /// - Throws: ``MigrationError`` where an attribute cannot have a value.
  open func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let entity = mapping.destinationEntityName else { return }
    let destination = EntityDescription.insertNewObject(
      forEntityName: entity, into: manager.destinationContext)
    try manager.setAttributes(of: destination, from: source, in: mapping, self)
    manager.associate(sourceInstance: source, withDestinationInstance: destination, for: mapping)
  }

  /// Is called when all objects of a mapping are made.
  open func endInstanceCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Gives an object of the destination its relationships.
  ///
  /// By itself it sets those that the mapping names.
  open func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.setRelationships(of: destination, in: mapping, self)
  }

  /// Is called when all objects of a mapping have their relationships.
  open func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Throws where what a mapping has made should not be.
  ///
  /// The model's own rules are checked afterwards.
  open func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Is called last for a mapping.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// The value of a property whose mapping calls a method of the policy.
  ///
  ///     final class SizePolicy: EntityMigrationPolicy {
  ///       override func value(
  ///         forFunction selector: String, arguments: [Any?], of property: PropertyMapping,
  ///         manager: MigrationManager
  ///       ) throws -> Any? {
  ///         switch selector {
  ///         case "sizeFromWeight:": (arguments[0] as? Double).map { $0 > 20 ? "large" : "small" }
  ///         default:
  ///           try super.value(
  ///             forFunction: selector, arguments: arguments, of: property, manager: manager)
  ///         }
  ///       }
  ///     }
  ///
  /// Core Data calls an Objective-C method of that name; Swift finds none by a name. By itself it
  /// throws.
  ///
  /// - Parameters:
  ///   - selector: the method's name as the mapping has it, with a colon for each argument.
  ///   - arguments: what the mapping calls it with.
  ///   - property: the mapping of the property.
  ///   - manager: the manager of the migration.
  /// - Returns: an attribute's value; of a relationship, an object of the destination, or several.
  /// - Throws: ``MigrationError/unknownPolicyFunction(mapping:property:name:)``.
  open func value(
    forFunction selector: String, arguments: [Any?], of property: PropertyMapping,
    manager: MigrationManager
  ) throws -> Any? {
    throw MigrationError.unknownPolicyFunction(
      mapping: manager.currentEntityMapping?.name ?? "", property: property.name, name: selector)
  }
}

@available(*, unavailable) extension EntityMigrationPolicy: Sendable {}
