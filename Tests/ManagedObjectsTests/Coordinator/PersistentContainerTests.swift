import DogWalkModel
import Foundation
import ManagedObjects
import Testing

@Suite struct PersistentContainerTests {
  @Test func `without a URL the store is in memory`() throws {
    let container = try PersistentContainer(name: "Log", model: .dogWalk, storeURL: nil)
    #expect(container.name == "Log")
    #expect(container.persistentStore.type == .inMemory)
    #expect(container.persistentStore.url == nil)
    #expect(
      container.managedObjectModel.entitiesByName.keys.sorted()
        == ["Dog", "Tag", "Track", "Walk", "Walker"])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test func `with a URL the store is in that file`() throws {
    let stack = try Stack()
    #expect(stack.container.persistentStore.type == .sqlite)
    #expect(stack.container.persistentStore.url == stack.url)
    #expect(FileManager.default.fileExists(atPath: stack.url.path))
  }

  @Test func `a store has a UUID of its own, and keeps it`() throws {
    let (stack, other) = (try Stack(), try Stack())
    let identifier = stack.container.persistentStore.identifier
    #expect(UUID(uuidString: identifier)?.uuidString == identifier)
    #expect(other.container.persistentStore.identifier != identifier)
    #expect(try stack.anotherContainer().persistentStore.identifier == identifier)
  }

  @MainActor @Test func `the main actor has one view context`() throws {
    let stack = try Stack(.inMemory)
    let context = stack.container.viewContext
    #expect(stack.container.viewContext === context)
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    #expect(try stack.reread(Dog.self).map(\.name) == ["Fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `many contexts work concurrently`(type: PersistentStore.StoreType) async throws {
    let stack = try Stack(type)
    let container = stack.container
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask { @concurrent in
          let context = container.newBackgroundContext()
          for round in 0..<10 {
            let dog = try Dog.findOrCreate(named: "Dog \((number + round) % 3)", in: context)
            let walk = Walk(context: context)
            walk.date = Date(timeIntervalSinceReferenceDate: Double(round))
            dog.addToWalks(walk)
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let dogs = try stack.reread(Dog.self)
    #expect(dogs.map(\.nameKey).sorted() == ["dog 0", "dog 1", "dog 2"])
    #expect(dogs.reduce(0) { $0 + $1.walks.count } == 80)
  }

  // MARK: Mistakes

  @Test func `a SQLite store without a URL`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      try coordinator.addPersistentStore(type: .sqlite, at: nil)
    }
    #expect(said("A SQLite store needs a URL.", result))
  }
}
