import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Misused stores and models trap, with a message that says why.
@Suite struct StoreMistakeTests {
  @Test func `a configuration that the model lacks`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      try coordinator.addPersistentStore(type: .inMemory, configurationName: "Cats", at: nil)
    }
    #expect(said("The model has no configuration Cats.", result))
  }

  @Test func `a SQLite store without a URL`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      try coordinator.addPersistentStore(type: .sqlite, at: nil)
    }
    #expect(said("A SQLite store needs a URL.", result))
  }

  @Test func `the file of a store in memory`() async {
    let copy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = try Stack(.inMemory).container.persistentStoreCoordinator
      try coordinator.copy(coordinator.persistentStores[0], to: URL(filePath: "/nowhere"))
    }
    #expect(said("The store has no file.", copy))
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try PersistentStoreCoordinator.metadata(
        forPersistentStoreAt: URL(filePath: "/nowhere"), type: .inMemory)
    }
    #expect(said("An in-memory store has no URL.", read))
    let written = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try PersistentStoreCoordinator.setMetadata(
        [:], forPersistentStoreAt: URL(filePath: "/nowhere"), type: .inMemory)
    }
    #expect(said("An in-memory store has no URL.", written))
  }

  @Test func `the metadata of another coordinator's store`() async {
    let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = try Stack(.inMemory).container.persistentStoreCoordinator
      _ = try coordinator.metadata(for: Stack(.inMemory).container.persistentStore)
    }
    #expect(said("The store belongs to another coordinator.", read))
    let written = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = try Stack(.inMemory).container.persistentStoreCoordinator
      try coordinator.setMetadata(
        nil, forKey: "mine", of: Stack(.inMemory).container.persistentStore)
    }
    #expect(said("The store belongs to another coordinator.", written))
  }

  @Test func `objects assigned too late, or where they cannot be`() async {
    let related = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      let coordinator = stack.container.persistentStoreCoordinator
      let other = try coordinator.addPersistentStore(type: .inMemory, at: nil)
      let dog = try stack.dog("Fido")
      let walk = stack.walk(minutes: 1)
      walk.dog = dog
      stack.context.assign(walk, to: other)
    }
    #expect(
      said(
        "This Walk already has relationships, which cannot cross stores: assign it to a store first.",
        related))
    let lacking = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = ManagedObjectModel(
        entities: [EntityDescription(name: "A"), EntityDescription(name: "B")],
        configurations: ["OnlyB": ["B"]])
      let stack = try Stack(.inMemory, model: model)
      let other = try stack.container.persistentStoreCoordinator.addPersistentStore(
        type: .inMemory, configurationName: "OnlyB", at: nil)
      stack.context.assign(ManagedObject("A", in: stack.context), to: other)
    }
    #expect(said("The store has no entity A.", lacking))
  }

  @Test func `two entities with one name`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "A")])
    }
    #expect(said("Two entities are called A.", result))
  }

  @Test func `saving where all stores are read-only`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(.inMemory)
      _ = try stack.context.performReading { try stack.dog("Fido") }
    }
    #expect(said("Nothing can be saved in performReading.", result))
  }
}
