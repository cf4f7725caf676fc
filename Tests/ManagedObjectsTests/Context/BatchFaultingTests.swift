import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

@Suite struct BatchFaultingTests {
  /// The statements that a body runs on a stack's store.
  private func statements(of stack: Stack, _ body: () throws -> Void) throws -> [String] {
    let store = try #require(stack.container.persistentStore as? SQLiteStore)
    var heard: [String] = []
    store.connection.onStatement { heard.append($0) }
    defer { store.connection.onStatement { _ in } }
    try body()
    return heard
  }

  @Test(arguments: Stack.allTypes)
  func `many faults are read at once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: Array(1...1_200))
    let other = stack.anotherContext()
    let faults =
      dog.walks.map { other.object(with: $0.objectID) } + [other.object(with: dog.objectID)]
    func work() throws { try other.fireFaults(faults) }
    if type == .sqlite {
      #expect(try statements(of: stack, work).count == 2)
    } else {
      try work()
    }
    #expect(faults.allSatisfy { !$0.isFault })
    #expect((faults[1_199] as? Walk)?.duration == 72_000)
    #expect((faults[1_200] as? Dog)?.name == "Fido")
  }

  @Test(arguments: Stack.allTypes)
  func `a fault whose row is gone is handled like a single one`(type: PersistentStore.StoreType)
    throws
  {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10, 20])
    let other = stack.anotherContext()
    let faults = dog.walks.map { other.object(with: $0.objectID) }
    stack.context.delete(dog.walks[0])
    try stack.context.save()
    try other.fireFaults(faults)
    #expect(faults[0].managedObjectContext == nil && (faults[0] as? Walk)?.duration == nil)
    #expect((faults[1] as? Walk)?.duration == 1_200)
  }

  @Test(arguments: Stack.allTypes)
  func `a fault whose row is gone throws unless inaccessible faults are deleted`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    let other = stack.anotherContext()
    other.shouldDeleteInaccessibleFaults = false
    let fault = other.object(with: dog.objectID)
    stack.context.delete(dog)
    try stack.context.save()
    #expect(throws: PersistentStoreError.self) { try other.fireFaults([fault]) }
  }

  @Test(arguments: Stack.allTypes)
  func `the destinations of a to-one are read at once`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    for number in 0..<20 { try stack.dog("Dog \(number)", minutes: [number, number + 100]) }
    let other = stack.anotherContext()
    let walks = try other.fetch(Walk.fetchRequest())
    var dogs: [ManagedObject] = []
    var names: Set<String> = []
    func work() throws {
      dogs = try other.fireFaults(forRelationshipNamed: "dog", of: walks)
      names = Set(walks.compactMap { $0.dog?.name })
    }
    if type == .sqlite {
      #expect(try statements(of: stack, work).count == 1)
    } else {
      try work()
    }
    #expect(dogs.count == 20 && names.count == 20)
  }

  @Test func `a relationship fault is one query`() throws {
    let stack = try Stack()
    try stack.dog("Fido", minutes: [10, 20, 30])
    let other = stack.anotherContext()
    let dog = try #require(try other.fetch(Dog.fetchRequest()).first)
    #expect(dog.hasFault(forRelationshipNamed: "walks"))
    let heard = try statements(of: stack) { #expect(dog.minutes == [10, 20, 30]) }
    #expect(heard.count == 1)
    #expect(!dog.hasFault(forRelationshipNamed: "walks"))
    let heardThen = try statements(of: stack) { #expect(dog.walks.count == 3) }
    #expect(heardThen.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a to-one is a fault until its destination is read`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    let walk = try #require(try other.fetch(Walk.fetchRequest()).first)
    let dog = try #require(walk.dog)
    #expect(walk.hasFault(forRelationshipNamed: "dog"))
    _ = dog.name
    #expect(!walk.hasFault(forRelationshipNamed: "dog"))
    let new = Walk(context: other)
    #expect(!new.hasFault(forRelationshipNamed: "dog"))
    #expect(!Dog(context: other).hasFault(forRelationshipNamed: "walks"))
  }

  @Test(arguments: Stack.allTypes)
  func `registered objects are retained on request`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    try stack.dog("Fido", minutes: [10, 20])
    let other = stack.anotherContext()
    #expect(!other.retainsRegisteredObjects)
    other.retainsRegisteredObjects = true
    _ = try other.fetch(Walk.fetchRequest())
    #expect(other.registeredObjects.count == 2)
    other.delete(try other.fetch(Walk.fetchRequest())[0])
    _ = Walk(context: other)
    try? other.save()
    other.rollback()
    #expect(other.registeredObjects.count == 2)
    other.delete(try other.fetch(Walk.fetchRequest())[0])
    try other.save()
    #expect(other.registeredObjects.count == 1)
    other.retainsRegisteredObjects = false
    #expect(other.registeredObjects.isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `an object whose row is gone has zeros where a value is required`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido", minutes: [10])
    let other = stack.anotherContext()
    let gone = try #require(other.object(with: dog.objectID) as? Dog)
    let walk = try #require(other.object(with: dog.walks[0].objectID) as? Walk)
    stack.context.delete(dog)
    try stack.context.save()
    #expect(gone.name == "" && gone.nameKey == "" && gone.walks.isEmpty)
    #expect(walk.date == Date(timeIntervalSinceReferenceDate: 0) && walk.dog == nil)
  }

  @Test(arguments: Stack.allTypes)
  func `managed objects are identified by their IDs`(type: PersistentStore.StoreType) throws {
    let stack = try Stack(type)
    let dog = try stack.dog("Fido")
    func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    #expect(id(dog) == dog.objectID)
  }

  // MARK: Mistakes

  @Test func `firing a fault whose row is gone, where that is an error`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try Stack(.inMemory)
      let dog = try stack.dog("Fido")
      let other = stack.anotherContext()
      other.shouldDeleteInaccessibleFaults = false
      let fault = try #require(other.object(with: dog.objectID) as? Dog)
      stack.context.delete(dog)
      try stack.context.save()
      _ = fault.name
    }
    #expect(said("was deleted, so its values cannot be read.", result))
  }
}
