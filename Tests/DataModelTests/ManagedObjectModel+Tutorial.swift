@testable import DataModel

extension ManagedObjectModel {
  /// The data model of the tutorial that this project is named after.
  static let tutorial = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Dog",
      properties: [
        .attribute(.init(name: "name", type: .string, isOptional: true)),
        .relationship(
          .init(
            name: "walks", destinationEntityName: "Walk", inverseName: "dog", isOptional: true,
            maxCount: 0, isOrdered: true)),
      ]),
    EntityDescription(
      name: "Walk",
      properties: [
        .attribute(.init(name: "date", type: .date, isOptional: true)),
        .relationship(
          .init(
            name: "dog", destinationEntityName: "Dog", inverseName: "walks", isOptional: true)),
      ]),
  ])
}
