import DogWalkModel
import ManagedObjects
import Testing

/// Objects of entities known by name.
@Suite struct NamedEntityTests {
  @Test(arguments: Stack.allTypes)
  func `an object made with an entity's name has the entity's class`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack.kennel(type)
    let object = EntityDescription.insertNewObject(forEntityName: "Puppy", into: stack.context)
    let puppy = try #require(object as? Puppy)
    puppy.weeks = 9
    #expect(puppy.isInserted && stack.context.insertedObjects == [puppy])
    try stack.context.save()
    #expect(try stack.reread(Puppy.self).map(\.weeks) == [9])
  }

  @Test(arguments: Stack.allTypes)
  func `an entity is found by its name`(type: PersistentStore.StoreType) throws {
    let context = try Stack(type).context
    let walk = try #require(EntityDescription.entity(forEntityName: "Walk", in: context))
    #expect(Walk(context: context).entity.name == walk.name)
    #expect(EntityDescription.entity(forEntityName: "Flea", in: context) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `a relationship returns the IDs of its destinations`(type: PersistentStore.StoreType) throws
  {
    let stack = try Stack(type)
    let fido = try stack.dog("Fido", minutes: [30, 10, 20])
    let walks = fido.walks
    let context = stack.anotherContext()
    let same = try context.existingObject(with: fido.objectID)
    #expect(same.objectIDs(forRelationshipNamed: "walks") == walks.map(\.objectID))
    let walk = try context.existingObject(with: walks[0].objectID)
    #expect(walk.objectIDs(forRelationshipNamed: "dog") == [fido.objectID])
    walk.setValue(nil, forKey: "dog")
    #expect(walk.objectIDs(forRelationshipNamed: "dog").isEmpty)
    #expect(same.objectIDs(forRelationshipNamed: "walks").count == 2)
  }

  @Test func `a relationship that the entity lacks`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      _ = stack.walk(minutes: 1).objectIDs(forRelationshipNamed: "date")
    }
    #expect(said("Walk has no relationship date.", result))
  }
}
