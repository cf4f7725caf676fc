/// Creates the destination's objects of one entity mapping; subclass it for custom logic.
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
/// A mapping names its policy in `entityMigrationPolicyClassName`; ``MigrationManager`` maps these
/// names to classes. One instance is created for each entity mapping and lives as long as the
/// migration. Its methods are called in this order: for every mapping ``begin(_:with:)``,
/// ``createDestinationInstances(forSource:in:manager:)`` for each object of the source and
/// ``endInstanceCreation(forMapping:manager:)``; then for every mapping
/// ``createRelationships(forDestination:in:manager:)`` for each object that was created and
/// ``endRelationshipCreation(forMapping:manager:)``; then for every mapping
/// ``performCustomValidation(forMapping:manager:)`` and ``end(_:manager:)``. An error that one of
/// them throws ends the migration, and the store is unchanged.
///
/// All objects are plain managed objects, without the classes of the current model: their values
/// are read and set by key. Follows Core Data's `NSEntityMigrationPolicy`.
open class EntityMigrationPolicy {
  /// Creates a policy; called by the manager.
  public required init() {}

  /// Called before any object is created for a mapping.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Creates the destination's objects for an object of the source.
  ///
  /// The default implementation creates one object of the destination's entity, sets the attributes
  /// in the mapping, and associates the two. An override that does not call `super` and creates
  /// nothing omits the object.
  ///
  /// - Throws: ``MigrationError`` if an attribute cannot have a value.
  open func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let entity = mapping.destinationEntityName else { return }
    let destination = EntityDescription.insertNewObject(
      forEntityName: entity, into: manager.destinationContext)
    try manager.setAttributes(of: destination, from: source, in: mapping, self)
    manager.associate(sourceInstance: source, withDestinationInstance: destination, for: mapping)
  }

  /// Called when all objects of a mapping have been created.
  open func endInstanceCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Sets the relationships of an object of the destination.
  ///
  /// The default implementation sets those in the mapping.
  open func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try manager.setRelationships(of: destination, in: mapping, self)
  }

  /// Called when all objects of a mapping have their relationships.
  open func endRelationshipCreation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Validates the objects of a mapping by custom rules, and throws if they are invalid.
  ///
  /// The model's own rules are checked afterwards.
  open func performCustomValidation(
    forMapping mapping: EntityMapping, manager: MigrationManager
  ) throws {}

  /// Called last for a mapping.
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
  /// Core Data calls an Objective-C method of that name; Swift cannot look methods up by name. The
  /// default implementation throws.
  ///
  /// - Parameters:
  ///   - selector: the method's name in the mapping, with a colon for each argument.
  ///   - arguments: the arguments in the mapping.
  ///   - property: the mapping of the property.
  ///   - manager: the manager of the migration.
  /// - Returns: an attribute's value; for a relationship, an object of the destination, or several.
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
