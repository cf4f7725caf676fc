import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct IdentityTests {
  @Test(arguments: Stack.allTypes)
  func `two fetches give the same object`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido")
    let other = stack.anotherContext()
    let first = try #require(try other.fetch(Dog.fetchRequest()).first)
    let second = try #require(try other.fetch(Dog.fetchRequest()).first)
    #expect(first === second)
  }

  @Test(arguments: Stack.allTypes)
  func `a to-one returns the object of a fetch`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    #expect(walk.dog === dog)
  }

  @Test(arguments: Stack.allTypes)
  func `a to-many holds the objects of a fetch`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20])
    let other = stack.anotherContext()
    let walks = try other.fetch(Walk.fetchRequest())
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    #expect(dog.walks.array == walks)
  }

  @Test(arguments: Stack.allTypes)
  func `an ID leads to the object of a fetch`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = stack.anotherContext()
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    #expect(other.object(with: id) === dog)
    #expect(try other.existingObject(with: id) === dog)
    #expect(other.registeredObject(for: id) === dog)
  }

  @Test(arguments: Stack.allTypes)
  func `a new object stays the same when it is saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    #expect(try stack.context.fetch(Dog.fetchRequest()).first === dog)
    #expect(dog.walks[0].dog === dog)
  }

  @Test(arguments: Stack.allTypes)
  func `two contexts have one object each for a row`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let otherDog = try #require(try other.fetch(Dog.fetchRequest()).first)
    #expect(otherDog !== dog)
    #expect(otherDog != dog)
    #expect(otherDog.objectID == dog.objectID)
    #expect(otherDog.managedObjectContext === other)
  }

  @Test(arguments: Stack.allTypes)
  func `a fetch leaves an existing object's values unchanged`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let otherDog = try #require(try other.fetch(Dog.fetchRequest()).first)
    dog.targetMinutes = 90
    try stack.context.save()
    _ = try other.fetch(Dog.fetchRequest())
    #expect(otherDog.targetMinutes == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `objects are equal only to themselves`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let one = stack.walk(minutes: 1)
    let two = stack.walk(minutes: 1)
    #expect(one == one)
    #expect(one != two)
    #expect(Set([one, two, one]).count == 2)
  }
}
