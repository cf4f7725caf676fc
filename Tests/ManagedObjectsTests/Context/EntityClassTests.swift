import DogWalkModel
import ManagedObjects
import Testing

/// What entities know about their classes and properties.
@Suite struct EntityClassTests {
  @Test(arguments: Stack.allTypes)
  func `an object made from its entity has the entity's class`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let context = stack.context
    let objects = [
      ManagedObject(entity: Kennel.cat, insertInto: context),
      Animal(entity: Kennel.puppy, insertInto: context),
      Hound(entity: Kennel.hound, insertInto: context),
      EntityDescription.insertNewObject(forEntityName: "Puppy", into: context),
    ]
    #expect(objects.map { "\(Swift.type(of: $0))" } == ["Cat", "Puppy", "Hound", "Puppy"])
    #expect(objects.allSatisfy(\.isInserted) && context.insertedObjects == Set(objects))
    objects[0].setValue("Tom", forKey: "name")
    try context.save()
    #expect(
      try stack.reread(Animal.self).map { "\(Swift.type(of: $0))" }.sorted() == [
        "Cat", "Hound", "Puppy", "Puppy",
      ])
    #expect(try stack.reread(Cat.self)[0].name == "Tom")
  }

  @Test func `an entity returns its properties by name, inherited ones included`() throws {
    let model = Kennel.model
    let puppy = try #require(model.entitiesByName["Puppy"])
    #expect(puppy.propertiesByName.keys.sorted() == ["call", "collar", "name", "owner", "weeks"])
    #expect(puppy.attributesByName.keys.sorted() == ["call", "name", "weeks"])
    #expect(puppy.attributesByName["weeks"]?.type == .integer32)
    #expect(puppy.relationshipsByName.keys.sorted() == ["collar", "owner"])
    #expect(puppy.properties.count == 1)
    #expect(Kennel.puppy.propertiesByName.keys.sorted() == ["weeks"])
    // Inherited properties do not affect equality.
    #expect(puppy == Kennel.puppy && Set([puppy, Kennel.puppy]).count == 1)
    let stack = try Stack.kennel(.inMemory)
    #expect(Puppy(context: stack.context).entity.attributesByName["name"]?.type == .string)
    #expect(Puppy(context: stack.context).objectID.entity.relationshipsByName.count == 2)
  }

  @Test func `a redeclared property replaces the inherited one`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "B", superentityName: "A", properties: [.value("x", .string)]),
      EntityDescription(name: "A", properties: [.value("x", .integer16), .value("y", .date)]),
      EntityDescription(name: "C", superentityName: "D", properties: [.value("z", .date)]),
      EntityDescription(name: "E", superentityName: "E"),
    ])
    #expect(model.entitiesByName["B"]?.attributesByName["x"]?.type == .string)
    #expect(model.entitiesByName["B"]?.attributesByName["y"]?.type == .date)
    #expect(model.entitiesByName["C"]?.attributesByName.keys.sorted() == ["z"])
    #expect(model.entitiesByName["E"]?.propertiesByName.isEmpty == true)
    let merged = try ManagedObjectModel(byMerging: [model, Kennel.model])
    #expect(merged.entitiesByName["B"]?.attributesByName.count == 2)
  }
}
