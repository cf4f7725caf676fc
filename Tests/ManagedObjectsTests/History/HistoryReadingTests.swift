import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Asking for the history of a store, and deleting it.
@Suite struct HistoryReadingTests {
  @Test(arguments: TrackedStore.types)
  func `changes after a token, a transaction or a date are returned`(
    _ type: PersistentStore.StoreType
  )
    throws
  {
    let store = try Reading(type)
    #expect(try store.context.execute(.fetchHistory(after: nil)).transactions.isEmpty)
    let start = try #require(try store.coordinator.currentPersistentHistoryToken())
    try store.add("Fido", by: "Ana")
    let middle = try #require(try store.coordinator.currentPersistentHistoryToken())
    Thread.sleep(forTimeInterval: 0.01)
    let moment = Date()
    try store.add("Rex", by: "Ben")
    #expect(try store.authors(.fetchHistory(after: start)) == ["Ana", "Ben"])
    #expect(try store.authors(.fetchHistory(after: middle)) == ["Ben"])
    #expect(try store.authors(.fetchHistory(after: moment)) == ["Ben"])
    #expect(try store.authors(.fetchHistory(after: Date.distantFuture)) == [])
    let all = try store.context.execute(.fetchHistory(after: nil)).transactions
    #expect(all.map(\.transactionNumber) == [1, 2])
    #expect(all[0].token == middle)
    #expect(try store.authors(.fetchHistory(after: all[0])) == ["Ben"])
    #expect(all[0].storeID == store.container.persistentStore.identifier)
    #expect(all[0].processID != nil && all[0].processID == all[0].bundleID)
    let now = try #require(try store.coordinator.currentPersistentHistoryToken())
    #expect(try store.authors(.fetchHistory(after: now)) == [])
  }

  @Test(arguments: TrackedStore.types)
  func `a token outlives its process`(_ type: PersistentStore.StoreType) throws {
    let store = try Reading(type)
    try store.add("Fido")
    let token = try #require(try store.coordinator.currentPersistentHistoryToken())
    try store.add("Rex", by: "Ben")
    let kept = try JSONEncoder().encode(token)
    let read = try JSONDecoder().decode(PersistentHistoryToken.self, from: kept)
    #expect(read == token)
    #expect(try store.authors(.fetchHistory(after: read)) == ["Ben"])
  }

  @Test(arguments: TrackedStore.types)
  func `a change names its object, its type and its properties`(_ type: PersistentStore.StoreType)
    throws
  {
    let store = try Reading(type)
    try store.add("Fido", minutes: [5])
    try store.add("Rex")
    let token = try store.coordinator.currentPersistentHistoryToken()
    let fido = try Dog.findOrCreate(named: "Fido", in: store.context)
    let rex = try Dog.findOrCreate(named: "Rex", in: store.context)
    fido.name = "Bello"
    rex.addToWalks(fido.walks[0])
    try store.context.save()
    let changes = try store.context.execute(.fetchHistory(after: token)).transactions.flatMap(
      \.changes)
    let dog = try #require(changes.first { $0.changedObjectID == fido.objectID })
    #expect(dog.changeType == .update)
    #expect(dog.updatedProperties.isSuperset(of: ["name", "walks"]))
    #expect(dog.transactionNumber == 3)
    let other = try #require(changes.first { $0.changedObjectID == rex.objectID })
    #expect(other.changeType == .update && other.updatedProperties == ["walks"])
    let walk = try #require(changes.first { $0.changedObjectID.entity.name == "Walk" })
    #expect(walk.changeType == .update && walk.updatedProperties.contains("dog"))
    #expect(changes.map(\.changeID) == [4, 5, 6])
  }

