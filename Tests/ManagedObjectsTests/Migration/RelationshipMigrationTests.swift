import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Relationships that are removed while objects are linked by them.
struct RelationshipMigrationTests {
  private static func without(
    _ names: Set<String>, in model: ManagedObjectModel
  ) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        entity.properties = entity.properties.compactMap { property in
          if names.contains(property.name) { return nil }
          guard case .relationship(var relationship) = property else { return property }
          if names.contains(relationship.inverseName ?? "") { relationship.inverseName = nil }
          return .relationship(relationship)
        }
        return entity
      })
  }

  /// A store's objects, without some properties.
  private static func values(
    _ snapshot: StoreSnapshot, without names: Set<String>
  ) -> [StoreSnapshot.Key: [String: [String]]] {
    snapshot.objects.mapValues { $0.filter { !names.contains($0.key) } }
  }

  /// Migrates a store to a model without some relationships; everything else is unchanged.
  private static func remove(
    _ names: Set<String>, from model: ManagedObjectModel, in folder: StoreFolder
  ) throws -> ManagedObjectModel {
    let before = try folder.snapshot(model)
    // Each of them leads somewhere, or this would test nothing.
    for name in names {
      #expect(before.objects.values.contains { $0[name]?.isEmpty == false }, "\(name)")
    }
    let new = without(names, in: model)
    try folder.migrate(to: new)
    #expect(try values(folder.snapshot(new), without: []) == values(before, without: names))
    let fresh = try StoreFolder()
    try fresh.fill(new) { _ in }
    let layout = """
      SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' ORDER BY 1, 2
      """
    #expect(try SQLiteFile(folder.store).rows(layout) == SQLiteFile(fresh.store).rows(layout))
    return new
  }

  // MARK: One to many

  @Test func `a removed to-one loses its columns, and its inverse goes with it`() throws {
    let folder = try StoreMigrationTests.kennel()
    let new = try Self.remove(["dog", "walks"], from: StoreMigrationTests.dogs, in: folder)
    #expect(
      try SQLiteFile(folder.store).rows("SELECT * FROM ZWALK ORDER BY Z_PK").map(\.count)
        == [4, 4, 4])
    let without = try folder.snapshot(new).objects
    // A relationship added again has none of its former links.
    try folder.migrate(to: StoreMigrationTests.dogs)
    let again = try folder.snapshot(StoreMigrationTests.dogs).objects
    #expect(again.mapValues { $0.filter { !["dog", "walks"].contains($0.key) } } == without)
    #expect(again.values.allSatisfy { ($0["dog"] ?? $0["walks"]) == [] })
  }

  @Test func `a removed list loses its order keys, and the to-one from its members stays`() throws {
    let folder = try StoreMigrationTests.kennel()
    _ = try Self.remove(["walks"], from: StoreMigrationTests.dogs, in: folder)
    #expect(
      try SQLiteFile(folder.store).column("SELECT name FROM pragma_table_info('ZWALK')")
        .filter { $0.contains("DOG") } == ["ZDOG"])
  }

  @Test func `a removed to-one leaves the list that was its inverse in order`() throws {
    let folder = try StoreMigrationTests.kennel()
    let new = try Self.remove(["dog"], from: StoreMigrationTests.dogs, in: folder)
    #expect(
      try folder.snapshot(new).objects[.init(entity: "Dog", key: 1)]?["walks"] == ["3", "1", "2"])
  }

  @Test func `a removed to-one of a family loses the column of its entity number`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", properties: [.value("name", .string)]),
      EntityDescription(name: "Dog", superentityName: "Animal"),
      EntityDescription(
        name: "Person", properties: [.value("name", .string), .toOne("pet", "Animal")]),
    ])
    let folder = try StoreFolder()
    try folder.fill(model) { context in
      for entity in ["Animal", "Dog"] {
        ManagedObject("Person", in: context)
          .setValuesForKeys(["pet": ManagedObject(entity, in: context), "name": entity])
      }
    }
    _ = try Self.remove(["pet"], from: model, in: folder)
  }

  // MARK: Many to many

  private static let people = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Person",
      properties: [
        .value("name", .string), .toMany("dogs", "Dog", back: "owners", isOrdered: true),
        .toMany("friends", "Person", back: "friends"),
      ]),
    EntityDescription(
      name: "Dog",
      properties: [.value("name", .string), .toMany("owners", "Person", back: "dogs")]),
  ])

  /// Ana and Bo, who have dogs together, Ana's in another order than they were made, and are
  /// friends.
  private static func owners() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(people) { context in
      let dogs = ["Fido", "Rex", "Bello"].map { name in
        let dog = ManagedObject("Dog", in: context)
        dog.setValue(name, forKey: "name")
        return dog
      }
      let ana = ManagedObject("Person", in: context)
      let bo = ManagedObject("Person", in: context)
      try context.save()
      ana.setValuesForKeys(["name": "Ana", "dogs": [dogs[2], dogs[0]]])
      bo.setValuesForKeys(["name": "Bo", "dogs": [dogs[1], dogs[2]], "friends": [ana]])
    }
    return folder
  }

  private static func joins(_ folder: StoreFolder) throws -> [String] {
    try SQLiteFile(folder.store).column(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table'
      AND name GLOB 'Z_[0-9]*' ORDER BY name
      """)
  }

  @Test func `a removed many-to-many loses its table with its index`() throws {
    let folder = try Self.owners()
    #expect(try Self.joins(folder) == ["Z_1OWNERS", "Z_2FRIENDS"])
    _ = try Self.remove(["dogs", "owners"], from: Self.people, in: folder)
    #expect(try Self.joins(folder) == ["Z_2FRIENDS"])
    #expect(
      try SQLiteFile(folder.store).value(
        "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'Z_1OWNERS'") == "0")
  }

  @Test func `a removed side of a many-to-many leaves the other with its links and their order`()
    throws
  {
    for name in ["dogs", "owners"] {
      let folder = try Self.owners()
      _ = try Self.remove([name], from: Self.people, in: folder)
      #expect(try Self.joins(folder).count == 2, "\(name)")
    }
  }

  @Test func `a removed relationship that is its own inverse loses its table`() throws {
    let folder = try Self.owners()
    _ = try Self.remove(["friends"], from: Self.people, in: folder)
    #expect(try Self.joins(folder) == ["Z_1OWNERS"])
  }
}
