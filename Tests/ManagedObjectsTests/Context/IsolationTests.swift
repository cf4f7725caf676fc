import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// What may leave a context's isolation, and that nothing else may.
@Suite struct IsolationTests {
  // MARK: At run time

  @Test(arguments: Stack.allTypes)
  func `a background task returns its result`(type: PersistentStore.StoreType) async throws {
    let stack = try Stack(type)
    let id = try await stack.container.performBackgroundTask { context in
      let dog = try Dog.findOrCreate(named: "Fido", in: context)
      try context.save()
      return dog.objectID
    }
    #expect(try stack.context.existingObject(with: id).objectID == id)
  }

  @Test func `an error in a background task is rethrown, and unsaved changes are discarded`()
    async throws
  {
    let stack = try Stack(.inMemory)
    await #expect(throws: CancellationError.self) {
      try await stack.container.performBackgroundTask { context in
        _ = try Dog.findOrCreate(named: "Fido", in: context)
        throw CancellationError()
      }
    }
    #expect(try stack.reread(Dog.self).isEmpty)
  }

  @Test(arguments: Stack.allTypes)
  func `a background context keeps its objects`(type: PersistentStore.StoreType) async throws {
    let stack = try Stack(type)
    let background = BackgroundContext(stack.container)
    let id = try await background.perform { context in
      let dog = try Dog.findOrCreate(named: "Fido", in: context)
      return dog.objectID
    }
    #expect(id.isTemporaryID)
    let isKnown = await background.perform { $0.registeredObject(for: id)?.isInserted }
    #expect(isKnown == true)
    try await background.perform { try $0.save() }
    #expect(try stack.reread(Dog.self).map(\.name) == ["Fido"])
  }

  @Test(arguments: Stack.allTypes)
  func `saves are reported as IDs, in order`(type: PersistentStore.StoreType) async throws {
    let stack = try Stack(type)
    let saves = stack.container.persistentStoreCoordinator.saves()
    let dog = try stack.dog("Fido", minutes: [10])
    dog.targetMinutes = 30
    try stack.context.save()
    stack.context.delete(dog)
    try stack.context.save()
    var iterator = saves.makeAsyncIterator()
    let first = await iterator.next()
    #expect(Set(first?.inserted.map(\.entity.name) ?? []) == ["Dog", "Walk"])
    let second = await iterator.next()
    #expect(second == ChangedObjectIDs(updated: [dog.objectID]))
    #expect(await iterator.next()?.deleted.count == 2)
  }

  @Test(arguments: Stack.allTypes)
  func `a waiting reader receives a save made elsewhere`(type: PersistentStore.StoreType)
    async throws
  {
    let stack = try Stack(type)
    let saves = stack.container.persistentStoreCoordinator.saves()
    let listener = Task { @concurrent in
      var count = 0
      for await changes in saves {
        count += changes.inserted.count
        if count >= 20 { break }
      }
      return count
    }
    let container = stack.container
    await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          try await container.performBackgroundTask { context in
            _ = try Dog.findOrCreate(named: "Dog \(number)", in: context)
            try context.save()
          }
        }
      }
    }
    #expect(await listener.value == 20)
  }

  @Test func `the stream of saves ends with its coordinator`() async throws {
    var stack: Stack? = try Stack(.inMemory)
    let saves = try #require(stack).container.persistentStoreCoordinator.saves()
    try stack?.dog("Fido")
    stack = nil
    var count = 0
    for await changes in saves { count += changes.inserted.count }
    #expect(count == 1)
  }

  @Test func `the stream of saves ends when its reader is cancelled`() async throws {
    let stack = try Stack(.inMemory)
    let saves = stack.container.persistentStoreCoordinator.saves()
    let listener = Task { @concurrent in for await _ in saves {} }
    listener.cancel()
    await listener.value
  }

  @Test(arguments: Stack.allTypes)
  func `a context's events are reported as IDs`(type: PersistentStore.StoreType) async throws {
    let stack = try Stack(type)
    let events = stack.context.objectIDs(of: .objectsDidChange)
    let dog = try stack.dog("Fido")
    dog.targetMinutes = 30
    stack.context.processPendingChanges()
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.inserted.allSatisfy(\.isTemporaryID) == true)
    #expect(await iterator.next() == ChangedObjectIDs(updated: [dog.objectID]))
  }

  @Test func `a slow reader learns that anything may have changed`() async throws {
    let stack = try Stack(.inMemory)
    let saves = stack.container.persistentStoreCoordinator.saves()
    for round in 0..<3 {
      try stack.dog("Dog \(round)", minutes: Array(0..<9_000))
    }
    var iterator = saves.makeAsyncIterator()
    #expect(await iterator.next()?.isIncomplete == true)
    #expect(await iterator.next()?.inserted.count == 9_001)
  }

  // MARK: At compile time

  /// What the compiler says about code that uses dogs and walks.
  private func complaints(about source: String) throws -> String {
    try SwiftChecker.complaints(
      about: ["import DogWalkModel\nimport ManagedObjects\n\(source)\n"], depth: .isolation)
  }

  @Test(
    .enabled(if: SwiftChecker.exists, "there is no swiftc"),
    arguments: [
      """
      func count(_ container: PersistentContainer) async throws -> Int {
        try await container.performBackgroundTask { context in
          try context.count(for: Walk.fetchRequest())
        }
      }
      """,
      """
      @MainActor func show(_ container: PersistentContainer) throws -> [String] {
        try container.viewContext.fetch(Dog.fetchRequest()).map(\\.name)
      }
      """,
      """
      actor Importer {
        private let context: ManagedObjectContext
        private var last: Dog?
        init(_ container: PersistentContainer) { context = container.newBackgroundContext() }
        func add(_ name: String) throws -> ManagedObjectID {
          let dog = try Dog.findOrCreate(named: name, in: context)
          last = dog
          try context.save()
          return dog.objectID
        }
      }
      """,
      """
      func watch(_ container: PersistentContainer, _ background: BackgroundContext) {
        let saves = container.persistentStoreCoordinator.saves()
        Task {
          for await changes in saves {
            try await background.perform { try $0.mergeChanges(from: changes) }
          }
        }
      }
      """,
    ])
  func `isolated or Sendable uses compile`(source: String) throws {
    #expect(try complaints(about: source) == "")
  }

  @Test(
    .enabled(if: SwiftChecker.exists, "there is no swiftc"),
    arguments: [
      // An object returned from a background task.
      """
      func leak(_ container: PersistentContainer) async throws -> Walk? {
        try await container.performBackgroundTask { context in
          try context.fetch(Walk.fetchRequest()).first
        }
      }
      """,
      // The context itself.
      """
      func leak(_ background: BackgroundContext) async -> ManagedObjectContext {
        await background.perform { $0 }
      }
      """,
      // A main-actor object in another task.
      """
      @MainActor func leak(_ container: PersistentContainer) throws {
        let dog = try container.viewContext.fetch(Dog.fetchRequest())[0]
        Task.detached { print(dog.name) }
      }
      """,
      // A main-actor object in a background context.
      """
      @MainActor func leak(_ container: PersistentContainer, _ other: BackgroundContext) async {
        let walk = Walk(context: container.viewContext)
        await other.perform { $0.delete(walk) }
      }
      """,
      // An object that an actor returns to its callers.
      """
      actor Importer {
        private let context: ManagedObjectContext
        init(_ container: PersistentContainer) { context = container.newBackgroundContext() }
        func first() throws -> Dog? { try context.fetch(Dog.fetchRequest()).first }
      }
      func leak(_ importer: Importer) async throws -> Dog? { try await importer.first() }
      """,
    ])
  func `an object that leaves its context's isolation does not compile`(source: String) throws {
    let complaints = try self.complaints(about: source)
    #expect(complaints.contains("error:"))
    #expect(
      complaints.contains("Sendable") || complaints.contains("data race")
        || complaints.contains("sending"), "\(complaints)")
  }
}
