import ManagedObjects
import SystemLibraries

/// A model of 25 entities, for measuring the cost of opening a store.
enum LargeModel {
  /// Opens the store at a path, and creates it if necessary.
  static func open(_ path: String) throws {
    let container = try PersistentContainer(
      name: "Large", model: model, storeURL: URL(filePath: path))
    precondition(container.persistentStore.identifier.count == 36)
  }

  private static let model = ManagedObjectModel(entities: (0..<25).map(entity))

  /// Returns an entity with ten attributes, a to-one to the next entity and its inverse to-many.
  private static func entity(_ number: Int) -> EntityDescription {
    let types: [AttributeDescription.AttributeType] = [
      .string, .integer32, .double, .date, .boolean,
    ]
    var properties: [PropertyDescription] = (0..<10).map { place in
      .attribute(
        AttributeDescription(name: "attribute\(place)", type: types[place % 5], isOptional: true))
    }
    properties.append(
      .relationship(
        RelationshipDescription(
          name: "next", destinationEntityName: "Entity\((number + 1) % 25)",
          inverseName: "previous", isOptional: true)))
    properties.append(
      .relationship(
        RelationshipDescription(
          name: "previous", destinationEntityName: "Entity\((number + 24) % 25)",
          inverseName: "next", isOptional: true, maxCount: 0, isOrdered: number % 2 == 0)))
    return EntityDescription(name: "Entity\(number)", properties: properties)
  }
}
