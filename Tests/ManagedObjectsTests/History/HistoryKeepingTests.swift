import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Which stores keep a history, and which refuse to.
@Suite struct HistoryKeepingTests {
  @Test(arguments: TrackedStore.types)
  func `a store with a history opened without one is read-only, and says why`(
    _ type: PersistentStore.StoreType
  ) throws {
    let store = try TrackedStore(type)
    do {
      let context = try store.open().newBackgroundContext()
      _ = try Dog.findOrCreate(named: "Fido", in: context)
      try context.save()
    }
    func state() throws -> [[String]] {
      try store.changes() + store.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZDOG")
        + store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    }
    let before = (try state(), try store.bytes())
    do {
      let container = try store.open(history: false)
      #expect(container.persistentStore.isReadOnly)
      let context = container.newBackgroundContext()
      try context.fetch(Dog.fetchRequest()).first?.name = "Rex"
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .cannotWrite(store.url, .persistentHistory) = error else {
        throw try #require(error)
      }
      #expect(throws: PersistentStoreError.self) {
        try context.execute(.deleteHistory(before: nil))
      }
      #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 1)
    }
    #expect(try store.bytes() == before.1)
    #expect(try state() == before.0)
    let context = try store.open().newBackgroundContext()
    try context.fetch(Dog.fetchRequest()).first?.name = "Rex"
    try context.save()
    #expect(try store.changes(after: 1).count == 1)
  }

  @Test(arguments: TrackedStore.types)
  func `a store without a history reports that`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
    let container = try store.open(history: false)
    let context = container.newBackgroundContext()
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    #expect(try context.execute(request).transactions.isEmpty)
    #expect(try container.persistentStoreCoordinator.currentPersistentHistoryToken() == nil)
    request.affectedStores = [container.persistentStore]
    #expect(throws: PersistentHistoryError.self) { try context.execute(request) }
  }

  @Test(arguments: TrackedStore.types)
  func `a malformed history is refused`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
    try store.save("Fido", history: false)
    try store.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)")
    let error = #expect(throws: PersistentStoreError.self) { try store.open() }
    switch error {
    case .corrupt, .serverFailed(_, "XX001", _): break
    default: throw try #require(error)
    }
  }

  @Test func `a store switched to another URL keeps its history there`() throws {
    let store = try TrackedStore(.sqlite)
    let container = try store.open()
    let coordinator = container.persistentStoreCoordinator
    let context = container.newBackgroundContext()
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let new = store.url.deletingLastPathComponent().appending(path: "Elsewhere.sqlite")
    try coordinator.copy(container.persistentStore, to: new)
    try coordinator.setURL(new, for: container.persistentStore)
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    let count = "SELECT count(*) FROM ACHANGE"
    #expect(try SQLiteFile(new).column(count) == ["2"])
    #expect(try SQLiteFile(store.url).column(count) == ["1"])
    #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 2)
    // Its own saves are not reported to it.
    #expect(try SQLiteFile(new).column("SELECT ZNAME FROM ZDOG") == ["Fido", "Rex"])
  }

  @Test(arguments: [true, false])
  func `a CloudKit store gets inserts and updates, by an author, and no deletions`(
    history: Bool
  ) throws {
    let store = try TrackedStore(.sqlite)
    _ = try store.open()
    try store.execute("CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY)")
    #expect(throws: PersistentStoreError.self) { try store.open() }
    // A caller who insists need not ask for the history as well.
    let context = try store.open(history: history) { $0.ignoredObstacles = [.cloudKit] }
      .newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    fido.name = "Fidelio"
    try context.save()
    let transactions = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(transactions.map { $0.author != nil } == [true, true])
    #expect(transactions.flatMap(\.changes).map(\.changeType) == [.insert, .update])
    context.delete(fido)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .cannotWrite(_, .cloudKit) = error else { throw try #require(error) }
    #expect(try store.changes().count == 2)
  }
}
