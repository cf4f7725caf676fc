import DataModel
import Testing

@testable import ManagedObjects

@Suite struct TransientRelationshipTests {
  private static func transient(
    _ name: String, _ entity: String, back: String, _ count: Int
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destinationEntityName: entity, inverseName: back, isOptional: true,
        isTransient: true, maxCount: count))
  }

  @Test(arguments: Stack.allTypes)
  func `transient relationships are kept consistent in memory, and never stored`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog",
          properties: [.value("name", .string), Self.transient("guests", "Flea", back: "host", 0)]),
        EntityDescription(
          name: "Flea",
          properties: [.value("size", .double), Self.transient("host", "Dog", back: "guests", 1)]),
      ]))
    let dog = ManagedObject("Dog", in: stack.context)
    let flea = ManagedObject("Flea", in: stack.context)
    let (guests, host) = (PropertySlot(-1, "guests"), PropertySlot(-1, "host"))
    dog.setUnorderedToMany(Set([flea]), at: guests)
    #expect(flea.toOne(at: host) == Optional(dog))
    try stack.context.save()
    #expect(flea.toOne(at: host) == Optional(dog))
    #expect(dog.unorderedToMany(at: guests) == Set([flea]))

    let context = stack.anotherContext()
    let sameDog = try context.existingObject(with: dog.objectID)
    let sameFlea = try context.existingObject(with: flea.objectID)
    #expect(sameFlea.toOne(at: host) == ManagedObject?.none)
    #expect((sameDog.unorderedToMany(at: guests) as Set<ManagedObject>).isEmpty)
  }

  // A subentity's own stored properties come before the transient ones it inherits.
  @Test(arguments: Stack.allTypes)
  func `subentities inherit transient relationships`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(
      type,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog",
          properties: [
            .value("name", .string), .toMany("walks", "Walk", back: "dog"),
            Self.transient("guests", "Flea", back: "host", 0),
            Self.transient("friend", "Dog", back: "friend", 1),
          ]),
        EntityDescription(
          name: "Puppy", superentityName: "Dog",
          properties: [.value("age", .double), .toMany("toys", "Toy", back: "puppy")]),
        EntityDescription(name: "Walk", properties: [.toOne("dog", "Dog", back: "walks")]),
        EntityDescription(name: "Toy", properties: [.toOne("puppy", "Puppy", back: "toys")]),
        EntityDescription(
          name: "Flea",
          properties: [.value("size", .double), Self.transient("host", "Dog", back: "guests", 1)]),
        EntityDescription(
          name: "Tick", superentityName: "Flea", properties: [.value("thirst", .double)]),
      ]))
    let (guests, host, friend) = (
      PropertySlot(-1, "guests"), PropertySlot(-1, "host"), PropertySlot(-1, "friend")
    )
    let (dog, puppy, tick) = (
      ManagedObject("Dog", in: stack.context), ManagedObject("Puppy", in: stack.context),
      ManagedObject("Tick", in: stack.context)
    )
    puppy.setOptionalValue(1.5, at: PropertySlot(-1, "age"))
    tick.setOptionalValue(9.0, at: PropertySlot(-1, "thirst"))
    let toy = ManagedObject("Toy", in: stack.context)
    toy.setToOne(puppy, at: PropertySlot(-1, "puppy"))
    tick.setToOne(puppy, at: host)
    dog.setToOne(puppy, at: friend)
    func isAsSet() -> Bool {
      puppy.toOne(at: friend) == Optional(dog) && dog.toOne(at: friend) == Optional(puppy)
        && puppy.unorderedToMany(at: guests) == Set([tick])
        && puppy.unorderedToMany(at: PropertySlot(-1, "toys")) == Set([toy])
        && puppy.optionalValue(at: PropertySlot(-1, "age")) == 1.5
        && tick.optionalValue(at: PropertySlot(-1, "thirst")) == 9.0
    }
    #expect(isAsSet())
    try stack.context.save()
    #expect(isAsSet())
    tick.setToOne(dog, at: host)
    #expect((puppy.unorderedToMany(at: guests) as Set<ManagedObject>).isEmpty)
    #expect(dog.unorderedToMany(at: guests) == Set([tick]))
    stack.context.delete(puppy)
    #expect(dog.toOne(at: friend) == ManagedObject?.none)
    try stack.context.save()
    let same = try stack.anotherContext().existingObject(with: tick.objectID)
    #expect(same.optionalValue(at: PropertySlot(-1, "thirst")) == 9.0)
  }
}
