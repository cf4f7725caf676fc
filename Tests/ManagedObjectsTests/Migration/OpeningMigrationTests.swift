import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Stores of another version opened by one process or by several, and what prevents that.
@Suite(.serialized) struct OpeningMigrationTests {
  private static let new = StoreMigrationTests.changed("Dog") {
    $0.properties.append(.value("age", .integer16))
  }

  private static func version(of folder: StoreFolder) throws -> ManagedObjectModel? {
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: .sqlite)
    return [StoreMigrationTests.dogs, new].first(compatibleWithStoreMetadata: metadata)
  }

  @Test func `a container migrates a store, a coordinator refuses it unless asked to`() throws {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.bytes()
    #expect(throws: PersistentStoreError.self) { try folder.open(Self.new) }
    #expect(throws: MigrationError.missingMappingModel(folder.store)) {
      try folder.open(Self.new) { $0.migratesAutomatically = true }
    }
    #expect(try folder.bytes() == before)
    let container = try PersistentContainer(
      name: "Test", model: Self.new, storeURL: folder.store)
    let dogs = try container.newBackgroundContext()
      .fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.count == 2)
    // A second time there is nothing to do.
    #expect(try folder.migrate(to: Self.new) == nil)
  }

  @Test func `a context that has the store open with the old model can no longer save into it`()
    throws
  {
    let folder = try StoreMigrationTests.kennel()
    let container = try folder.open(StoreMigrationTests.dogs)
    let context = container.newBackgroundContext()
    let fido = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog")).first)
    try folder.migrate(to: Self.new)
    for change in [
      { fido.setValue("Max", forKey: "name") },
      { ManagedObject("Dog", in: context).setValue("Rex", forKey: "name") },
    ] {
      change()
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .incompatibleModel(folder.store, _, _) = error else { throw try #require(error) }
      context.rollback()
    }
    let dogs = try folder.open(Self.new).newBackgroundContext()
      .fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
    #expect(dogs.map { $0.value(forKey: "name") as? String } == ["Fido", "Rex"])
  }

  /// The new model lacks a column or has other entity numbers.
  @Test(arguments: [
    StoreMigrationTests.changed("Dog") { $0.properties.removeAll { $0.name == "name" } },
    ManagedObjectModel(
      entities: StoreMigrationTests.dogs.entities + [EntityDescription(name: "Ant")]),
  ])
  func `a context that has the store open with the old model learns that it was migrated`(
    new: ManagedObjectModel
  ) throws {
    let request = FetchRequest<ManagedObject>(entityName: "Dog")
    for isReadOnly in [false, true] {
      for hasFetched in [false, true] {
        let folder = try StoreMigrationTests.kennel()
        let container = try folder.open(StoreMigrationTests.dogs) { $0.isReadOnly = isReadOnly }
        let context = container.newBackgroundContext()
        if hasFetched { #expect(try context.fetch(request).count == 2) }
        try folder.migrate(to: new)
        for context in [context, container.newBackgroundContext()] {
          for _ in 1...2 {
            let error = #expect(throws: PersistentStoreError.self) { try context.fetch(request) }
            guard case .incompatibleModel(folder.store, _, _) = error else {
              throw try #require(error)
            }
          }
          #expect(throws: PersistentStoreError.self) { try context.count(for: request) }
        }
      }
    }
  }

  @Test func `a fault with the old model is not read after a migration`() throws {
    let folder = try StoreMigrationTests.kennel()
    let container = try folder.open(StoreMigrationTests.dogs)
    let context = container.newBackgroundContext()
    var request = FetchRequest<ManagedObject>(entityName: "Dog")
    request.includesPropertyValues = false
    let dogs = try context.fetch(request)
    #expect(dogs[0].value(forKey: "name") != nil)
    try folder.migrate(
      to: ManagedObjectModel(
        entities: StoreMigrationTests.dogs.entities + [EntityDescription(name: "Ant")]))
    #expect(dogs[1].value(forKey: "name") == nil)
    guard case .incompatibleModel? = context.faultingError as? PersistentStoreError else {
      Issue.record("\(String(describing: context.faultingError))")
      return
    }
  }

  @Test func `a read-only store is never migrated`() throws {
    let folder = try StoreMigrationTests.kennel()
    let before = try folder.allBytes()
    #expect(throws: PersistentStoreError.self) {
      try folder.open(Self.new) {
        $0 = .migrating
        $0.isReadOnly = true
      }
    }
    #expect(try folder.allBytes() == before)
  }

  @Test func `a store without a model needs a given one to be migrated`() throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute("DELETE FROM Z_MODELCACHE")
    let before = try folder.bytes()
    #expect(throws: MigrationError.missingSourceModel(folder.store)) {
      try folder.migrate(to: Self.new)
    }
    #expect(throws: MigrationError.missingSourceModel(folder.store)) {
      try folder.migrate(to: Self.new, from: [Self.new])
    }
    #expect(try folder.bytes() == before)
    _ = try folder.open(Self.new) {
      $0 = .migrating
      $0.sourceModels = [Self.new, StoreMigrationTests.dogs]
    }
    #expect(
      try Self.version(of: folder)?.entityVersionHashesByName
        == Self.new.entityVersionHashesByName)
  }

  @Test func `a damaged model in a store is an error, and the store is unchanged`() throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'")
    let before = try folder.bytes()
    #expect(throws: ModelArchiveError.self) { try folder.migrate(to: Self.new) }
    #expect(try folder.bytes() == before)
  }

  @Test func `a store being written by another program is busy`() throws {
    let folder = try StoreMigrationTests.kennel()
    let other = try SQLiteFile(folder.store)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: PersistentStoreError.self) {
      try folder.migrate(to: Self.new) { $0.busyTimeout = 0.05 }
    }
    guard case .busy = error else { return #expect(Bool(false), "\(error!)") }
    try other.execute("ROLLBACK")
    #expect(try folder.migrate(to: Self.new) != nil)
  }

  @Test func `a store with a history is refused`() throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER);
      INSERT INTO ACHANGE VALUES (1, 1), (2, 2);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2)
      """)
    let before = try folder.bytes()
    #expect(throws: PersistentStoreError.self) { try folder.migrate(to: Self.new) }
    #expect(try folder.bytes() == before)
  }

  @Test func `the undo log is cleared where rows no longer match it, and kept otherwise`() throws {
    let folder = try StoreFolder()
    let options: (inout PersistentStoreOptions) -> Void = { $0.undoLogLimit = 10 }
    do {
      let context = try folder.open(StoreMigrationTests.dogs, options).newBackgroundContext()
      _ = ManagedObject("Dog", in: context)
      try context.save()
    }
    let required = StoreMigrationTests.changed("Walk") {
      $0.properties[0] = .attribute(
        .init(name: "duration", type: .double, defaultValue: .double(1)))
    }
    #expect(try folder.migrate(to: required)?.droppedUndoLog == false)
    #expect(try SQLiteFile(folder.store).value("SELECT count(*) FROM MO_UNDO") == "1")
    let more = StoreMigrationTests.changed(required, "Dog") {
      $0.properties.append(.value("age", .integer16))
    }
    #expect(try folder.migrate(to: more)?.droppedUndoLog == true)
    let container = try folder.open(more, options)
    let log = container.persistentStoreCoordinator.undoLog(of: container.persistentStore)
    #expect(try log?.commands().isEmpty == true)
  }

  @Test func `of several that open a store at once one migrates it`() async throws {
    let folder = try StoreMigrationTests.kennel()
    let results = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try PersistentStoreCoordinator.migrateStore(at: folder.store, to: Self.new) != nil
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter(\.self).count == 1)
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: Self.new).isEmpty)
  }

  @Test func `a full disk leaves the old store`() async throws {
    let folder = try StoreFolder(at: SharedFolder.filled(of: getpid()))
    try folder.fill(StoreMigrationTests.dogs) { context in
      for _ in 0..<100 { _ = ManagedObject("Dog", in: context) }
    }
    let before = try folder.bytes()
    await #expect(processExitsWith: .success) {
      let folder = try StoreFolder(at: SharedFolder.filled(of: getppid()))
      folder.isKept = true
      let wide = StoreMigrationTests.changed("Dog") {
        $0.properties[0] = .attribute(
          .init(
            name: "text", type: .string,
            defaultValue: .string(String(repeating: "x", count: 10_000))))
      }
      FileSizeLimit.set(200_000)
      let error = #expect(throws: PersistentStoreError.self) {
        try PersistentStoreCoordinator.migrateStore(at: folder.store, to: wide)
      }
      FileSizeLimit.lift()
      guard case .full? = error else { return #expect(Bool(false), "\(error!)") }
    }
    #expect(try folder.bytes() == before)
  }

  @Test func `a killed migration leaves the old store or the new one`() async throws {
    let folder = try StoreFolder(at: SharedFolder.migrated(of: getpid()))
    try folder.fill(StoreMigrationTests.dogs) { context in
      for number in 0..<3_000 {
        let dog = ManagedObject("Dog", in: context)
        dog.setValue("Dog \(number)", forKey: "name")
        ManagedObject("Walk", in: context).setValue(dog, forKey: "dog")
      }
    }
    let original = try Data(contentsOf: folder.store)
    for _ in 0..<12 {
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: folder.store.path + suffix)
      }
      try original.write(to: folder.store)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let folder = try StoreFolder(at: SharedFolder.migrated(of: getppid()))
        folder.isKept = true
        let thread = Thread {
          usleep(.random(in: 0..<60_000))
          kill(getpid(), SIGKILL)
        }
        thread.start()
        try PersistentStoreCoordinator.migrateStore(
          at: folder.store, to: OpeningMigrationTests.killed)
        while true { sleep(1) }
      }
      let metadata = try PersistentStoreCoordinator.metadata(
        forPersistentStoreAt: folder.store, type: .sqlite)
      let models = [StoreMigrationTests.dogs, Self.killed]
      let model = try #require(models.first(compatibleWithStoreMetadata: metadata))
      #expect(
        try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: model).isEmpty)
      let context = try folder.open(model).newBackgroundContext()
      #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Walk")) == 3_000)
    }
  }

  @Test func `progress advances within a long table, and ends with the commit`() throws {
    let folder = try StoreFolder()
    try folder.fill(StoreMigrationTests.dogs) { _ = ManagedObject("Dog", in: $0) }
    try SQLiteFile(folder.store).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
      INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT, ZDURATION) SELECT i, 2, 1, i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 200000 WHERE Z_ENT = 2
      """)
    var heard: [Double] = []
    try PersistentStoreCoordinator.migrateStore(at: folder.store, to: Self.killed) {
      heard.append($0)
    }
    #expect(heard == heard.sorted() && heard.last == 1, "\(heard)")
    #expect(heard.filter { $0 > 0.1 && $0 < 0.9 }.count >= 4, "\(heard)")
    let context = try folder.open(Self.killed).newBackgroundContext()
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Walk")) == 200_000)
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: Self.killed).isEmpty)
  }

  /// Every table is rewritten, and every row renumbered.
  private static let killed = ManagedObjectModel(
    entities: StoreMigrationTests.dogs.entities.map { entity in
      var entity = entity
      if entity.name == "Dog" {
        entity.properties[0] = .attribute(
          .init(name: "breed", type: .string, defaultValue: .string("dog")))
      } else {
        entity.properties[0] = .value("note", .string)
      }
      return entity
    } + [EntityDescription(name: "Cat")])
}
