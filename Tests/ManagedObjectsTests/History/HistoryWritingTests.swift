import DataModel
import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// What a store that keeps a history writes of each transaction.
@Suite struct HistoryWritingTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func open() throws -> PersistentContainer {
    try folder.open { $0.tracksPersistentHistory = true }
  }

  /// Each change: transaction, type, entity's name, key, columns.
  private func changes(after number: Int = 0) throws -> [[String]] {
    try SQLiteFile(folder.store).rows(
      """
      SELECT c.ZTRANSACTIONID, c.ZCHANGETYPE, p.Z_NAME, c.ZENTITYPK, coalesce(hex(c.ZCOLUMNS), '')
      FROM ACHANGE c JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY
      WHERE c.ZTRANSACTIONID > \(number) ORDER BY c.Z_PK
      """)
  }

  private func counters() throws -> [String] {
    try SQLiteFile(folder.store).column(
      "SELECT Z_NAME || ' ' || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
  }

  @Test func `a new store gets the tables, and nothing in them`() throws {
    _ = try open()
    #expect(try counters() == ["CHANGE 0", "TRANSACTION 0", "TRANSACTIONSTRING 0"])
    #expect(try changes().isEmpty)
  }

  @Test func `a store that was made without gets them too, and keeps what it has`() throws {
    try folder.save("Fido", minutes: [5])
    let context = try open().newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: context).minutes == [5])
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    #expect(try changes() == [["1", "0", "Dog", "2", ""]])
  }

  @Test func `a save is a transaction with a change for each object`() throws {
    let context = try open().newBackgroundContext()
    context.transactionAuthor = "Ana"
    context.name = "kennel"
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    let inserted = try changes().sorted { $0[2] < $1[2] }
    #expect(inserted == [["1", "0", "Dog", "1", ""], ["1", "0", "Walk", "1", ""]])
    let texts = try SQLiteFile(folder.store).rows(
      """
      SELECT (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ZAUTHORTS),
        (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ZCONTEXTNAMETS),
        ZBUNDLEIDTS = ZPROCESSIDTS, ZAUTHOR, ZTIMESTAMP > 700000000 FROM ATRANSACTION
      """)
    #expect(texts == [["Ana", "kennel", "1", "NULL", "1"]])

    fido.name = "Rex"
    try context.save()
    context.delete(fido)
    try context.save()
    #expect(
      try changes(after: 1).map { $0[1...3].joined(separator: " ") }.sorted()
        == ["1 Dog 1", "2 Dog 1", "2 Walk 1"])
    #expect(try counters() == ["CHANGE 5", "TRANSACTION 3", "TRANSACTIONSTRING 3"])
  }

  @Test func `a save that fails, or changes nothing, leaves no trace`() throws {
    let container = try open()
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let same = try Dog.findOrCreate(named: "Fido", in: other)
    same.name = "Rex"
    fido.name = "Bello"
    try context.save()
    let before = (try changes(), try counters())
    #expect(throws: ConflictError.self) { try other.save() }
    fido.name = fido.name
    try context.save()
    try container.persistentStoreCoordinator.setMetadata(
      .string("x"), forKey: "mine", of: container.persistentStore)
    #expect(try changes() == before.0)
    #expect(try counters() == before.1)
  }

  @Test func `the owner of a list is updated where only a member comes`() throws {
    let context = try open().newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    fido.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    let told = try changes(after: 1)
    #expect(told.map { $0[1...3].joined(separator: " ") }.sorted() == ["0 Walk 1", "1 Dog 1"])
    // Its row is not written for that.
    #expect(try SQLiteFile(folder.store).value("SELECT Z_OPT FROM ZDOG") == "1")
  }

  @Test func `batches are in it`() throws {
    let context = try open().newBackgroundContext()
    context.transactionAuthor = "batch"
    let names = ["Fido", "Rex", "Bello"]
    _ = try context.execute(
      BatchInsertRequest(
        entityName: "Dog",
        objects: names.map { ["name": .string($0), "nameKey": .string($0.lowercased())] }))
    #expect(
      try changes().map { $0[1...3].joined(separator: " ") } == ["0 Dog 1", "0 Dog 2", "0 Dog 3"])
    var update = BatchUpdateRequest(entityName: "Dog")
    update.predicate = try .init(format: "name != 'Rex'")
    update.propertiesToUpdate = ["targetMinutes": .integer(30)]
    _ = try context.execute(update)
    #expect(
      try changes(after: 1).map { $0[1...3].joined(separator: " ") }.sorted() == [
        "1 Dog 1", "1 Dog 3",
      ])
    _ = try context.execute(BatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
    #expect(try changes(after: 2).map { $0[1] } == ["2", "2", "2"])
    #expect(
      try SQLiteFile(folder.store).column(
        "SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS")
        == ["batch", "batch", "batch"])
    var nobody = BatchUpdateRequest(entityName: "Dog")
    nobody.propertiesToUpdate = ["targetMinutes": .integer(30)]
    _ = try context.execute(nobody)
    #expect(try changes(after: 3).isEmpty)
    #expect(try counters()[1] == "TRANSACTION 3")
  }

  @Test func `undoing and redoing a command are in it`() throws {
    let container = try folder.open {
      $0.tracksPersistentHistory = true
      $0.undoLogLimit = 10
    }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    fido.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    _ = try log.undo()
    let undone = try changes(after: 2).map { $0[1...3].joined(separator: " ") }.sorted()
    #expect(undone == ["1 Dog 1", "2 Walk 1"])
    _ = try log.redo()
    let redone = try changes(after: 3).map { $0[1...3].joined(separator: " ") }.sorted()
    #expect(redone == ["0 Walk 1", "1 Dog 1"])
    // Looking for what can be taken back tries it out.
    _ = try log.nextRevertible()
    #expect(try changes(after: 4).isEmpty)
  }

  @Test func `a tombstone keeps the values that are to be kept`() throws {
    func kept(_ name: String, _ type: AttributeDescription.AttributeType) -> PropertyDescription {
      .attribute(
        AttributeDescription(
          name: name, type: type, isOptional: true, preservesValueInHistoryOnDeletion: true))
    }
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Dog",
        properties: [
          kept("uuid", .uuid), .value("age", .integer16), kept("name", .string),
          kept("born", .date), kept("empty", .double),
        ]),
      EntityDescription(name: "Cat", properties: [.value("name", .string)]),
    ])
    let context = try folder.open(model) { $0.tracksPersistentHistory = true }
      .newBackgroundContext()
    let (dog, cat) = (ManagedObject("Dog", in: context), ManagedObject("Cat", in: context))
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    dog.setValue(uuid, forKey: "uuid")
    dog.setValue("Fido", forKey: "name")
    dog.setValue(Date(timeIntervalSinceReferenceDate: 12.5), forKey: "born")
    try context.save()
    context.delete(dog)
    context.delete(cat)
    try context.save()
    let rows = try SQLiteFile(folder.store).rows(
      """
      SELECT ZENTITY, ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2, hex(ZTOMBSTONE3) FROM ACHANGE
      WHERE ZCHANGETYPE = 2 ORDER BY ZENTITY
      """)
    #expect(
      rows == [
        ["1", "NULL", "NULL", "NULL", ""],
        ["2", "12.5", "NULL", "Fido", "00112233445566778899AABBCCDDEEFF"],
      ])
    let tombstones = try context.execute(.fetchHistory(after: nil)).transactions
      .flatMap(\.changes).filter { $0.changeType == .delete }
      .map { ($0.changedObjectID.entity.name, $0.tombstone) }
    let found = Dictionary(uniqueKeysWithValues: tombstones)
    #expect(found["Cat"] == [:])
    #expect(
      found["Dog"] == [
        "name": .string("Fido"), "uuid": .uuid(uuid),
        "born": .date(Date(timeIntervalSinceReferenceDate: 12.5)),
      ])
    _ = ManagedObject("Dog", in: context)
    try context.save()
    _ = try context.execute(
      BatchDeleteRequest(fetchRequest: FetchRequest<ManagedObject>(entityName: "Dog")))
    #expect(
      try SQLiteFile(folder.store).value("SELECT max(ZTRANSACTIONID) FROM ACHANGE") == "4")
  }

  @Test func `a kept file's bytes are in the tombstone`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo",
        properties: [
          .attribute(
            AttributeDescription(
              name: "image", type: .binaryData, isOptional: true,
              allowsExternalBinaryDataStorage: true, preservesValueInHistoryOnDeletion: true))
        ])
    ])
    let context = try folder.open(model) { $0.tracksPersistentHistory = true }
      .newBackgroundContext()
    let image = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    let photo = ManagedObject("Photo", in: context)
    photo.setValue(image, forKey: "image")
    try context.save()
    context.delete(photo)
    try context.save()
    let change = try #require(
      try context.execute(.fetchHistory(after: nil)).transactions.last?.changes.first)
    #expect(change.tombstone == ["image": .binary(image)])
  }

  @Test func `writers who begin at once share one numbering, and leave no gaps`() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<6 {
        group.addTask { [folder] in
          let context = try folder.open {
            $0.tracksPersistentHistory = true
            // So many on a machine that has other things to do take their time.
            $0.busyTimeout = 300
          }.newBackgroundContext()
          context.transactionAuthor = "writer \(number % 2)"
          for step in 0..<8 {
            _ = try Dog.findOrCreate(named: "\(number) \(step)", in: context)
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try counters() == ["CHANGE 48", "TRANSACTION 48", "TRANSACTIONSTRING 3"])
    let transactions = try open().newBackgroundContext().execute(.fetchHistory(after: nil))
      .transactions
    #expect(transactions.map(\.transactionNumber) == Array(1...48))
    #expect(transactions.filter { $0.author == "writer 1" }.count == 24)
    #expect(transactions.allSatisfy { $0.changes.map(\.changeID) == [$0.transactionNumber] })
  }

  // MARK: Who does not keep it

  @Test func `a store with a history that is opened without is only read, and says why`() throws {
    do {
      let context = try open().newBackgroundContext()
      _ = try Dog.findOrCreate(named: "Fido", in: context)
      try context.save()
    }
    let before = try folder.bytes()
    do {
      let container = try folder.open()
      #expect(container.persistentStore.isReadOnly)
      let context = container.newBackgroundContext()
      try context.fetch(Dog.fetchRequest()).first?.name = "Rex"
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .cannotWrite(folder.store, .persistentHistory) = error else {
        throw try #require(error)
      }
      #expect(throws: PersistentStoreError.self) {
        try context.execute(.deleteHistory(before: nil))
      }
      #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 1)
    }
    #expect(try folder.bytes() == before)
    let context = try open().newBackgroundContext()
    try context.fetch(Dog.fetchRequest()).first?.name = "Rex"
    try context.save()
    #expect(try changes(after: 1).count == 1)
  }

  @Test func `a store without a history says so`() throws {
    let container = try folder.open()
    let context = container.newBackgroundContext()
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    #expect(try context.execute(request).transactions.isEmpty)
    #expect(try container.persistentStoreCoordinator.currentPersistentHistoryToken() == nil)
    request.affectedStores = [container.persistentStore]
    #expect(throws: PersistentHistoryError.self) { try context.execute(request) }
  }

  @Test func `what is no history is refused`() throws {
    try folder.save("Fido")
    try SQLiteFile(folder.store).execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)")
    let error = #expect(throws: PersistentStoreError.self) { try open() }
    guard case .corrupt = error else { throw try #require(error) }
  }

  @Test func `a store of CloudKit's gets inserts and updates, by an author, and no deletions`()
    throws
  {
    _ = try open()
    try SQLiteFile(folder.store).execute(
      "CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY)")
    #expect(throws: PersistentStoreError.self) { try open() }
    let context = try folder.open {
      $0.tracksPersistentHistory = true
      $0.ignoredObstacles = [.cloudKit]
    }.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let transactions = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(transactions.map { $0.author != nil } == [true])
    context.delete(fido)
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .cannotWrite(_, .cloudKit) = error else { throw try #require(error) }
    #expect(try changes().count == 1)
  }
}
