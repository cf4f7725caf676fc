import DataModel
import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// What a store that keeps a history writes for each transaction.
@Suite struct HistoryWritingTests {
  @Test(arguments: TrackedStore.types)
  func `a new store gets the tables, which are empty`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
    _ = try store.open()
    #expect(try store.counters() == ["CHANGE 0", "TRANSACTION 0", "TRANSACTIONSTRING 0"])
    #expect(try store.changes().isEmpty)
  }

  @Test(arguments: TrackedStore.types)
  func `a store made without a history gets the tables too, and keeps its rows`(
    _ type: PersistentStore.StoreType
  ) throws {
    let store = try TrackedStore(type)
    try store.save("Fido", minutes: [5], history: false)
    let context = try store.open().newBackgroundContext()
    #expect(try Dog.findOrCreate(named: "Fido", in: context).minutes == [5])
    _ = try Dog.findOrCreate(named: "Rex", in: context)
    try context.save()
    #expect(try store.changes() == [["1", "0", "Dog", "2", ""]])
  }

  @Test(arguments: TrackedStore.types)
  func `a save is a transaction with a change for each object`(_ type: PersistentStore.StoreType)
    throws
  {
    let store = try TrackedStore(type)
    let context = try store.open().newBackgroundContext()
    context.transactionAuthor = "Ana"
    context.name = "kennel"
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    let inserted = try store.changes().sorted { $0[2] < $1[2] }
    #expect(inserted == [["1", "0", "Dog", "1", ""], ["1", "0", "Walk", "1", ""]])
    let texts = try store.rows(
      """
      SELECT (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ZAUTHORTS),
        (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = ZCONTEXTNAMETS),
        ZBUNDLEIDTS - ZPROCESSIDTS, CAST(ZTIMESTAMP > 700000000 AS INTEGER) FROM ATRANSACTION
      """)
    #expect(texts == [["Ana", "kennel", "0", "1"]])
    if type == .sqlite {
      #expect(try store.column("SELECT ZAUTHOR FROM ATRANSACTION") == ["NULL"])
    }

    fido.name = "Rex"
    try context.save()
    context.delete(fido)
    try context.save()
    #expect(try store.kinds(after: 1) == ["1 Dog 1", "2 Dog 1", "2 Walk 1"])
    #expect(try store.counters() == ["CHANGE 5", "TRANSACTION 3", "TRANSACTIONSTRING 3"])
  }

  @Test(arguments: TrackedStore.types)
  func `a failed or empty save leaves no trace`(_ type: PersistentStore.StoreType)
    throws
  {
    let store = try TrackedStore(type)
    let container = try store.open()
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let same = try Dog.findOrCreate(named: "Fido", in: other)
    same.name = "Rex"
    fido.name = "Bello"
    try context.save()
    let before = (try store.changes(), try store.counters())
    #expect(throws: ConflictError.self) { try other.save() }
    fido.name = fido.name
    try context.save()
    try container.persistentStoreCoordinator.setMetadata(
      .string("x"), forKey: "mine", of: container.persistentStore)
    #expect(try store.changes() == before.0)
    #expect(try store.counters() == before.1)
  }

  @Test(arguments: TrackedStore.types)
  func `the owner of a list is updated even where only a member is added`(
    _ type: PersistentStore.StoreType
  )
    throws
  {
    let store = try TrackedStore(type)
    let context = try store.open().newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    fido.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    #expect(try store.kinds(after: 1) == ["0 Walk 1", "1 Dog 1"])
    // Its row is not written for that.
    #expect(try store.column("SELECT Z_OPT FROM ZDOG") == ["1"])
  }

  @Test(arguments: TrackedStore.types)
  func `batches are recorded`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
    let context = try store.open().newBackgroundContext()
    context.transactionAuthor = "batch"
    let names = ["Fido", "Rex", "Bello"]
    _ = try context.execute(
      BatchInsertRequest(
        entityName: "Dog",
        objects: names.map { ["name": .string($0), "nameKey": .string($0.lowercased())] }))
    #expect(try store.kinds() == ["0 Dog 1", "0 Dog 2", "0 Dog 3"])
    var update = BatchUpdateRequest(entityName: "Dog")
    update.predicate = try .init(format: "name != 'Rex'")
    update.propertiesToUpdate = ["targetMinutes": .integer(30)]
    _ = try context.execute(update)
    #expect(try store.kinds(after: 1) == ["1 Dog 1", "1 Dog 3"])
    _ = try context.execute(BatchDeleteRequest(fetchRequest: Dog.fetchRequest()))
    #expect(try store.changes(after: 2).map { $0[1] } == ["2", "2", "2"])
    #expect(
      try store.column(
        "SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS")
        == ["batch", "batch", "batch"])
    var nobody = BatchUpdateRequest(entityName: "Dog")
    nobody.propertiesToUpdate = ["targetMinutes": .integer(30)]
    _ = try context.execute(nobody)
    #expect(try store.changes(after: 3).isEmpty)
    #expect(try store.counters()[1] == "TRANSACTION 3")
  }

  @Test(arguments: TrackedStore.types)
  func `undoing and redoing a command are recorded`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
    let container = try store.open { $0.undoLogLimit = 10 }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let context = container.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    fido.addToWalks(Walk(minutes: 5, in: context))
    try context.save()
    _ = try log.undo()
    #expect(try store.kinds(after: 2) == ["1 Dog 1", "2 Walk 1"])
    _ = try log.redo()
    #expect(try store.kinds(after: 3) == ["0 Walk 1", "1 Dog 1"])
    // Searching for commands to undo tries them out.
    _ = try log.nextRevertible()
    #expect(try store.changes(after: 4).isEmpty)
  }

  @Test(arguments: TrackedStore.types)
  func `a tombstone keeps the values marked for it`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
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
    let context = try store.open(model).newBackgroundContext()
    let (dog, cat) = (ManagedObject("Dog", in: context), ManagedObject("Cat", in: context))
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    dog.setValue(uuid, forKey: "uuid")
    dog.setValue("Fido", forKey: "name")
    dog.setValue(Date(timeIntervalSinceReferenceDate: 12.5), forKey: "born")
    try context.save()
    context.delete(dog)
    context.delete(cat)
    try context.save()
    // The server's are bytes.
    if type == .sqlite {
      let rows = try store.rows(
        """
        SELECT ZENTITY, ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2, hex(ZTOMBSTONE3) FROM ACHANGE
        WHERE ZCHANGETYPE = 2 ORDER BY ZENTITY
        """)
      #expect(
        rows == [
          ["1", "NULL", "NULL", "NULL", ""],
          ["2", "12.5", "NULL", "Fido", "00112233445566778899AABBCCDDEEFF"],
        ])
    }
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
    #expect(try store.column("SELECT max(ZTRANSACTIONID) FROM ACHANGE") == ["4"])
  }

  @Test(arguments: TrackedStore.types)
  func `a stage of a migration makes tombstones like any save`(
    _ type: PersistentStore.StoreType
  ) throws {
    let store = try TrackedStore(type)
    func model(_ further: [PropertyDescription]) -> ManagedObjectModel {
      func kept(_ name: String, _ type: AttributeDescription.AttributeType) -> PropertyDescription {
        .attribute(
          AttributeDescription(
            name: name, type: type, isOptional: true, preservesValueInHistoryOnDeletion: true))
      }
      return ManagedObjectModel(entities: [
        EntityDescription(
          name: "Dog", properties: [kept("age", .integer16), kept("name", .string)] + further)
      ])
    }
    let (old, new) = (model([]), model([.value("breed", .string)]))
    do {
      let context = try store.open(old).newBackgroundContext()
      for (name, age) in [("Fido", 5), ("Rex", 12_345)] {
        ManagedObject("Dog", in: context).setValuesForKeys(["name": name, "age": Int16(age)])
      }
      try context.save()
      context.delete(try #require(try context.all("Dog").first { $0.text("name") == "Fido" }))
      try context.save()
    }
    let manager = StagedMigrationManager([
      .custom(
        from: old, to: new,
        didMigrate: { container in
          let context = container.newBackgroundContext()
          for dog in try context.all("Dog") { context.delete(dog) }
          try context.save()
        })
    ])
    let context = try store.open(new) {
      $0.migratesAutomatically = true
      $0.sourceModels = [old]
      $0.stagedMigrationManager = manager
    }.newBackgroundContext()
    let tombstones = try context.execute(.fetchHistory(after: nil)).transactions
      .flatMap(\.changes).filter { $0.changeType == .delete }.map(\.tombstone)
    #expect(
      tombstones == [
        ["name": .string("Fido"), "age": .integer(5)],
        ["name": .string("Rex"), "age": .integer(12_345)],
      ])
  }

  @Test(arguments: TrackedStore.types)
  func `a large value's bytes are in the tombstone`(_ type: PersistentStore.StoreType) throws {
    let store = try TrackedStore(type)
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
    let context = try store.open(model).newBackgroundContext()
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

  @Test(arguments: TrackedStore.types)
  func `writers who begin at once share one numbering, without gaps`(
    _ type: PersistentStore.StoreType
  ) async throws {
    let store = try TrackedStore(type)
    try await withThrowingTaskGroup { group in
      for number in 0..<6 {
        group.addTask {
          let context = try store.open().newBackgroundContext()
          context.transactionAuthor = "writer \(number % 2)"
          for step in 0..<8 {
            _ = try Dog.findOrCreate(named: "\(number) \(step)", in: context)
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.counters() == ["CHANGE 48", "TRANSACTION 48", "TRANSACTIONSTRING 3"])
    let transactions = try store.open().newBackgroundContext().execute(.fetchHistory(after: nil))
      .transactions
    #expect(transactions.map(\.transactionNumber) == Array(1...48))
    #expect(transactions.filter { $0.author == "writer 1" }.count == 24)
    #expect(transactions.allSatisfy { $0.changes.map(\.changeID) == [$0.transactionNumber] })
  }
}
