import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// The saves of others, as they come.
@Suite struct RemoteChangesTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func open(history: Bool = true) throws -> PersistentContainer {
    try folder.open { $0.tracksPersistentHistory = history }
  }

  @Test(.timeLimit(.minutes(10)))
  func `another's save is told, one's own is not`() async throws {
    // So it is noticed within a second, whatever else the machine has to do meanwhile.
    #expect(RemoteChangeReader.interval <= .milliseconds(500))
    let (container, other) = (try open(), try open())
    let changes = try container.persistentStoreCoordinator.remoteChanges(
      of: container.persistentStore)
    let context = container.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    let writer = Task.detached { () -> ManagedObjectID in
      try await Task.sleep(for: .milliseconds(400))
      let context = other.newBackgroundContext()
      let dog = try Dog.findOrCreate(named: "Fido", in: context)
      try context.save()
      return dog.objectID
    }
    var iterator = changes.makeAsyncIterator()
    let change = try #require(try await iterator.next())
    let saved = try await writer.value
    #expect(change.changes == ChangedObjectIDs(inserted: [saved]))
    #expect(change.storeURL == folder.store)
    #expect(change.storeUUID == container.persistentStore.identifier)
    let token = try #require(change.historyToken)
    #expect(try context.execute(.fetchHistory(after: token)).transactions.isEmpty)
    try context.mergeChanges(from: change.changes)
    #expect(try context.fetch(Dog.fetchRequest()).count == 2)
  }

  @Test(.timeLimit(.minutes(10)))
  func `without a history anything may have changed`() async throws {
    let (container, other) = (try open(history: false), try open(history: false))
    let changes = try container.persistentStoreCoordinator.remoteChanges(
      of: container.persistentStore)
    let context = other.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    var iterator = changes.makeAsyncIterator()
    let change = try #require(try await iterator.next())
    #expect(change.changes.isIncomplete && change.historyToken == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `it ends with its task, and with the coordinator`() async throws {
    var container: PersistentContainer? = try open()
    let changes = try #require(
      try container?.persistentStoreCoordinator.remoteChanges(of: container!.persistentStore))
    let task = Task.detached {
      var iterator = changes.makeAsyncIterator()
      return try await iterator.next() == nil
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(try await task.value)
    container = nil
    var iterator = changes.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `where the history between was deleted, anything may have changed`() async throws {
    let (container, other) = (try open(), try open())
    let changes = try container.persistentStoreCoordinator.remoteChanges(
      of: container.persistentStore)
    let context = other.newBackgroundContext()
    for name in ["Fido", "Rex"] {
      _ = try Dog.findOrCreate(named: name, in: context)
      try context.save()
    }
    try context.execute(.deleteHistory(before: nil))
    var iterator = changes.makeAsyncIterator()
    #expect(try #require(try await iterator.next()).changes.isIncomplete)
  }
}
