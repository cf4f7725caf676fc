import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// What is left of stores that come and go.
@Suite struct StoreTurnoverTests {
  private let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
  private let context: ManagedObjectContext

  init() { context = ManagedObjectContext(persistentStoreCoordinator: coordinator) }

  /// A store, its identity and an object, as long as somebody else holds them.
  private struct Remains {
    weak var store: PersistentStore?
    weak var identity: PersistentStoreIdentity?
    weak var dog: Dog?
  }

  /// Adds a store, has a dog in it, and removes it.
  private func round(with child: ManagedObjectContext? = nil) throws -> Remains {
    let store = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    dog.addToWalks(Walk(minutes: 1, in: context))
    try context.save()
    let fetched = try ManagedObjectContext(persistentStoreCoordinator: coordinator)
      .fetch(Dog.fetchRequest())
    #expect(fetched.count == 1)
    if let child { #expect(try child.fetch(Dog.fetchRequest()).count == 1) }
    try coordinator.remove(store)
    return Remains(store: store, identity: store.identity, dog: dog)
  }

  private func expectRemoved(_ attempt: () throws -> Void) {
    #expect {
      try attempt()
    } throws: { error in
      if case PersistentStoreError.removed = error { true } else { false }
    }
  }

  @Test func `stores that come and go leave nothing behind`() throws {
    let child = ManagedObjectContext(parent: context)
    var remains: [Remains] = []
    for _ in 0..<6 { remains.append(try round(with: child)) }
    let store = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    #expect(try context.count(for: Dog.fetchRequest()) == 0)
    #expect(try child.count(for: Dog.fetchRequest()) == 0)
    let count = store.bindings.count
    #expect(coordinator.entities.bindings.all.count == count)
    #expect(context.entities.count == count && child.entities.count == count)
    for one in remains { #expect(one.store == nil && one.identity == nil && one.dog == nil) }
  }

  @Test func `of removed stores only what says so is kept`() throws {
    let one = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    try coordinator.remove(one)
    // Nobody else has the entities.
    #expect(coordinator.entities.bindings.all.count == one.bindings.count)
    expectRemoved { _ = try context.fetch(Dog.fetchRequest()) }
    let other = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    #expect(coordinator.entities.bindings.all.allSatisfy { $0.store === other.identity })
    #expect(try context.fetch(Dog.fetchRequest()).isEmpty)
  }

  @Test func `objects of a removed store say so, whatever stores have come since`() throws {
    let store = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let dog = try Dog.findOrCreate(named: "Fido", in: context)
    dog.addToWalks(Walk(minutes: 1, in: context))
    try context.save()
    let id = dog.objectID
    try coordinator.remove(store)
    for _ in 0..<3 { _ = try round() }
    #expect(context.registeredObject(for: id) === dog && dog.name == "Fido")
    dog.name = "Rex"
    expectRemoved { try context.save() }
    context.rollback()
    try context.refresh(dog, mergeChanges: false)
    #expect(dog.walks.isEmpty)
    guard case PersistentStoreError.removed? = context.faultingError else {
      Issue.record("The list was read: \(String(describing: context.faultingError)).")
      return
    }
    context.rollback()
    // Another context has no such object.
    let other = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    #expect(other.registeredObject(for: id) == nil)
    expectRemoved { _ = try other.existingObject(with: id) }
  }

  @Test func `a parent keeps what its child still has objects of`() throws {
    let child = ManagedObjectContext(parent: context)
    let store = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let dog = try Dog.findOrCreate(named: "Fido", in: child)
    try child.save()
    try context.save()
    try coordinator.remove(store)
    for _ in 0..<2 { _ = try round() }
    dog.name = "Rex"
    expectRemoved {
      try child.save()
      try context.save()
    }
    #expect(dog.name == "Rex" && child.entities.count == context.entities.count)
  }
}
