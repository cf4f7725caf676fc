import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// A mapping that cannot be inferred, for the store that `StoreMigrationTests.kennel()`
/// makes.
enum KennelMigration {
  /// Dogs that were walked become hounds with a kennel of their name, and their walks outings.
  static let new = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Hound",
      properties: [
        .value("title", .string), .value("shout", .string),
        .toMany("outings", "Outing", back: "hound", isOrdered: true),
        .toOne("kennel", "Kennel", back: "hounds"),
      ]),
    EntityDescription(
      name: "Kennel",
      properties: [.value("letter", .string), .toMany("hounds", "Hound", back: "kennel")],
      uniquenessConstraints: [["letter"]]),
    EntityDescription(
      name: "Outing",
      properties: [.value("seconds", .integer32), .toOne("hound", "Hound", back: "outings")]),
  ])

  static let mapping: MappingModel = {
    let source = FetchExpression.variable("source")
    var dogs = EntityMapping(name: "DogToHound", from: "Dog", to: "Hound")
    dogs.attributeMappings = [
      PropertyMapping(name: "title", sourceName: "name"),
      PropertyMapping(
        name: "shout", value: .expression(.function(.uppercase, [source.property("name")]))),
    ]
    dogs.relationshipMappings = [
      PropertyMapping(name: "outings", sourceName: "walks", mappedBy: "WalkToOuting")
    ]
    dogs.entityMigrationPolicyClassName = "App.KennelPolicy"
    var walks = EntityMapping(name: "WalkToOuting", from: "Walk", to: "Outing")
    walks.attributeMappings = [
      PropertyMapping(
        name: "seconds",
        value: .expression(
          .function(.multiply, [source.property("duration"), .constant(.integer(60))])))
    ]
    return MappingModel(entityMappings: [dogs, walks])
  }()

  static func manager() -> MigrationManager {
    let manager = MigrationManager(sourceModel: StoreMigrationTests.dogs, destinationModel: new)
    manager.entityMigrationPolicies["KennelPolicy"] = KennelPolicy.self
    return manager
  }

  /// What the new store holds, in the order of its keys.
  static func contents(of url: URL) throws -> [[String]] {
    try SQLiteFile(url).rows(
      """
      SELECT h.Z_PK, ZTITLE, ZSHOUT, ZLETTER, (SELECT group_concat(ZSECONDS) FROM
        (SELECT ZSECONDS FROM ZOUTING o WHERE o.ZHOUND = h.Z_PK ORDER BY Z_FOK_HOUND))
      FROM ZHOUND h JOIN ZKENNEL k ON h.ZKENNEL = k.Z_PK ORDER BY h.Z_PK
      """)
  }

  static let expected = [
    ["1", "Fido", "FIDO", "F", "180,60,120"], ["2", "Rex", "REX", "R", "NULL"],
  ]
}

/// Gives each hound the kennel of its letter, which is made once.
final class KennelPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let hounds = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    #expect(hounds.count == 1)
    #expect(
      manager.sourceInstances(forEntityMappingName: nil, destinationInstances: hounds) == [source])
    let letter = (source.value(forKey: "name") as? String ?? "").prefix(1)
    var request = FetchRequest<ManagedObject>(entityName: "Kennel")
    request.predicate = try FetchPredicate(format: "letter == %@", String(letter))
    let context = manager.destinationContext
    let kennel =
      try context.fetch(request).first
      ?? EntityDescription.insertNewObject(forEntityName: "Kennel", into: context)
    kennel.setValue(String(letter), forKey: "letter")
    hounds.first?.setValue(kennel, forKey: "kennel")
  }
}
