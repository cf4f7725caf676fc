#if PostgreSQL
  import DogWalkModel
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// The persistent history of a store on a server, where a server differs from a file.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct ServerHistoryTests {
    private func server(_ store: TrackedStore) throws -> PostgreSQLConnection {
      try PostgreSQLConnection(PostgreSQLAddress(store.url), waiting: 60)
    }

    @Test func `the same work is recorded as in a file`() throws {
      let seed = SeededGenerator.seed()
      let (file, there) = (try work(on: .sqlite, seed), try work(on: .postgreSQL, seed))
      #expect(file.count > 40, "most steps must change something: seed \(seed)")
      try #require(file.count == there.count, "seed \(seed)")
      for (number, (one, other)) in zip(file, there).enumerated() {
        try #require(one == other, "transaction \(number + 1), seed \(seed)")
      }
    }

    /// Saves, undoes and redoes at random; returns the changes of each transaction.
    private func work(
      on type: PersistentStore.StoreType, _ seed: UInt64
    ) throws -> [[String]] {
      var random = SeededGenerator(seed: seed)
      let store = try TrackedStore(type)
      defer { withExtendedLifetime(store) {} }
      let stack = UndoStack(try store.open { $0.undoLogLimit = 1_000 })
      for number in 1...80 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: _ = try stack.log.undo()
        case 1: _ = try stack.log.redo()
        default: try stack.save("step \(number)") { try change($0, number, &random) }
        }
      }
      return try stack.context.execute(.fetchHistory(after: nil)).transactions.map { transaction in
        transaction.changes.map { change in
          "\(change.changedObjectID.entity.name) \(change.changedObjectID.primaryKey ?? 0) "
            + "\(change.changeType) \(change.updatedProperties.sorted())"
        }.sorted()
      }
    }

    private func change(
      _ stack: UndoStack, _ number: Int, _ random: inout SeededGenerator
    ) throws {
      let context = stack.context
      try context.refreshAllObjects()
      for part in 0..<Int.random(in: 1...3, using: &random) {
        let dogs = try context.fetch(Dog.fetchRequest()).sorted { $0.name < $1.name }
        let kind = Int.random(in: 0..<9, using: &random)
        guard dogs.count > 1, let dog = dogs.randomElement(using: &random) else {
          _ = try stack.walk("Dog \(number).\(part)", minutes: number)
          continue
        }
        let walks = dog.walks.array
        guard let walk = walks.randomElement(using: &random) else {
          dog.addToWalks(Walk(minutes: number, in: context))
          continue
        }
        switch kind {
        case 0: _ = try stack.walk("Dog \(number).\(part)", minutes: number)
        case 1 where dogs.count > 3: context.delete(dog)
        case 2: context.delete(walk)
        case 3: walk.dog = dogs.randomElement(using: &random)
        case 4 where walks.count > 1:
          var moved = dog.walks
          moved.move(fromOffset: 0, toOffset: walks.count - 1)
          dog.walks = moved
        case 5: walk.tags.insert(try Tag.findOrCreate(named: "tag \(number % 3)", in: context))
        case 6:
          if let tag = walk.tags.min(by: { $0.name < $1.name }) { walk.tags.remove(tag) }
        case 7: dog.insertIntoWalks(Walk(minutes: number, in: context), at: 0)
        default: walk.note = "note \(number)"
        }
      }
    }

    @Test func `two clients that add a history at once create one`() async throws {
      let store = try TrackedStore(.postgreSQL)
      try store.save("Fido", history: false)
      try await withThrowingTaskGroup { group in
        for number in 0..<6 {
          group.addTask { try store.save("Dog \(number)") }
        }
        try await group.waitForAll()
      }
      #expect(try store.counters()[...1] == ["CHANGE 6", "TRANSACTION 6"])
    }

    @Test func `a role that may write the store may write its history`() throws {
      let store = try TrackedStore(.postgreSQL)
      try store.save("Fido", history: false)
      let schema = try PostgreSQLAddress(store.url).schema
      let role = "role_\(UInt32.random(in: 0...UInt32.max))"
      try server(store).runAll(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(role);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)
        """)
      defer { _ = try? server(store).runAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      try store.save("Rex")
      let text = store.url.absoluteString.replacing(/user=[^&]*/, with: "user=\(role)")
      let place = try #require(URL(string: text))
      var options = PersistentStoreOptions()
      options.tracksPersistentHistory = true
      let container = try PersistentContainer(
        name: "Test", model: .dogWalk, storeURL: place,
        type: .postgreSQL, options: options)
      let context = container.newBackgroundContext()
      _ = try Dog.findOrCreate(named: "Bello", in: context)
      try context.save()
      #expect(try store.kinds() == ["0 Dog 2", "0 Dog 3"])
      try context.execute(.deleteHistory(before: nil))
      #expect(try store.changes().isEmpty)
    }

    @Test func `a transaction that is rolled back leaves none`() throws {
      let store = try TrackedStore(.postgreSQL)
      let context = try store.open().newBackgroundContext()
      struct Failure: Error {}
      #expect(throws: Failure.self) {
        try context.performWriting {
          _ = try Dog.findOrCreate(named: "Fido", in: context)
          throw Failure()
        }
      }
      context.reset()
      _ = try Dog.findOrCreate(named: "Rex", in: context)
      try context.save()
      #expect(try store.counters()[1] == "TRANSACTION 1")
      #expect(try store.changes().count == 1)
    }
  }
#endif
