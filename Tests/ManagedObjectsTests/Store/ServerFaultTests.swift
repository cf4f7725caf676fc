#if PostgreSQL
  import DataModel
  import DogWalkModel
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// Failures of a server, and how a store handles them.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct ServerFaultTests: UsesServer {
    let url: URL
    let schema: String

    init() throws { (url, schema) = try Self.newStore() }

    /// A counter for several tasks.
    private final class Counter: Sendable {
      let count = Atomic(0)
    }

    // MARK: Other clients

    @Test func `a client that waits too long for others is told so, and loses nothing`() throws {
      try fill()
      let patient = try open().newBackgroundContext()
      let impatient = try open { $0.busyTimeout = 0.05 }.newBackgroundContext()
      let dog = try Dog.findOrCreate(named: "Fido", in: impatient)
      dog.addToWalks(Walk(minutes: 6, in: impatient))
      try patient.performWriting {
        let error = #expect(throws: PersistentStoreError.self) { try impatient.save() }
        guard case .busy? = error else { throw try #require(error) }
        #expect(impatient.hasChanges)
      }
      try impatient.save()
      #expect(try minutes() == [5, 6])
    }

    @Test func `saves into two stores in either order end, and each is consistent`() async throws {
      let second = try ServerFaultTests()
      try fill()
      try second.fill()
      let saved = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        // No server sees that two clients wait for each other over two connections each: the less
        // patient one gives way.
        for (stores, patience) in [([url, second.url], 0.2), ([second.url, url], 0.8)] {
          group.addTask {
            let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
            var options = PersistentStoreOptions()
            options.busyTimeout = patience
            for url in stores {
              try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
            }
            for _ in 0..<30 {
              let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
              for store in coordinator.persistentStores {
                let tag = ManagedObject("Tag", in: context)
                context.assign(tag, to: store)
                tag.setValue(UUID().uuidString, forKey: "nameKey")
              }
              do {
                try context.save()
                saved.count.add(1, ordering: .relaxed)
              } catch PersistentStoreError.busy {
                // Each waited for the other.
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(saved.count.load(ordering: .relaxed) > 0)
    }

    @Test func `saved changes are kept when connections are cut at any moment`() async throws {
      try fill()
      let ended = Counter()
      let lock = try Int64(UInt32(truncatingIfNeeded: PostgreSQLAddress(url).lockNumber))
      let kept = try await withThrowingTaskGroup(of: [Int].self) { group in
        for writer in 1...4 {
          group.addTask {
            var kept: [Int] = []
            for step in 0..<40 {
              let minutes = writer * 1_000 + step
              do {
                let context = try open().newBackgroundContext()
                let dog = try Dog.findOrCreate(named: "Fido", in: context)
                dog.addToWalks(Walk(minutes: minutes, in: context))
                try context.save()
                kept.append(minutes)
              } catch PersistentStoreError.connectionLost {
                // Nothing was changed.
              } catch PersistentStoreError.unreachable {
                // It had not reached the commit.
              } catch PersistentStoreError.outcomeUnknown {
                // Reported as one or the other.
              }
            }
            return kept
          }
        }
        group.addTask {
          let killer = try server()
          while ended.count.load(ordering: .relaxed) == 0 {
            _ = try killer.run(
              """
              SELECT pg_terminate_backend(pid)::int::int8 FROM pg_locks
              WHERE locktype = 'advisory' AND granted AND objid = ? AND random() < 0.5
              """, [.integer(lock)])
            try await Task.sleep(for: .milliseconds(5))
          }
          return []
        }
        var kept: [Int] = []
        for _ in 1...4 { kept += try await group.next() ?? [] }
        ended.count.store(1, ordering: .relaxed)
        try await group.waitForAll()
        return kept
      }
      let there = try Set(minutes())
      #expect(!kept.isEmpty)
      #expect(there.isSuperset(of: kept))
    }

    @Test func `a server restarted between two fetches is waited for`() throws {
      try fill()
      // A socket path of our own, which can be away for a while.
      let text = url.absoluteString
      let host = try #require(text.firstMatch(of: /host=([^&]*)/)?.1)
      let port = text.firstMatch(of: /port=([^&]*)/)?.1 ?? "5432"
      let folder = URL(filePath: "/tmp/mo-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let socket = folder.appending(path: ".s.PGSQL.\(port)")
      let real = URL(filePath: "\(host)/.s.PGSQL.\(port)")
      try FileManager.default.createSymbolicLink(at: socket, withDestinationURL: real)
      let way = try #require(
        URL(string: text.replacing("host=\(host)", with: "host=\(folder.path)")))
      var options = PersistentStoreOptions()
      options.busyTimeout = 60
      let container = try PersistentContainer(
        name: "Test", model: .dogWalk, storeURL: way, options: options)
      let coordinator = container.persistentStoreCoordinator
      let store = try #require(
        coordinator.rowStore(container.persistentStore) as? PostgreSQLStore)
      let context = container.newBackgroundContext()
      #expect(try context.count(for: Walk.fetchRequest()) == 1)
      let process = try store.connection.runAll("SELECT pg_backend_pid()").text(0, 0)
      try FileManager.default.removeItem(at: socket)
      _ = try server().runAll("SELECT pg_terminate_backend(\(process ?? ""))")
      Thread.detachNewThread {
        usleep(500_000)
        try? FileManager.default.createSymbolicLink(at: socket, withDestinationURL: real)
      }
      try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 8, in: context))
      try context.save()
      #expect(try minutes() == [5, 8])
    }

    @Test func `an idle client that holds the lock is disconnected, and others continue`() throws {
      try fill()
      let container = try open()
      let coordinator = container.persistentStoreCoordinator
      let store = try #require(
        coordinator.rowStore(container.persistentStore) as? PostgreSQLStore)
      let idle = container.newBackgroundContext()
      let other = try open { $0.busyTimeout = 30 }.newBackgroundContext()
      try idle.performWriting {
        let dog = try Dog.findOrCreate(named: "Fido", in: idle)
        dog.addToWalks(Walk(minutes: 6, in: idle))
        let patience = "idle_in_transaction_session_timeout"
        #expect(try store.connection.runAll("SHOW \(patience)").text(0, 0) == "1min")
        _ = try store.connection.runAll("SET LOCAL \(patience) = 200")
        // Waits until the server has disconnected the other one.
        try Dog.findOrCreate(named: "Fido", in: other).addToWalks(Walk(minutes: 7, in: other))
        try other.save()
        let error = #expect(throws: PersistentStoreError.self) { try idle.save() }
        // It had not reached the commit.
        guard case .unreachable? = error else { throw try #require(error) }
        #expect(idle.hasChanges)
      }
      #expect(try minutes() == [5, 7])
      try idle.refreshAllObjects()
      try idle.save()
      #expect(try minutes() == [5, 7, 6])
    }

    // MARK: Permissions

    @Test
    func `a role that may not create a schema is refused, and so is one that may not read it`()
      throws
    {
      try withRole("") { role in
        let error = #expect(throws: PersistentStoreError.self) { try open(as: role) }
        guard case .refused(_, .permission, _, role)? = error else { throw try #require(error) }
        try fill()
        let hidden = #expect(throws: PersistentStoreError.self) { try open(as: role) }
        guard case .refused(_, .permission, _, role)? = hidden else { throw try #require(hidden) }
      }
    }

    /// Whether the server has messages in a language; `with-postgres` provides German.
    private func speaks(_ language: String) throws -> Bool {
      (try? server().runAll("SET lc_messages = '\(language)'")) != nil
    }

    @Test(arguments: ["C", "de_DE.UTF-8"])
    func `a read-only role reads, and cannot write`(language: String) throws {
      try fill()
      guard try speaks(language) else { return }
      let rights =
        "ALTER ROLE % SET lc_messages = '\(language)'; "
        + "GRANT USAGE ON SCHEMA \(schema) TO %; GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO %"
      try withRole(rights) { role in
        let context = try open(as: role).newBackgroundContext()
        let dog = try Dog.findOrCreate(named: "Fido", in: context)
        #expect(dog.minutes == [5])
        dog.name = "Rex"
        let error = #expect(throws: PersistentStoreError.self) { try context.save() }
        guard case .refused(_, .permission, _, role)? = error else { throw try #require(error) }
        #expect(context.hasChanges)
        let reader = try open(as: role) { $0.isReadOnly = true }.newBackgroundContext()
        #expect(try reader.count(for: Walk.fetchRequest()) == 1)
      }
      #expect(try minutes() == [5])
    }

    @Test func `a role's own settings change nothing`() throws {
      try fill()
      let settings =
        [
          "standard_conforming_strings = off", "client_encoding = 'LATIN1'",
          "DateStyle = 'German'", "extra_float_digits = 0", "search_path = ''",
          "default_transaction_isolation = 'serializable'", "bytea_output = 'escape'",
          "TimeZone = 'Asia/Tokyo'",
        ] + (try speaks("de_DE.UTF-8") ? ["lc_messages = 'de_DE.UTF-8'"] : [])
      let set = settings.map { "ALTER ROLE % SET \($0); " }.joined()
      let rights =
        "GRANT ALL ON SCHEMA \(schema) TO %; GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO %"
      try withRole(set + rights) { role in
        let context = try open(as: role).newBackgroundContext()
        let dog = try Dog.findOrCreate(named: "Fido", in: context)
        let walk = Walk(minutes: 7, in: context)
        walk.note = #"C:\new "dögs" 'and' 🐕 $1 ?"#
        walk.distance = 0.1 + 0.2
        dog.addToWalks(walk)
        try context.save()
        let again = try open(as: role).newBackgroundContext()
        var request = Walk.fetchRequest()
        request.predicate = try FetchPredicate(format: "note == %@", walk.note ?? "")
        let found = try #require(again.fetch(request).first)
        #expect(found.note == walk.note && found.distance == 0.1 + 0.2)
        #expect(found.date == walk.date && found.uuid == walk.uuid)
      }
    }

    @Test func `a unique text that is too long to be indexed is refused as such`() throws {
      let context = try open().newBackgroundContext()
      var generator = SystemRandomNumberGenerator()
      let letters = (0..<8_000).map { _ in
        Character(UnicodeScalar(UInt8.random(in: 97...122, using: &generator)))
      }
      _ = try Dog.findOrCreate(named: String(letters), in: context)
      let error = #expect(throws: PersistentStoreError.self) { try context.save() }
      guard case .unwritableValue? = error else { throw try #require(error) }
    }

    @Test func `what an administrator has made read-only is not written`() throws {
      try fill()
      let rights =
        "GRANT ALL ON SCHEMA \(schema) TO %; GRANT ALL ON ALL TABLES IN SCHEMA \(schema) TO %"
      try withRole(rights + "; ALTER ROLE % SET default_transaction_read_only = on") { role in
        let context = try open(as: role).newBackgroundContext()
        #expect(try context.count(for: Walk.fetchRequest()) == 1)
        try context.fetch(Dog.fetchRequest()).first?.addToWalks(Walk(minutes: 7, in: context))
        let error = #expect(throws: PersistentStoreError.self) { try context.save() }
        guard case .readOnly? = error else { throw try #require(error) }
        #expect(context.hasChanges)
      }
      #expect(try minutes() == [5])
    }

    @Test func `a role that has used up its connections is told so`() throws {
      try withRole("ALTER ROLE % CONNECTION LIMIT 0") { role in
        let error = #expect(throws: PersistentStoreError.self) {
          try open(as: role) { $0.busyTimeout = 0.05 }
        }
        guard case .serverFailed(_, "53300", _)? = error else { throw try #require(error) }
      }
    }

    @Test func `a wrong password is reported as such`() throws {
      for (state, refusal) in [
        ("28P01", PersistentStoreError.ServerRefusal.login), ("28000", .login),
        ("3D000", .database), ("42501", .permission),
      ] {
        let error = #expect(throws: PersistentStoreError.self) {
          try PersistentStoreError.mapping(of: server().address) {
            throw PostgreSQLError(state: state, message: "no")
          }
        }
        guard case .refused(_, refusal, _, _)? = error else { throw try #require(error) }
      }
    }
  }
#endif