  @Test(arguments: TrackedStore.types)
  func `by author, context and entity`(_ type: PersistentStore.StoreType) throws {
    let store = try Reading(type)
    try store.add("Fido", by: "Ana", minutes: [5])
    try store.add("Rex", by: "Ben")
    store.context.name = "kennel"
    try store.add("Bello", minutes: [7])
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.author = "Ana"
    #expect(try store.authors(request) == ["Ana"])
    request.author = nil
    request.excludedAuthor = "Ana"
    #expect(try store.authors(request) == ["Ben", nil])
    request.excludedAuthor = nil
    request.contextName = "kennel"
    #expect(try store.context.execute(request).transactions.map(\.transactionNumber) == [3])
    request.contextName = nil
    request.entityNames = ["Walk"]
    let walks = try store.context.execute(request).transactions
    #expect(walks.map(\.transactionNumber) == [1, 3])
    #expect(walks.flatMap(\.changes).allSatisfy { $0.changedObjectID.entity.name == "Walk" })
    request.fetchLimit = 1
    #expect(try store.context.execute(request).transactions.map(\.transactionNumber) == [1])
    request.entityNames = ["Nothing"]
    #expect(try store.context.execute(request).transactions.isEmpty)
    request = .fetchHistory(after: nil)
    request.author = "'; DROP TABLE ZDOG; --"
    #expect(try store.context.execute(request).transactions.isEmpty)
  }

  @Test(arguments: TrackedStore.types)
  func `as a count, IDs, transactions or changes`(_ type: PersistentStore.StoreType) throws {
    let store = try Reading(type)
    try store.add("Fido", minutes: [5])
    let fido = try Dog.findOrCreate(named: "Fido", in: store.context)
    fido.name = "Rex"
    try store.context.save()
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.resultType = .count
    #expect(try store.context.execute(request).count == 3)
    request.entityNames = ["Walk"]
    #expect(try store.context.execute(request).count == 1)
    request.entityNames = nil
    request.resultType = .objectIDs
    let ids = try store.context.execute(request).objectIDs
    #expect(Set(ids) == [fido.objectID, fido.walks[0].objectID] && ids.count == 2)
    request.resultType = .transactionsOnly
    let transactions = try store.context.execute(request).transactions
    #expect(transactions.count == 2 && transactions.allSatisfy(\.changes.isEmpty))
    request.resultType = .changesOnly
    let result = try store.context.execute(request)
    #expect(result.changes.count == 3 && result.transactions.isEmpty)
  }

