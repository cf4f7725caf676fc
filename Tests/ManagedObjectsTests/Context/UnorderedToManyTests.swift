import ManagedObjects
import Testing

@Suite struct UnorderedToManyTests {
  /// A person with two pets, saved, and a third without an owner.
  private struct House {
    let stack: Stack
    let anna: Person
    let (fido, rex, tom): (Hound, Hound, Cat)

    init(_ type: PersistentStore.StoreType) throws {
      stack = try .kennel(type)
      let context = stack.context
      anna = Person(context: context)
      (fido, rex, tom) = (Hound(context: context), Hound(context: context), Cat(context: context))
      (anna.name, fido.name, rex.name, tom.name) = ("Anna", "Fido", "Rex", "Tom")
      anna.pets = [fido, rex]
      try context.save()
    }

    /// What another context finds, after a save.
    func saved() throws -> Set<String> {
      try stack.context.save()
      let anna = try #require(try stack.reread(Person.self).first { $0.name == "Anna" })
      #expect(anna.pets.allSatisfy { $0.owner === anna })
      return Set(anna.pets.compactMap(\.name))
    }
  }

  @Test(arguments: Stack.allTypes)
  func `assigning updates the other side`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    #expect(house.fido.owner === house.anna && house.tom.owner == nil)
    #expect(try house.saved() == ["Fido", "Rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `assigning other members removes the old ones`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    house.anna.pets = [house.rex, house.tom]
    #expect(house.fido.owner == nil && house.tom.owner === house.anna)
    #expect(try house.saved() == ["Rex", "Tom"])
  }

  @Test(arguments: Stack.allTypes)
  func `assigning an empty set removes all members`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    house.anna.pets = []
    #expect(house.fido.owner == nil)
    #expect(try house.saved() == [])
  }

  @Test(arguments: Stack.allTypes)
  func `members are added and removed one by one`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    house.anna.add(house.tom, to: Person.pets)
    house.anna.remove(house.fido, from: Person.pets)
    #expect(house.anna.pets == [house.rex, house.tom])
    #expect(try house.saved() == ["Rex", "Tom"])
  }

  @Test(arguments: Stack.allTypes)
  func `members are added and removed together`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    house.anna.add([house.tom, house.fido] as Set<Animal>, to: Person.pets)
    #expect(house.anna.pets == [house.fido, house.rex, house.tom])
    house.anna.remove([house.fido, house.rex] as Set<Animal>, from: Person.pets)
    #expect(try house.saved() == ["Tom"])
  }

  @Test(arguments: Stack.allTypes)
  func `the to-one moves a member`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    let bert = Person(context: house.stack.context)
    house.fido.owner = bert
    #expect(house.anna.pets == [house.rex])
    #expect(bert.pets == [house.fido])
    #expect(try house.saved() == ["Rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `rolling back restores the old members`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    house.anna.pets = [house.tom]
    house.stack.context.rollback()
    #expect(house.anna.pets == [house.fido, house.rex])
    #expect(house.tom.owner == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `deleting its owner keeps the members`(type: PersistentStore.StoreType) throws {
    let house = try House(type)
    house.stack.context.delete(house.anna)
    #expect(house.fido.owner == nil)
    try house.stack.context.save()
    #expect(try house.stack.reread(Animal.self).map { $0.owner == nil } == [true, true, true])
  }

  @Test(arguments: Stack.allTypes)
  func `changing only the set leaves its owner's row unchanged`(
    type: PersistentStore.StoreType
  ) throws {
    let house = try House(type)
    let other = house.stack.anotherContext()
    let otherAnna = try #require(try other.fetch(Person.fetchRequest()).first)
    house.anna.add(house.tom, to: Person.pets)
    try house.stack.context.save()
    otherAnna.name = "Anne"
    try other.save()
    #expect(try house.stack.reread(Person.self).map(\.name) == ["Anne"])
  }
}
