import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct PermanentIDTests {
  @Test(arguments: Stack.allTypes)
  func `a new object can have its permanent ID before it is saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    let (one, two) = (stack.walk(minutes: 20), stack.walk(minutes: 30))
    dog.addToWalks(one)
    dog.addToWalks(two)
    try stack.context.obtainPermanentIDs(for: [one, two])
    let ids = [one.objectID, two.objectID]
    #expect(ids.map(\.primaryKey) == [type.secondKey, type.secondKey + 1] && one.isInserted)
    #expect(stack.context.registeredObject(for: ids[0]) === one && one.dog === dog)
    #expect(throws: PersistentStoreError.self) {
      try stack.anotherContext().existingObject(with: ids[0])
    }
    try stack.context.save()
    #expect([one.objectID, two.objectID] == ids && !one.hasChanges)
    #expect(try stack.reread(Dog.self)[0].minutes == [10, 20, 30])
    if type == .sqlite, StoreChecker.isAvailable {
      #expect(try StoreChecker.check(stack.url) == "0 differences, 5 entities\n")
    }
  }

  @Test(arguments: Stack.allTypes)
  func `objects that refer to it are updated`(type: PersistentStore.StoreType) throws {
    let stack = try Stack.kennel(type)
    let person = Person(context: stack.context)
    let cat = Cat(context: stack.context)
    cat.owner = person
    person.favourite = cat
    try stack.context.obtainPermanentIDs(for: [person])
    #expect(cat.owner === person && person.pets == [cat])
    try stack.context.obtainPermanentIDs(for: [cat, person])
    #expect(person.favourite === cat)
    let ids = [cat.objectID, person.objectID]
    try stack.context.save()
    #expect([cat.objectID, person.objectID] == ids)
    let reread = try stack.reread(Person.self)
    #expect(reread.count == 1 && reread[0].favourite is Cat && reread[0].pets.count == 1)
  }

  @Test(arguments: Stack.allTypes)
  func `an unused ID is not assigned again`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let walk = stack.walk(minutes: 10)
    try stack.context.obtainPermanentIDs(for: [walk])
    let id = walk.objectID
    stack.context.rollback()
    let other = stack.walk(minutes: 20)
    dog.addToWalks(other)
    try stack.context.save()
    #expect(other.objectID != id && other.objectID.primaryKey == type.secondKey)
    #expect(stack.context.registeredObject(for: id) == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `two contexts that obtain IDs at once get different ones`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let walk = stack.walk(minutes: 10)
    let otherWalk = stack.walk(minutes: 20, in: other)
    try stack.context.obtainPermanentIDs(for: [walk])
    try other.obtainPermanentIDs(for: [otherWalk])
    #expect(walk.objectID != otherWalk.objectID)
    otherWalk.dog = other.object(with: dog.objectID) as? Dog
    try other.save()
    dog.addToWalks(walk)
    try stack.context.save()
    #expect(try stack.reread(Dog.self)[0].minutes == [20, 10])
  }

  @Test(arguments: Stack.allTypes)
  func `an object deleted before it was saved leaves no trace`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack.kennel(type)
    let person = Person(context: stack.context)
    let cat = Cat(context: stack.context)
    person.favourite = cat
    try stack.context.obtainPermanentIDs(for: [cat, person])
    stack.context.delete(cat)
    try stack.context.save()
    #expect(try stack.reread(Animal.self).isEmpty)
    #expect(try stack.reread(Person.self).map(\.favourite) == [nil])
  }

  @Test(arguments: Stack.allTypes)
  func `it works in a child, and for objects that only its parent has`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let child = ManagedObjectContext(parent: stack.context)
    let childDog = try #require(child.object(with: dog.objectID) as? Dog)
    let one = Walk(minutes: 10, in: child)
    childDog.addToWalks(one)
    try child.save()
    let two = Walk(minutes: 20, in: child)
    childDog.addToWalks(two)
    try child.obtainPermanentIDs(for: [one, two])
    #expect(!one.objectID.isTemporaryID && !two.objectID.isTemporaryID)
    #expect(dog.walks[0].objectID == one.objectID && dog.walks[0].isInserted)
    let ids = [one.objectID, two.objectID]
    try child.save()
    try stack.context.save()
    #expect(dog.walks.map(\.objectID) == ids && [one.objectID, two.objectID] == ids)
  }

  @Test func `a read-only store assigns none`() throws {
    let folder = try StoreFolder()
    try folder.save("Fido")
    let container = try folder.open { $0.isReadOnly = true }
    let context = container.newBackgroundContext()
    let walk = Walk(minutes: 10, in: context)
    #expect(throws: PersistentStoreError.self) { try context.obtainPermanentIDs(for: [walk]) }
    #expect(walk.objectID.isTemporaryID)
  }
}