  @Test(arguments: TrackedStore.types)
  func `a transaction is merged into a context that has no history of it`(
    _ type: PersistentStore.StoreType
  ) throws {
    let store = try Reading(type)
    try store.add("Fido", minutes: [5])
    let other = try store.place.open().newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: other)
    #expect(fido.minutes == [5])
    let token = try store.coordinator.currentPersistentHistoryToken()
    try store.add("Fido", minutes: [7])
    let own = try Dog.findOrCreate(named: "Fido", in: store.context)
    own.name = "Rex"
    try store.context.save()
    #expect(fido.minutes == [5] && fido.name == "Fido")
    for transaction in try other.execute(.fetchHistory(after: token)).transactions {
      try other.mergeChanges(from: transaction.objectIDs)
    }
    #expect(fido.minutes == [5, 7] && fido.name == "Rex")
  }

  // MARK: Deleting

  @Test(arguments: TrackedStore.types)
  func `deleted history expires the tokens before it`(_ type: PersistentStore.StoreType) throws {
    let store = try Reading(type)
    let start = try #require(try store.coordinator.currentPersistentHistoryToken())
    for name in ["Fido", "Rex", "Bello"] { try store.add(name, by: name) }
    let all = try store.context.execute(.fetchHistory(after: nil)).transactions
    // Strictly before: the transaction itself stays.
    #expect(try store.context.execute(.deleteHistory(before: all[1])).count == 1)
    #expect(try store.authors(.fetchHistory(after: nil)) == ["Rex", "Bello"])
    #expect(try store.authors(.fetchHistory(after: all[0])) == ["Rex", "Bello"])
    let error = #expect(throws: PersistentHistoryError.self) {
      try store.context.execute(.fetchHistory(after: start))
    }
    #expect(error == .tokenExpired(storeID: store.container.persistentStore.identifier))
    try store.context.execute(.deleteHistory(before: nil))
    #expect(try store.authors(.fetchHistory(after: nil)) == [])
    #expect(try store.authors(.fetchHistory(after: all[2])) == [])
    #expect(throws: PersistentHistoryError.self) {
      try store.context.execute(.fetchHistory(after: all[1]))
    }
    try store.add("Bodo", by: "Bodo")
    #expect(
      try store.context.execute(.fetchHistory(after: all[2])).transactions.map(\.transactionNumber)
        == [4]
    )
    #expect(try store.place.column("SELECT min(Z_PK) FROM ACHANGE") == ["4"])
  }

  @Test(arguments: TrackedStore.types)
  func `history before a date is deleted, and nothing out of the middle`(
    _ type: PersistentStore.StoreType
  ) throws {
    let store = try Reading(type)
    for name in ["Fido", "Rex", "Bello"] { try store.add(name, by: name) }
    // A clock that was set back.
    try store.place.execute(
      """
      UPDATE ATRANSACTION SET ZTIMESTAMP = 3000 WHERE Z_PK = 1;
      UPDATE ATRANSACTION SET ZTIMESTAMP = 1000 WHERE Z_PK = 2;
      UPDATE ATRANSACTION SET ZTIMESTAMP = 2000 WHERE Z_PK = 3
      """)
    func moment(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    try store.context.execute(.deleteHistory(before: moment(1500)))
    #expect(try store.authors(.fetchHistory(after: nil)) == ["Fido", "Rex", "Bello"])
    try store.context.execute(.deleteHistory(before: moment(9000)))
    #expect(try store.authors(.fetchHistory(after: nil)) == [])
  }

  @Test(arguments: TrackedStore.types)
  func `nothing precedes an invalid date`(_ type: PersistentStore.StoreType) throws {
    let store = try Reading(type)
    try store.add("Fido", by: "Ana")
    let moment = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(try store.context.execute(.deleteHistory(before: moment)).count == 0)
    #expect(try store.authors(.fetchHistory(after: nil)) == ["Ana"])
  }

  @Test func `a token of a later copy of the store is expired too`() throws {
    let store = try Reading(.sqlite)
    try store.add("Fido")
    let folder = try StoreFolder()
    let backup = folder.url.appending(path: "backup.sqlite")
    try store.coordinator.copy(store.container.persistentStore, to: backup)
    try store.add("Rex")
    let token = try #require(try store.coordinator.currentPersistentHistoryToken())
    var options = PersistentStoreOptions()
    options.tracksPersistentHistory = true
    let old = try PersistentContainer(
      name: "Old", model: .dogWalk, storeURL: backup, options: options)
    #expect(throws: PersistentHistoryError.self) {
      try old.newBackgroundContext().execute(.fetchHistory(after: token))
    }
  }

  @Test(arguments: TrackedStore.types)
  func `malformed rows are skipped`(_ type: PersistentStore.StoreType) throws {
    let store = try Reading(type)
    try store.add("Fido")
    // A server's columns have types.
    let isTyped = type == .postgreSQL
    let bytes = isTyped ? "'\\x80'::bytea" : "x'80'"
    let nonsense = isTyped ? "'\\x00'::bytea" : "'text'"
    let change = isTyped ? "-3, -3, -3" : "'x', 'y', 'z'"
    try store.place.execute(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES
        (90, 16001, 7, 1, 1, 1, NULL), (91, 16001, 1, 99, 1, 1, \(bytes)), (92, 16001, 1, 1, -5, 1, \(bytes)),
        (93, 16001, \(change), 1, \(nonsense)), (94, 16001, 1, 1, 1, 1, NULL);
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS)
      VALUES (2, 16002, \(isTyped ? "'NaN'" : "'never'"), 77)
      """)
    let transactions = try store.context.execute(.fetchHistory(after: nil)).transactions
    #expect(transactions.map(\.transactionNumber) == [1, 2])
    #expect(transactions[0].changes.map(\.changeID) == [1, 94])
    #expect(transactions[1].author == nil && transactions[1].changes.isEmpty)
  }
}

/// A store with a history, open.
private struct Reading {
  let place: TrackedStore
  let container: PersistentContainer
  let context: ManagedObjectContext

  init(_ type: PersistentStore.StoreType) throws {
    place = try TrackedStore(type)
    container = try place.open()
    context = container.newBackgroundContext()
  }

  var coordinator: PersistentStoreCoordinator { container.persistentStoreCoordinator }

  func add(_ name: String, by author: String? = nil, minutes: [Int] = []) throws {
    context.transactionAuthor = author
    let dog = try Dog.findOrCreate(named: name, in: context)
    for minutes in minutes { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
  }

  func authors(_ request: PersistentHistoryChangeRequest) throws -> [String?] {
    try context.execute(request).transactions.map(\.author)
  }
}
