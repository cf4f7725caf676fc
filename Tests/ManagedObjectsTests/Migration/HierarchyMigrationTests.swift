import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Entities with objects that get a parent, or another one.
struct HierarchyMigrationTests {
  private static let name = PropertyDescription.value("name", .string)
  private static let age = PropertyDescription.value("age", .integer16)

  /// Dogs of their own, which people lead to, each by a to-one, a list and a set.
  private static let alone = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Dog",
      properties: [
        name, age, .toOne("owner", "Person", back: "dogs"),
        .toMany("walkers", "Person", back: "walked"),
      ]),
    person(leadingTo: "Dog"),
  ])

  private static func person(leadingTo entity: String) -> EntityDescription {
    EntityDescription(
      name: "Person",
      properties: [
        .toOne("favourite", entity), .toMany("dogs", entity, back: "owner", isOrdered: true),
        .toMany("walked", entity, back: "walkers"),
      ])
  }

  /// Fido and Rex; Ana has both, Rex first, and Bo walks Fido and likes him best.
  private static func kennel() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.fill(alone) { context in
      let dogs = [("Fido", 3), ("Rex", 5)].map { name, age in
        let dog = ManagedObject("Dog", in: context)
        dog.setValuesForKeys(["name": name, "age": age])
        return dog
      }
      let (ana, bo) = (ManagedObject("Person", in: context), ManagedObject("Person", in: context))
      try context.save()
      ana.setValue([dogs[1], dogs[0]], forKey: "dogs")
      bo.setValuesForKeys(["walked": [dogs[0]], "favourite": dogs[0]])
    }
    return folder
  }

  @Test func `an entity with rows gets a new parent, which adopts its properties and links`()
    throws
  {
    let folder = try Self.kennel()
    let before = try folder.snapshot(Self.alone)
    let keys = try SQLiteFile(folder.store).rows("SELECT Z_PK, Z_OPT FROM ZDOG ORDER BY Z_PK")
    let family = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Animal", isAbstract: true,
        properties: [
          Self.name, .toOne("owner", "Person", back: "dogs"),
          .toMany("walkers", "Person", back: "walked"),
        ]),
      EntityDescription(
        name: "Cat", superentityName: "Animal", properties: [.value("lives", .integer16)]),
      EntityDescription(name: "Dog", superentityName: "Animal", properties: [Self.age]),
      Self.person(leadingTo: "Animal"),
    ])
    try folder.migrate(to: family)
    #expect(try folder.snapshot(family) == before)
    let file = try SQLiteFile(folder.store)
    #expect(
      try file.rows("SELECT Z_PK, Z_ENT, ZNAME, ZAGE, ZLIVES FROM ZANIMAL ORDER BY Z_PK")
        == [["1", "3", "Fido", "3", "NULL"], ["2", "3", "Rex", "5", "NULL"]])
    #expect(try file.rows("SELECT Z_PK, Z_OPT FROM ZANIMAL ORDER BY Z_PK") == keys)
    #expect(
      try file.rows("SELECT ZFAVOURITE, Z1_FAVOURITE FROM ZPERSON ORDER BY Z_PK")
        == [["NULL", "NULL"], ["1", "3"]])
    #expect(try file.column("SELECT name FROM sqlite_schema WHERE name LIKE '%ZDOG%'") == [])
    // A key is never reused, whichever entity of the family is next.
    let context = try folder.open(family).newBackgroundContext()
    ManagedObject("Cat", in: context).setValue("Tom", forKey: "name")
    try context.save()
    #expect(try file.column("SELECT Z_PK FROM ZANIMAL ORDER BY 1") == ["1", "2", "3"])
    try folder.migrate(to: Self.alone)
    #expect(try folder.snapshot(Self.alone) == before)
  }

  @Test func `a subentity gets another parent of its family, with that parent's properties`() throws
  {
    func model(wolves parent: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Animal", properties: [Self.name]),
        EntityDescription(name: "Dog", superentityName: "Animal", properties: [Self.age]),
        EntityDescription(
          name: "Wolf", superentityName: parent, properties: [.value("pack", .string)]),
        EntityDescription(name: "Person", properties: [.toOne("pet", "Animal")]),
      ])
    }
    let folder = try StoreFolder()
    try folder.fill(model(wolves: "Animal")) { context in
      for entity in ["Animal", "Dog", "Wolf"] {
        let animal = ManagedObject(entity, in: context)
        animal.setValue("a \(entity)", forKey: "name")
        if entity == "Dog" { animal.setValue(3, forKey: "age") }
        if entity == "Wolf" { animal.setValue("grey", forKey: "pack") }
        ManagedObject("Person", in: context).setValue(animal, forKey: "pet")
      }
    }
    let before = try folder.snapshot(model(wolves: "Animal"))
    try folder.migrate(to: model(wolves: "Dog"))
    let after = try folder.snapshot(model(wolves: "Dog"))
    #expect(
      after.objects
        == before.objects.mapValues { values in
          values["pack"] == nil ? values : values.merging(["age": []]) { $1 }
        })
    #expect(
      try SQLiteFile(folder.store).rows(
        "SELECT Z_NAME, p.Z_SUPER FROM Z_PRIMARYKEY p WHERE Z_NAME = 'Wolf'") == [["Wolf", "2"]])
    try folder.migrate(to: model(wolves: "Animal"))
    #expect(try folder.snapshot(model(wolves: "Animal")) == before)
  }

  @Test
  func `a subentity moves from one family to a new one, with all its properties`()
    throws
  {
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", properties: [Self.name]),
      EntityDescription(name: "Robot", superentityName: "Animal", properties: [Self.age]),
    ])
    let new = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", properties: [Self.name]),
      EntityDescription(name: "Machine", properties: [Self.name]),
      EntityDescription(name: "Robot", superentityName: "Machine", properties: [Self.age]),
    ])
    let folder = try StoreFolder()
    try folder.fill(old) { context in
      ManagedObject("Animal", in: context).setValue("Fido", forKey: "name")
      ManagedObject("Robot", in: context).setValuesForKeys(["name": "Aibo", "age": 20])
    }
    let before = try folder.snapshot(old)
    try folder.migrate(to: new)
    #expect(try folder.snapshot(new) == before)
    let file = try SQLiteFile(folder.store)
    #expect(try file.column("SELECT ZNAME FROM ZANIMAL") == ["Fido"])
    #expect(try file.rows("SELECT ZNAME, ZAGE FROM ZMACHINE") == [["Aibo", "20"]])
  }

  @Test func `an entity with rows cannot join an existing family, whose keys are its own`()
    throws
  {
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", properties: [Self.name]),
      EntityDescription(name: "Dog", properties: [Self.name]),
    ])
    let folder = try StoreFolder()
    try folder.fill(old) { context in
      for entity in ["Animal", "Dog"] {
        ManagedObject(entity, in: context).setValue(entity, forKey: "name")
      }
    }
    let before = try folder.bytes()
    #expect(
      throws: MigrationError.mergedHierarchies(root: "Animal", sourceRoots: ["Animal", "Dog"])
    ) {
      try folder.migrate(
        to: ManagedObjectModel(entities: [
          EntityDescription(name: "Animal", properties: [Self.name]),
          EntityDescription(name: "Dog", superentityName: "Animal"),
        ]))
    }
    #expect(try folder.bytes() == before)
  }
}
