import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Asking for the history of a store, and deleting it.
@Suite struct HistoryReadingTests {
  private let folder: StoreFolder
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    folder = try StoreFolder()
    container = try folder.open { $0.tracksPersistentHistory = true }
    context = container.newBackgroundContext()
  }

  private var coordinator: PersistentStoreCoordinator { container.persistentStoreCoordinator }

  private func add(_ name: String, by author: String? = nil, minutes: [Int] = []) throws {
    context.transactionAuthor = author
    let dog = try Dog.findOrCreate(named: name, in: context)
    for minutes in minutes { dog.addToWalks(Walk(minutes: minutes, in: context)) }
    try context.save()
  }

  private func authors(_ request: PersistentHistoryChangeRequest) throws -> [String?] {
    try context.execute(request).transactions.map(\.author)
  }

  @Test func `what came after a token, a transaction or a moment`() throws {
    #expect(try context.execute(.fetchHistory(after: nil)).transactions.isEmpty)
    let start = try #require(try coordinator.currentPersistentHistoryToken())
    try add("Fido", by: "Ana")
    let middle = try #require(try coordinator.currentPersistentHistoryToken())
    Thread.sleep(forTimeInterval: 0.01)
    let moment = Date()
    try add("Rex", by: "Ben")
    #expect(try authors(.fetchHistory(after: start)) == ["Ana", "Ben"])
    #expect(try authors(.fetchHistory(after: middle)) == ["Ben"])
    #expect(try authors(.fetchHistory(after: moment)) == ["Ben"])
    #expect(try authors(.fetchHistory(after: Date.distantFuture)) == [])
    let all = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(all.map(\.transactionNumber) == [1, 2])
    #expect(all[0].token == middle)
    #expect(try authors(.fetchHistory(after: all[0])) == ["Ben"])
    #expect(all[0].storeID == container.persistentStore.identifier)
    #expect(all[0].processID != nil && all[0].processID == all[0].bundleID)
    let now = try #require(try coordinator.currentPersistentHistoryToken())
    #expect(try authors(.fetchHistory(after: now)) == [])
  }

  @Test func `a token outlives its process`() throws {
    try add("Fido")
    let token = try #require(try coordinator.currentPersistentHistoryToken())
    try add("Rex", by: "Ben")
    let kept = try JSONEncoder().encode(token)
    let read = try JSONDecoder().decode(PersistentHistoryToken.self, from: kept)
    #expect(read == token)
    #expect(try authors(.fetchHistory(after: read)) == ["Ben"])
  }

  @Test func `a change names its object, its type and its properties`() throws {
    try add("Fido", minutes: [5])
    try add("Rex")
    let token = try coordinator.currentPersistentHistoryToken()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    let rex = try Dog.findOrCreate(named: "Rex", in: context)
    fido.name = "Bello"
    rex.addToWalks(fido.walks[0])
    try context.save()
    let changes = try context.execute(.fetchHistory(after: token)).transactions.flatMap(\.changes)
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

  @Test func `by author, context and entity`() throws {
    try add("Fido", by: "Ana", minutes: [5])
    try add("Rex", by: "Ben")
    context.name = "kennel"
    try add("Bello", minutes: [7])
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.author = "Ana"
    #expect(try authors(request) == ["Ana"])
    request.author = nil
    request.excludedAuthor = "Ana"
    #expect(try authors(request) == ["Ben", nil])
    request.excludedAuthor = nil
    request.contextName = "kennel"
    #expect(try context.execute(request).transactions.map(\.transactionNumber) == [3])
    request.contextName = nil
    request.entityNames = ["Walk"]
    let walks = try context.execute(request).transactions
    #expect(walks.map(\.transactionNumber) == [1, 3])
    #expect(walks.flatMap(\.changes).allSatisfy { $0.changedObjectID.entity.name == "Walk" })
    request.fetchLimit = 1
    #expect(try context.execute(request).transactions.map(\.transactionNumber) == [1])
    request.entityNames = ["Nothing"]
    #expect(try context.execute(request).transactions.isEmpty)
    request = .fetchHistory(after: nil)
    request.author = "'; DROP TABLE ZDOG; --"
    #expect(try context.execute(request).transactions.isEmpty)
  }

  @Test func `as a count, IDs, transactions or changes`() throws {
    try add("Fido", minutes: [5])
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.name = "Rex"
    try context.save()
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.resultType = .count
    #expect(try context.execute(request).count == 3)
    request.entityNames = ["Walk"]
    #expect(try context.execute(request).count == 1)
    request.entityNames = nil
    request.resultType = .objectIDs
    let ids = try context.execute(request).objectIDs
    #expect(Set(ids) == [fido.objectID, fido.walks[0].objectID] && ids.count == 2)
    request.resultType = .transactionsOnly
    let transactions = try context.execute(request).transactions
    #expect(transactions.count == 2 && transactions.allSatisfy(\.changes.isEmpty))
    request.resultType = .changesOnly
    let result = try context.execute(request)
    #expect(result.changes.count == 3 && result.transactions.isEmpty)
  }

  @Test func `a transaction is merged into a context that knows nothing of it`() throws {
    try add("Fido", minutes: [5])
    let other = try folder.open { $0.tracksPersistentHistory = true }.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: other)
    #expect(fido.minutes == [5])
    let token = try coordinator.currentPersistentHistoryToken()
    try add("Fido", minutes: [7])
    let own = try Dog.findOrCreate(named: "Fido", in: context)
    own.name = "Rex"
    try context.save()
    #expect(fido.minutes == [5] && fido.name == "Fido")
    for transaction in try other.execute(.fetchHistory(after: token)).transactions {
      try other.mergeChanges(from: transaction.objectIDs)
    }
    #expect(fido.minutes == [5, 7] && fido.name == "Rex")
  }

  // MARK: Deleting

  @Test func `what is deleted expires the tokens before it`() throws {
    let start = try #require(try coordinator.currentPersistentHistoryToken())
    for name in ["Fido", "Rex", "Bello"] { try add(name, by: name) }
    let all = try context.execute(.fetchHistory(after: nil)).transactions
    // Strictly before: the transaction itself stays.
    #expect(try context.execute(.deleteHistory(before: all[1])).count == 1)
    #expect(try authors(.fetchHistory(after: nil)) == ["Rex", "Bello"])
    #expect(try authors(.fetchHistory(after: all[0])) == ["Rex", "Bello"])
    let error = #expect(throws: PersistentHistoryError.self) {
      try context.execute(.fetchHistory(after: start))
    }
    #expect(error == .tokenExpired(storeID: container.persistentStore.identifier))
    try context.execute(.deleteHistory(before: nil))
    #expect(try authors(.fetchHistory(after: nil)) == [])
    #expect(try authors(.fetchHistory(after: all[2])) == [])
    #expect(throws: PersistentHistoryError.self) {
      try context.execute(.fetchHistory(after: all[1]))
    }
    try add("Bodo", by: "Bodo")
    #expect(
      try context.execute(.fetchHistory(after: all[2])).transactions.map(\.transactionNumber) == [4]
    )
    #expect(try SQLiteFile(folder.store).value("SELECT min(Z_PK) FROM ACHANGE") == "4")
  }

  @Test func `what came before a moment goes, and nothing out of the middle`() throws {
    for name in ["Fido", "Rex", "Bello"] { try add(name, by: name) }
    // A clock that was set back.
    try SQLiteFile(folder.store).execute(
      """
      UPDATE ATRANSACTION SET ZTIMESTAMP = 3000 WHERE Z_PK = 1;
      UPDATE ATRANSACTION SET ZTIMESTAMP = 1000 WHERE Z_PK = 2;
      UPDATE ATRANSACTION SET ZTIMESTAMP = 2000 WHERE Z_PK = 3
      """)
    func moment(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    try context.execute(.deleteHistory(before: moment(1500)))
    #expect(try authors(.fetchHistory(after: nil)) == ["Fido", "Rex", "Bello"])
    try context.execute(.deleteHistory(before: moment(9000)))
    #expect(try authors(.fetchHistory(after: nil)) == [])
  }

  @Test func `a token of a later copy of the store is expired too`() throws {
    try add("Fido")
    let backup = folder.url.appending(path: "backup.sqlite")
    try coordinator.copy(container.persistentStore, to: backup)
    try add("Rex")
    let token = try #require(try coordinator.currentPersistentHistoryToken())
    var options = PersistentStoreOptions()
    options.tracksPersistentHistory = true
    let old = try PersistentContainer(
      name: "Old", model: .dogWalk, storeURL: backup, options: options)
    #expect(throws: PersistentHistoryError.self) {
      try old.newBackgroundContext().execute(.fetchHistory(after: token))
    }
  }

  @Test func `hostile rows are passed over`() throws {
    try add("Fido")
    try SQLiteFile(folder.store).execute(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES
        (90, 16001, 7, 1, 1, 1, NULL), (91, 16001, 1, 99, 1, 1, x'80'), (92, 16001, 1, 1, -5, 1, x'80'),
        (93, 16001, 'x', 'y', 'z', 1, 'text'), (94, 16001, 1, 1, 1, 1, zeroblob(5000));
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS) VALUES (2, 16002, 'never', 77)
      """)
    let transactions = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(transactions.map(\.transactionNumber) == [1, 2])
    #expect(transactions[0].changes.map(\.changeID) == [1, 94])
    #expect(transactions[1].author == nil && transactions[1].changes.isEmpty)
  }
}
