import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Others' saves, as they arrive.
@Suite struct RemoteChangesTests {
  @Test(.timeLimit(.minutes(30)), arguments: TrackedStore.types)
  func `another's save is reported, one's own is not`(_ type: PersistentStore.StoreType)
    async throws
  {
    let store = try TrackedStore(type)
    let (container, other) = (try store.open(), try store.open())
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
    #expect(change.storeURL == store.url)
    #expect(change.storeUUID == container.persistentStore.identifier)
    let token = try #require(change.historyToken)
    #expect(try context.execute(.fetchHistory(after: token)).transactions.isEmpty)
    try context.mergeChanges(from: change.changes)
    #expect(try context.fetch(Dog.fetchRequest()).count == 2)
  }

  @Test(.timeLimit(.minutes(30)), arguments: TrackedStore.types)
  func `without a history anything may have changed`(_ type: PersistentStore.StoreType) async throws
  {
    let store = try TrackedStore(type)
    let (container, other) = (try store.open(history: false), try store.open(history: false))
    let changes = try container.persistentStoreCoordinator.remoteChanges(
      of: container.persistentStore)
    let context = other.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    var iterator = changes.makeAsyncIterator()
    let change = try #require(try await iterator.next())
    #expect(change.changes.isIncomplete && change.historyToken == nil)
  }

  @Test(.timeLimit(.minutes(30)), arguments: Stack.allTypes)
  func `the stream ends with its task, and with its store`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let stack = try Stack(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    let changes = try coordinator.remoteChanges(of: store)
    func following() -> Task<Bool, any Error> {
      Task.detached {
        var iterator = changes.makeAsyncIterator()
        return try await iterator.next() == nil
      }
    }
    // It is waiting by then, or will find that it has ended: the result is the same.
    func settle() async throws { try await Task.sleep(for: .milliseconds(50)) }
    var task = following()
    try await settle()
    task.cancel()
    #expect(try await task.value)
    task = following()
    try await settle()
    try coordinator.remove(store)
    #expect(try await task.value)
    #expect(try await following().value)
  }

  @Test(.timeLimit(.minutes(30)), arguments: TrackedStore.types)
  func `a waiting reader is notified that the coordinator was released`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let store = try TrackedStore(type)
    defer { withExtendedLifetime(store) {} }
    var container: PersistentContainer? = try store.open()
    let changes = try #require(
      try container?.persistentStoreCoordinator.remoteChanges(of: container!.persistentStore))
    let task = Task.detached {
      var iterator = changes.makeAsyncIterator()
      return try await iterator.next() == nil
    }
    try await Task.sleep(for: .milliseconds(50))
    container = nil
    #expect(try await task.value)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a store switched to another URL is followed there`() async throws {
    let store = try TrackedStore(.sqlite)
    defer { withExtendedLifetime(store) {} }
    let container = try store.open()
    let coordinator = container.persistentStoreCoordinator
    let elsewhere = try StoreFolder()
    try coordinator.copy(container.persistentStore, to: elsewhere.store)
    let changes = try coordinator.remoteChanges(of: container.persistentStore)
    let task = Task.detached {
      var iterator = changes.makeAsyncIterator()
      return try await iterator.next()?.changes.count
    }
    try await Task.sleep(for: .milliseconds(50))
    try coordinator.setURL(elsewhere.store, for: container.persistentStore)
    let other = try elsewhere.open { $0.tracksPersistentHistory = true }.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Fido", in: other)
    try other.save()
    #expect(try await task.value == 1)
  }

  @Test(.timeLimit(.minutes(30)), arguments: TrackedStore.types)
  func `where history was deleted, anything may have changed`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let store = try TrackedStore(type)
    let (container, other) = (try store.open(), try store.open())
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

  // MARK: Other types of stores

  @Test(.timeLimit(.minutes(30)), arguments: Stack.wholeTypes)
  func `others' saves into a document are reported, one's own are not`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let folder = try DocumentFolder(type: type)
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let other = try folder.open().newBackgroundContext()
    let reader = try RemoteChangeReader(
      coordinator.rowStore(container.persistentStore), of: coordinator)
    let changes = try coordinator.remoteChanges(of: container.persistentStore)
    let context = container.newBackgroundContext()
    let object = ManagedObject("Employee", in: context)
    object.setValue("Anna", forKey: "name")
    try context.save()
    guard case .nothing = try reader.look() else { throw Unexpected() }
    try other.all("Employee")[0].setValue("Anne", forKey: "name")
    try other.save()
    guard case .change(let change) = try reader.look() else { throw Unexpected() }
    #expect(change.changes.isIncomplete && change.historyToken == nil)
    #expect(change.storeURL == folder.url)
    #expect(change.storeUUID == container.persistentStore.identifier)
    guard case .nothing = try reader.look() else { throw Unexpected() }
    var iterator = changes.makeAsyncIterator()
    #expect(try await iterator.next() == change)
    try context.mergeChanges(from: change.changes)
    #expect(object.text("name") == "Anne")
  }

  @Test(arguments: Stack.allTypes.filter(\.isFile))
  func `a counter reports others' saves, and none of one's own`(
    _ type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    let reader = try RemoteChangeReader(coordinator.rowStore(store), of: coordinator)
    let before = try coordinator.changeCount(of: store)
    try stack.dog("Fido", minutes: [5])
    try coordinator.setMetadata(.string("here"), forKey: "Kept", of: store)
    try stack.context.performWriting { _ = try stack.context.count(for: Dog.fetchRequest()) }
    #expect(try coordinator.changeCount(of: store) == before)
    guard case .nothing = try reader.look() else { throw Unexpected() }
    let other = try stack.anotherContainer().newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Rex", in: other)
    try other.save()
    #expect(try coordinator.changeCount(of: store) != before)
    guard case .change(let change) = try reader.look() else { throw Unexpected() }
    #expect(change.changes.isIncomplete)
  }

  @Test(arguments: Stack.wholeTypes)
  func `a damaged document is an error until it is repaired`(
    _ type: PersistentStore.StoreType
  ) throws {
    let folder = try DocumentFolder(type: type)
    let container = try folder.open()
    let coordinator = container.persistentStoreCoordinator
    let context = container.newBackgroundContext()
    ManagedObject("Employee", in: context).setValue("Anna", forKey: "name")
    try context.save()
    let reader = try RemoteChangeReader(
      coordinator.rowStore(container.persistentStore), of: coordinator)
    let whole = try folder.bytes()
    try whole.dropLast(30).write(to: folder.file)
    for _ in 0..<2 {
      let error = #expect(throws: PersistentStoreError.self) { try reader.look() }
      guard case .malformedDocument = error else { throw try #require(error) }
    }
    try whole.write(to: folder.file)
    guard case .change = try reader.look() else { throw Unexpected() }
    guard case .nothing = try reader.look() else { throw Unexpected() }
  }

  @Test func `a store in memory reports no changes`() throws {
    let stack = try Stack(.inMemory)
    let coordinator = stack.container.persistentStoreCoordinator
    _ = try coordinator.remoteChanges(of: stack.container.persistentStore)
    let reader = try RemoteChangeReader(
      coordinator.rowStore(stack.container.persistentStore), of: coordinator)
    _ = try Dog.findOrCreate(named: "Fido", in: stack.context)
    try stack.context.save()
    guard case .nothing = try reader.look() else { throw Unexpected() }
  }

  private struct Unexpected: Error {}
}
