import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@Suite struct RegisteredObjectsTests {
  @Test(arguments: Stack.allTypes)
  func `unchanged objects are released when unused`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    var walks = try other.fetch(Walk.fetchRequest())
    #expect(other.registeredObjects == Set(walks))
    walks.removeLast(2)
    #expect(other.registeredObjects == Set(walks))
    walks = []
    #expect(other.registeredObjects.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a changed object stays until it is saved`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    try other.fetch(Walk.fetchRequest())[0].note = "wet"
    #expect(other.registeredObjects.count == 1)
    try other.save()
    #expect(other.registeredObjects.isEmpty)
    #expect(try stack.reread(Walk.self)[0].note == "wet")
  }

  @Test(arguments: Stack.allTypes)
  func `a changed object stays until it is rolled back`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    try other.fetch(Walk.fetchRequest())[0].note = "wet"
    other.rollback()
    #expect(other.registeredObjects.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `new and deleted objects stay until they are saved`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido")
    let other = stack.anotherContext()
    _ = try Dog.findOrCreate(named: "Rex", in: other)
    other.delete(try other.fetch(Dog.fetchRequest())[0])
    #expect(other.registeredObjects.count == 2)
    try other.save()
    #expect(other.registeredObjects.isEmpty)
    #expect(try stack.reread(Dog.self).map(\.name) == ["Rex"])
  }

  @Test(arguments: Stack.allTypes)
  func `an object retains the members of a list that was read`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20])
    let other = stack.anotherContext()
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    #expect(dog.walks.count == 2)
    #expect(other.registeredObjects.count == 3)
  }

  @Test(arguments: Stack.allTypes)
  func `thousands of objects are registered and released in any order`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: Array(1...2_000))
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let other = stack.anotherContext()
    var walks = try other.fetch(Walk.fetchRequest()).shuffled(using: &random)
    while !walks.isEmpty {
      walks.removeLast(min(walks.count, 97))
      let ids = Set(walks.map(\.objectID))
      try #require(Set(other.registeredObjects.map(\.objectID)) == ids, "seed \(seed)")
      try #require(
        walks.allSatisfy { other.registeredObject(for: $0.objectID) === $0 }, "seed \(seed)")
    }
  }

  // Dense keys are used as indexes directly, until some collide.
  @Test(arguments: Stack.allTypes)
  func `objects are found under dense keys, sparse keys and both at once`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    var random = SeededGenerator(seed: 5)
    let probe = try stack.dog("Fido")
    func id(_ key: Int64) -> ManagedObjectID {
      stack.container.persistentStoreCoordinator.managedObjectID(
        entityName: "Walk", primaryKey: key, in: stack.container.persistentStore)!
    }
    var objects: [Int64: ManagedObject] = [:]
    // The second thousand keys share the low bits of the first.
    let keys = Array(1...3_000) + Array(65_537...66_600) + [1 << 40, 1 << 41, 1 << 42] as [Int64]
    for key in keys {
      #expect(stack.context.registeredObject(for: id(key)) == nil)
      objects[key] = stack.context.object(with: id(key))
    }
    for round in 0..<2 {
      for key in keys.shuffled(using: &random).prefix(2_000) { objects[key] = nil }
      #expect(
        keys.allSatisfy { stack.context.registeredObject(for: id($0)) === objects[$0] },
        "round \(round)")
      for key in keys.shuffled(using: &random).prefix(1_000) where objects[key] == nil {
        objects[key] = stack.context.object(with: id(key))
      }
    }
    #expect(keys.allSatisfy { stack.context.registeredObject(for: id($0)) === objects[$0] })
    #expect(stack.context.registeredObject(for: probe.objectID) === probe)
  }

  @Test(arguments: Stack.allTypes)
  func `objects outlive their context, with their values`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    try stack.dog("Fido")
    var context: ManagedObjectContext? = stack.anotherContext()
    let dog = try #require(try context?.fetch(Dog.fetchRequest()).first)
    context = nil
    #expect(dog.managedObjectContext == nil)
    #expect(dog.name == "Fido")
  }
}
