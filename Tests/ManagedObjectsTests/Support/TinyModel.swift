import DataModel
import ManagedObjects

extension PropertyDescription {
  /// An optional attribute whose large values have files of their own.
  static func externalData(_ name: String) -> PropertyDescription {
    .attribute(
      AttributeDescription(
        name: name, type: .binaryData, isOptional: true, allowsExternalBinaryDataStorage: true))
  }

  /// An optional attribute, in the fewest words.
  static func value(
    _ name: String, _ type: AttributeDescription.AttributeType, isTransient: Bool = false
  ) -> PropertyDescription {
    .attribute(
      AttributeDescription(name: name, type: type, isOptional: true, isTransient: isTransient))
  }

  /// An optional to-one.
  static func toOne(_ name: String, _ entity: String, back: String? = nil) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destinationEntityName: entity, inverseName: back, isOptional: true))
  }

  /// A to-many.
  static func toMany(
    _ name: String, _ entity: String, back: String?, isOrdered: Bool = false
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destinationEntityName: entity, inverseName: back, isOptional: true, maxCount: 0,
        isOrdered: isOrdered))
  }
}

extension ManagedObject {
  /// A new object of an entity that has no class of its own.
  convenience init(_ entity: String, in context: ManagedObjectContext) {
    // The context's coordinator has the entity, or the library says so.
    let model = context.persistentStoreCoordinator.managedObjectModel
    self.init(entity: model.entitiesByName[entity]!, insertInto: context)
  }
}
