import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct FaultTests {
  @Test(arguments: Stack.allTypes)
  func `an object from an ID is a fault until a value is read`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = stack.anotherContext()
    let dog = try #require(other.object(with: id) as? Dog)
    #expect(dog.isFault)
    #expect(dog.name == "Fido")
    #expect(!dog.isFault)
  }

  @Test(arguments: Stack.allTypes)
  func `the object at the end of a to-one is a fault`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    let dog = try #require(walk.dog)
    #expect(dog.isFault)
    #expect(dog.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `a fetch reads the values too`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    #expect(!walk.isFault)
  }

  @Test(arguments: Stack.allTypes)
  func `a fetch fills an existing fault`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = stack.anotherContext()
    let fault = other.object(with: id)
    _ = try other.fetch(Dog.fetchRequest())
    #expect(!fault.isFault)
  }

  @Test(arguments: Stack.allTypes)
  func `a fault reads its row once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let fault = try #require(other.object(with: dog.objectID) as? Dog)
    #expect(fault.targetMinutes == nil)
    dog.targetMinutes = 90
    try stack.context.save()
    #expect(fault.targetMinutes == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `an existing object is returned with its values`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let id = try stack.dog("Fido").objectID
    let other = stack.anotherContext()
    #expect(try !other.existingObject(with: id).isFault)
  }

  @Test(arguments: Stack.allTypes)
  func `a fault whose row is gone has no values and leaves its context`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let fault = try #require(other.object(with: dog.objectID) as? Dog)
    stack.context.delete(dog)
    try stack.context.save()
    #expect(fault.targetMinutes == nil)
    #expect(!fault.isFault)
    #expect(fault.managedObjectContext == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `deleting a fault whose row is gone does nothing`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let fault = other.object(with: dog.objectID)
    stack.context.delete(dog)
    try stack.context.save()
    other.delete(fault)
    #expect(!other.hasChanges)
  }

  @Test(arguments: Stack.allTypes)
  func `an object whose row is gone does not exist`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let id = dog.objectID
    stack.context.delete(dog)
    try stack.context.save()
    let error = #expect(throws: PersistentStoreError.self) {
      try stack.anotherContext().existingObject(with: id)
    }
    #expect(error?.description == "There is no row for \(id).")
  }

  @Test(arguments: Stack.allTypes)
  func `an object whose row was found to be gone does not exist`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    let fault = try #require(other.object(with: dog.objectID) as? Dog)
    stack.context.delete(dog)
    try stack.context.save()
    #expect(fault.targetMinutes == nil)
    #expect(throws: PersistentStoreError.self) { try other.existingObject(with: fault.objectID) }
  }

  @Test(arguments: Stack.allTypes)
  func `an object about to be deleted does not exist`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    stack.context.delete(dog)
    #expect(throws: PersistentStoreError.self) {
      try stack.context.existingObject(with: dog.objectID)
    }
  }

  @Test(arguments: Stack.allTypes)
  func `a new object exists before it is saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let walk = stack.walk(minutes: 10)
    #expect(try stack.context.existingObject(with: walk.objectID) === walk)
  }

  @Test(arguments: Stack.allTypes)
  func `a temporary ID of another context identifies no object`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    let walk = stack.walk(minutes: 10)
    let other = stack.anotherContext()
    #expect(other.registeredObject(for: walk.objectID) == nil)
    #expect(throws: PersistentStoreError.self) { try other.existingObject(with: walk.objectID) }
  }
}
