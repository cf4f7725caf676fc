#if PostgreSQL
  import DataModel
  import DogWalkModel
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// Stores on a server: moved there, and migrated to other versions of their model.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct ServerMigrationTests {
    /// Employees whose salary is called pay, and a new entity.
    private static let newer: ManagedObjectModel = {
      var entities = Staff.model.entities
      let index = entities.firstIndex { $0.name == "Employee" }!
      entities[index].properties.removeAll { $0.name == "salary" }
      entities[index].properties.append(
        .attribute(
          AttributeDescription(
            name: "pay", type: .integer32, isOptional: true, renamingIdentifier: "salary")))
      entities.append(EntityDescription(name: "Office", properties: [.value("name", .string)]))
      return ManagedObjectModel(entities: entities)
    }()

    private let url: URL
    private let folder: StoreFolder

    init() throws {
      folder = try StoreFolder()
      url = try #require(TestServer.store(for: folder.url.path).flatMap { URL(string: $0) })
    }

    private func open(
      _ model: ManagedObjectModel, _ change: (inout PersistentStoreOptions) -> Void = { _ in }
    ) throws -> PersistentContainer {
      var options = PersistentStoreOptions()
      options.busyTimeout = 300
      change(&options)
      return try PersistentContainer(name: "Staff", model: model, storeURL: url, options: options)
    }

    private func openMigrating(
      _ change: (inout PersistentStoreOptions) -> Void = { _ in }
    ) throws -> PersistentContainer {
      try open(Self.newer) {
        $0.migratesAutomatically = true
        $0.infersMapping = true
        change(&$0)
      }
    }

    /// Makes a store with Anna and Ben in a department, and Cleo, who has left.
    private func fill() throws {
      let container = try open(Staff.model) { $0.undoLogLimit = 10 }
      let context = container.newBackgroundContext()
      let department = ManagedObject("Department", in: context)
      department.setValue("Kennel", forKey: "name")
      for (name, entity) in [("Anna", "Employee"), ("Ben", "Manager"), ("Cleo", "Employee")] {
        let employee = ManagedObject(entity, in: context)
        employee.setValue(name, forKey: "name")
        employee.setValue(Int32(name.utf8.count * 1000), forKey: "salary")
        employee.setValue(department, forKey: "department")
        try context.save()
      }
      context.delete(try #require(context.all("Employee").first { $0.text("name") == "Cleo" }))
      try context.save()
      try container.persistentStoreCoordinator.setMetadata(
        ["Kept": .string("here")], for: container.persistentStore)
    }

    private func server() throws -> PostgreSQLConnection {
      try PostgreSQLConnection(PostgreSQLAddress(url), waiting: 60)
    }

    // MARK: Migrating

    /// Without the check, new objects would get the entity numbers of the old model.
    @Test func `a store that was opened with the old model learns that it was migrated`() throws {
      try fill()
      let container = try open(Staff.model)
      let context = container.newBackgroundContext()
      _ = try openMigrating()
      func expectRefusal(_ body: () throws -> Void) throws {
        let error = #expect(throws: PersistentStoreError.self, performing: body)
        guard case .incompatibleModel(url, _, _) = error else { throw try #require(error) }
      }
      for _ in 1...2 {
        ManagedObject("Employee", in: context).setValue("Eve", forKey: "name")
        try expectRefusal { try context.save() }
        context.rollback()
        try expectRefusal {
          try container.persistentStoreCoordinator.performWriting { _ = try context.all("Manager") }
        }
        try expectRefusal { _ = try context.all("Employee") }
      }
      #expect(
        Set(try openMigrating().newBackgroundContext().all("Employee").map { $0.text("name") })
          == ["Anna", "Ben"])
    }

    @Test func `a store that was made again under the same URL is not written`() throws {
      try fill()
      let context = try open(Staff.model).newBackgroundContext()
      try PersistentStoreCoordinator(managedObjectModel: Staff.model).destroyPersistentStore(
        at: url, type: .postgreSQL)
      _ = try open(Staff.model)
      ManagedObject("Employee", in: context).setValue("Eve", forKey: "name")
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .moved(url) = error else { throw try #require(error) }
    }

    @Test func `a store is migrated when it is opened`() throws {
      try fill()
      let before = try open(Staff.model)
      let uuid = before.persistentStore.identifier
      let keys = try before.newBackgroundContext().all("Employee").map(\.objectID.primaryKey)
      let backup = folder.url.appending(path: "old.sqlite")
      let container = try openMigrating { $0.migrationBackupURL = backup }
      let context = container.newBackgroundContext()
      let employees = try context.all("Employee").sorted { $0.text("name")! < $1.text("name")! }
      #expect(employees.map { $0.text("name") } == ["Anna", "Ben"])
      #expect(employees.map { $0.value(forKey: "pay") as? Int32 } == [4000, 3000])
      #expect(employees.map(\.entity.name) == ["Employee", "Manager"])
      #expect(employees.map(\.objectID.primaryKey) == keys)
      let department = try #require(context.all("Department").first)
      #expect((department.value(forKey: "employees") as? Set<ManagedObject>)?.count == 2)
      #expect(container.persistentStore.identifier == uuid)
      let metadata = try container.persistentStoreCoordinator.metadata(
        for: container.persistentStore)
      #expect(metadata["Kept"] == .string("here"))
      #expect(container.persistentStoreCoordinator.undoLog(of: container.persistentStore) == nil)
      // Cleo's key is not reused.
      let dora = ManagedObject("Employee", in: context)
      ManagedObject("Office", in: context).setValue("Upstairs", forKey: "name")
      try context.save()
      #expect(dora.objectID.primaryKey == 4)
      let old = try PersistentContainer(name: "Old", model: Staff.model, storeURL: backup)
      #expect(try old.newBackgroundContext().all("Employee").count == 2)
      let refused = #expect(throws: PersistentStoreError.self) { try open(Staff.model) }
      guard case .incompatibleModel? = refused else { throw try #require(refused) }
    }

    @Test func `earlier commands are not undone in another model's rows`() throws {
      try fill()
      let result = try #require(
        try PersistentStoreCoordinator.migrateStore(at: url, to: Self.newer))
      #expect(result.droppedUndoLog)
      let container = try open(Self.newer) { $0.undoLogLimit = 10 }
      let log = container.persistentStoreCoordinator.undoLog(of: container.persistentStore)
      #expect(try log?.nextToUndo() == nil)
      #expect(try PersistentStoreCoordinator.migrateStore(at: url, to: Self.newer) == nil)
    }

    @Test func `a store that cannot be migrated is unchanged`() throws {
      try fill()
      let before = try StoreSnapshot(of: open(Staff.model).newBackgroundContext())
      var entities = Self.newer.entities
      entities[0].properties.append(
        .attribute(AttributeDescription(name: "badge", type: .string, isOptional: false)))
      let backup = folder.url.appending(path: "old.sqlite")
      var options = PersistentStoreOptions()
      options.migrationBackupURL = backup
      #expect(throws: (any Error).self) {
        try PersistentStoreCoordinator.migrateStore(
          at: url, to: ManagedObjectModel(entities: entities), options: options)
      }
      #expect(try StoreSnapshot(of: open(Staff.model).newBackgroundContext()) == before)
      #expect(!FileManager.default.fileExists(atPath: backup.path))
      let refused = #expect(throws: PersistentStoreError.self) { try open(Self.newer) }
      guard case .incompatibleModel? = refused else { throw try #require(refused) }
      let read = #expect(throws: PersistentStoreError.self) {
        try openMigrating { $0.isReadOnly = true }
      }
      guard case .incompatibleModel? = read else { throw try #require(read) }
    }

    @Test func `several programs at once migrate it once`() async throws {
      try fill()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let context = try openMigrating().newBackgroundContext()
            #expect(try context.all("Employee").count >= 2)
            ManagedObject("Office", in: context).setValue("Upstairs", forKey: "name")
            try context.save()
          }
        }
        try await group.waitForAll()
      }
      let context = try open(Self.newer).newBackgroundContext()
      #expect(try context.all("Office").count == 8)
      #expect(try context.all("Employee").count == 2)
    }

    @Test func `a program killed during a migration leaves the old store`() throws {
      try fill()
      let before = try StoreSnapshot(of: open(Staff.model).newBackgroundContext())
      // The connection ends with the program, and with it its transaction.
      var options = PersistentStoreOptions()
      options.busyTimeout = 300
      let connection = try server()
      let number = try connection.run("SELECT pg_backend_pid()::int8").integer(0, 0)
      #expect(number > 0)
      #expect(throws: (any Error).self) {
        try PersistentStoreCoordinator.migrateStore(
          at: url, to: Self.newer, options: options,
          progress: { part in
            guard part > 0 else { return }
            _ = try? connection.run(
              """
              SELECT pg_terminate_backend(pid) FROM pg_locks
              WHERE locktype = 'advisory' AND granted AND objid = ? AND pid <> pg_backend_pid()
              """, [.integer(Int64(UInt32(truncatingIfNeeded: connection.address.lockNumber)))])
          })
      }
      #expect(try StoreSnapshot(of: open(Staff.model).newBackgroundContext()) == before)
      #expect(try openMigrating().newBackgroundContext().all("Employee").count == 2)
    }

    @Test func `roles that could read its tables still can, and so can views of them`() throws {
      try fill()
      let connection = try server()
      let (schema, role) = (
        connection.address.schema, "reader_\(UInt32.random(in: 0...UInt32.max))"
      )
      try connection.runAll(
        """
        CREATE ROLE \(role); GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role);
        CREATE VIEW \(schema).names AS SELECT ZNAME FROM \(schema).ZEMPLOYEE
        """)
      defer { _ = try? connection.runAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      _ = try openMigrating()
      for table in ["ZEMPLOYEE", "ZDEPARTMENT", "ZOFFICE", "Z_METADATA"] {
        let may = try connection.run(
          "SELECT has_table_privilege(?, ?, 'SELECT')::int::int8",
          [.text(role), .text("\(schema).\(table)")])
        #expect(may.integer(0, 0) == 1, "\(table)")
      }
      #expect(try connection.run("SELECT * FROM \(schema).names").count == 2)
    }

    @Test func `a history continues after a migration, by any program that keeps it`() throws {
      do {
        let context = try open(Staff.model) { $0.tracksPersistentHistory = true }
          .newBackgroundContext()
        context.transactionAuthor = "Ana"
        for name in ["Anna", "Ben"] {
          ManagedObject("Manager", in: context).setValue(name, forKey: "name")
          try context.save()
        }
        context.delete(try #require(context.all("Manager").first { $0.text("name") == "Ben" }))
        try context.save()
      }
      let error = #expect(throws: PersistentStoreError.self) { try openMigrating() }
      guard case .cannotWrite(_, .persistentHistory)? = error else { throw try #require(error) }
      let backup = folder.url.appending(path: "old.sqlite")
      let context = try openMigrating {
        $0.tracksPersistentHistory = true
        $0.migrationBackupURL = backup
      }.newBackgroundContext()
      try context.all("Manager")[0].setValue("Anne", forKey: "name")
      try context.save()
      let transactions = try context.execute(.fetchHistory(after: nil)).transactions
      #expect(transactions.map(\.transactionNumber) == [1, 2, 3, 4, 5])
      #expect(transactions[..<3].allSatisfy { $0.author == "Ana" })
      #expect(transactions[3].author == "com.apple.coredata.schemamigrator")
      #expect(transactions[3].changes.isEmpty)
      let changes = transactions.flatMap(\.changes)
      #expect(changes.map(\.changeType) == [.insert, .insert, .delete, .update])
      #expect(changes.allSatisfy { $0.changedObjectID.entity.name == "Manager" })
      #expect(changes[0].changedObjectID == changes[3].changedObjectID)
      #expect(changes[1].changedObjectID == changes[2].changedObjectID)
      let old = try PersistentContainer(name: "Staff", model: Staff.model, storeURL: backup)
      #expect(try old.newBackgroundContext().all("Manager").count == 1)
    }

    // MARK: Moving

    @Test func `a file is moved to a server with its UUID and keys, and back`() throws {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      try folder.save("Fido", minutes: [5, 6, 7])
      try folder.save("Rex", minutes: [8])
      let file = try coordinator.addPersistentStore(type: .sqlite, at: folder.store)
      let before = try StoreSnapshot(of: folder.open().newBackgroundContext())
      let moved = try coordinator.migratePersistentStore(file, to: url, type: .postgreSQL)
      #expect(moved.identifier == file.identifier)
      #expect(try StoreSnapshot(of: open(.dogWalk).newBackgroundContext()) == before)
      #expect(try coordinator.problems(in: moved) == [])
      let back = try StoreFolder()
      try coordinator.write(moved, to: back.store, type: .sqlite)
      #expect(try StoreSnapshot(of: back.open().newBackgroundContext()) == before)
      #expect(try PersistentStoreCoordinator.problems(ofStoreAt: back.store, model: .dogWalk) == [])
      let taken = #expect(throws: PersistentStoreError.self) {
        try coordinator.write(moved, to: url, type: .postgreSQL)
      }
      guard case .failed(_, let error)? = taken else { throw try #require(taken) }
      #expect(error.systemErrno == EEXIST)
    }

    // MARK: Random

    /// How many: `ROUNDS=500` for more than usual.
    private static let rounds =
      ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) } ?? 12

    @Test func `a store on a server is migrated as a file is`() throws {
      let seed = SeededGenerator.seed()
      for round in 0..<Self.rounds {
        var random = SeededGenerator(seed: seed &+ UInt64(round))
        try ServerMigrationTests().migrate(&random, "seed \(seed &+ UInt64(round))")
      }
    }

    private func migrate(_ random: inout SeededGenerator, _ hint: String) throws {
      let old = RandomModel(&random)
      let container = try folder.open(old.model)
      let context = container.newBackgroundContext()
      var objects = RandomObjects(context: context, model: old)
      for _ in 0..<20 { objects.insert(&random) }
      try context.save()
      try container.persistentStoreCoordinator.write(
        container.persistentStore, to: url, type: .postgreSQL)
      var steps = RandomModelSteps(old.model, version: 0)
      for _ in 0..<Int.random(in: 1...6, using: &random) { steps.step(&random) }
      let new = steps.model
      try PersistentStoreCoordinator.migrateStore(at: folder.store, to: new)
      let result = try PersistentStoreCoordinator.migrateStore(at: url, to: new)
      // Versions that differ in indexes alone have equal hashes: then there is nothing to do.
      guard result != nil else { return }
      // On a server derived attributes have no value.
      if !new.entities.contains(where: { $0.attributes.contains(where: \.isDerived) }) {
        #expect(
          try StoreSnapshot(of: open(new).newBackgroundContext())
            == StoreSnapshot(of: folder.open(new).newBackgroundContext()), "\(hint): \(steps.log)")
      }
      let faults = try PersistentStoreCoordinator.problems(ofStoreAt: url, model: new)
      #expect(faults == [], "\(hint): \(steps.log)")
      let fresh = try ServerMigrationTests()
      _ = try fresh.open(new)
      #expect(try tables() == fresh.tables(), "\(hint): \(steps.log)")
    }

    /// The columns and indexes of the store's tables.
    private func tables() throws -> [String] {
      let connection = try server()
      let schema = connection.address.schema
      let columns = try connection.run(
        """
        SELECT table_name || ' ' || column_name || ' ' || data_type
        FROM information_schema.columns WHERE table_schema = ? ORDER BY 1
        """, [.text(schema)])
      let indexes = try connection.run(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = ? ORDER BY 1", [.text(schema)])
      return (0..<columns.count).compactMap { columns.text($0, 0) }
        + (0..<indexes.count).compactMap { indexes.text($0, 0)?.replacing(schema, with: "store") }
    }
  }
#endif
