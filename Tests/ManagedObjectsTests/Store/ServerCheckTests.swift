#if PostgreSQL
  import DogWalkModel
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// The faults found in a store on a server.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct ServerCheckTests: UsesServer {
    let url: URL
    let schema: String

    init() throws {
      (url, schema) = try Self.newStore()
      let context = try open().newBackgroundContext()
      for (name, lengths) in [("Fido", 1...3), ("Rex", 4...4)] {
        let dog = try Dog.findOrCreate(named: name, in: context)
        // Each one has the next key.
        for minutes in lengths {
          dog.addToWalks(Walk(minutes: minutes, in: context))
          try context.save()
        }
      }
    }

    private func problems() throws -> [StoreProblem] {
      try PersistentStoreCoordinator.problems(ofStoreAt: url, model: .dogWalk)
    }

    /// Runs statements that name tables without their schema.
    private func change(_ sql: String) throws {
      try server().runAll("BEGIN; SET LOCAL search_path = \(schema); \(sql); COMMIT")
    }

    private func state() throws -> Int64 {
      try server().run("SELECT Z_STATE FROM \(schema).Z_METADATA").integer(0, 0)
    }

    // MARK: What is found

    @Test func `nothing is found in an intact store, and nothing is changed`() throws {
      let before = try state()
      #expect(try problems() == [])
      let container = try open()
      let coordinator = container.persistentStoreCoordinator
      #expect(try coordinator.problems(in: container.persistentStore) == [])
      #expect(try state() == before)
    }

    @Test(
      arguments: StoreHarm.ofRows + [
        StoreHarm(sql: "INSERT INTO Z_2WALKS VALUES (8, 1)", kind: .danglingReference),
        StoreHarm(
          sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Tag'", kind: .bookkeeping),
        StoreHarm(sql: "DELETE FROM Z_PRIMARYKEY", kind: .bookkeeping),
        StoreHarm(
          sql: """
            ALTER TABLE Z_PRIMARYKEY DROP CONSTRAINT Z_PRIMARYKEY_PKEY;
            INSERT INTO Z_PRIMARYKEY VALUES (4, 'Walk', 0, 4)
            """, kind: .bookkeeping),
        StoreHarm(sql: "UPDATE Z_METADATA SET Z_STATE = NULL", kind: .bookkeeping),
        StoreHarm(sql: "UPDATE Z_METADATA SET Z_MARKS = NULL", kind: .bookkeeping),
        StoreHarm(
          sql: """
            INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST, Z_STATE, Z_MARKS FROM Z_METADATA
            """, kind: .bookkeeping),
      ])
    func `contradictions to the model are found, with their rows`(harm: StoreHarm) throws {
      try change(harm.sql)
      let found = try problems()
      #expect(harm.isFound(in: found), "\(found)")
    }

    @Test(arguments: [
      StoreHarm(sql: "DROP INDEX ZWALK_ZTRACK_INDEX", kind: .schema),
      StoreHarm(sql: "DROP INDEX ZWALK_ZDOG_Z_FOK_DOG_INDEX, Z_WALK_BYDOGANDDATE", kind: .schema),
      StoreHarm(sql: "ALTER TABLE ZWALK ADD COLUMN ZMOOD text", kind: .schema),
      StoreHarm(sql: "ALTER TABLE ZTAG DROP CONSTRAINT ZTAG_PKEY", kind: .schema),
      StoreHarm(sql: "ALTER TABLE Z_2WALKS DROP CONSTRAINT Z_2WALKS_PKEY", kind: .schema),
      StoreHarm(sql: "DROP INDEX Z_DOG_UNIQUE_NAMEKEY", kind: .schema),
      StoreHarm(
        sql: """
          DROP INDEX Z_DOG_UNIQUE_NAMEKEY;
          CREATE UNIQUE INDEX EXTRA ON ZDOG (ZNAMEKEY) WHERE Z_PK > 1
          """, kind: .schema),
      StoreHarm(sql: "DROP TABLE MO_UNDO", kind: .schema),
      StoreHarm(sql: "DROP TABLE MO_UNDO_VERSION", kind: .schema),
      StoreHarm(
        sql: "DROP INDEX Z_DOG_UNIQUE_NAMEKEY; UPDATE ZDOG SET ZNAMEKEY = 'fido'",
        kind: .repeatedValue, keys: [1, 2]),
      StoreHarm(
        sql: """
          ALTER TABLE ZDOG DROP CONSTRAINT ZDOG_PKEY;
          INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT) VALUES (2, 1, 1)
          """, kind: .repeatedValue, keys: [2, 2]),
      StoreHarm(
        sql: """
          ALTER TABLE Z_2WALKS DROP CONSTRAINT Z_2WALKS_PKEY;
          INSERT INTO Z_2WALKS VALUES (8, 1), (8, 1)
          """, kind: .repeatedValue),
      StoreHarm(sql: "ALTER TABLE ZWALK ALTER ZDURATION TYPE text", kind: .missingTable),
      StoreHarm(sql: "ALTER TABLE Z_2WALKS ALTER Z_2TAGS TYPE int4", kind: .missingTable),
      StoreHarm(sql: "ALTER TABLE Z_PRIMARYKEY ALTER Z_MAX TYPE numeric", kind: .missingTable),
      StoreHarm(sql: "ALTER TABLE Z_METADATA DROP COLUMN Z_STATE", kind: .missingTable),
      StoreHarm(sql: #"ALTER TABLE ZDOG RENAME TO "ZDOG""#, kind: .missingTable),
      StoreHarm(sql: "DROP TABLE Z_2WALKS", kind: .missingTable),
    ])
    func `missing parts of the schema are found, with their consequences`(harm: StoreHarm) throws {
      try change(harm.sql)
      let found = try problems()
      #expect(harm.isFound(in: found), "\(found)")
    }

    @Test(arguments: [
      "CREATE DOMAIN minutes AS float8; ALTER TABLE ZWALK ALTER ZDURATION TYPE minutes",
      """
      DROP INDEX ZWALK_ZDOG_Z_FOK_DOG_INDEX, ZWALK_ZTRACK_INDEX;
      CREATE INDEX EXTRA ON ZWALK (ZTRACK, ZDATE); CREATE INDEX OTHER ON ZWALK ((ZDOG + 1))
      """,
      """
      DROP INDEX Z_DOG_UNIQUE_NAMEKEY;
      ALTER TABLE ZDOG ADD CONSTRAINT extra UNIQUE (ZNAMEKEY) INCLUDE (ZNAME)
      """,
      "DROP TABLE MO_KEPT", "CREATE TABLE OTHERS (a int); CREATE VIEW MORE AS SELECT 1 AS b",
    ])
    func `an administrator's harmless changes are not reported`(sql: String) throws {
      try change(sql)
      #expect(try problems() == [])
      #expect(try minutes() == [1, 2, 3])
    }

    @Test func `of many rows the first are named, and all are counted`() throws {
      try change(
        """
        INSERT INTO ZWALK (Z_PK, Z_ENT, Z_OPT, ZWALKER) SELECT n, 4, 1, 9
        FROM generate_series(100, 1099) AS n; UPDATE Z_PRIMARYKEY SET Z_MAX = 1099
        """)
      // They also have no date.
      let found = try problems().filter { $0.kind != .missingValue }
      #expect(found.map(\.kind) == [.danglingReference])
      #expect(found.map(\.primaryKeys) == [Array(100..<120)])
      #expect(
        found.first?.description.hasPrefix(
          "ZWALK: 1000 rows whose ZWALKER refers to no row of ZWALKER (Z_PK 100, 101, ") ?? false)
      #expect(found.first?.description.hasSuffix(", 119, …)") ?? false)
    }

    // MARK: How it is checked

    @Test func `the check takes few round trips, however many faults there may be`() throws {
      let container = try open()
      let coordinator = container.persistentStoreCoordinator
      let store = try #require(
        coordinator.rowStore(container.persistentStore) as? PostgreSQLStore)
      let before = store.connection.exchanges
      #expect(try coordinator.problems(in: store) == [])
      // Two of them read the undo log, which is empty.
      #expect(store.connection.exchanges - before <= 9)
      #expect(!store.connection.isInTransaction)
    }

    @Test func `within a transaction its state is checked, and the transaction continues`() throws {
      let container = try open()
      let (coordinator, store) = (
        container.persistentStoreCoordinator, container.persistentStore
      )
      let context = container.newBackgroundContext()
      try context.performReading {
        #expect(try context.count(for: Walk.fetchRequest()) == 4)
        try change("UPDATE ZWALK SET Z_FOK_DOG = NULL WHERE Z_PK = 3")
        #expect(try coordinator.problems(in: store) == [])
      }
      #expect(try coordinator.problems(in: store).map(\.primaryKeys) == [[3]])
      try context.performWriting {
        #expect(try coordinator.problems(in: store).map(\.primaryKeys) == [[3]])
        try Dog.findOrCreate(named: "Rex", in: context)
          .addToWalks(Walk(minutes: 5, in: context))
        try context.save()
      }
      #expect(try context.count(for: Walk.fetchRequest()) == 5)
    }

    @Test func `a role that may only read finds them, and one that may not is refused`() throws {
      try change("UPDATE ZWALK SET Z_FOK_DOG = NULL WHERE Z_PK = 3")
      func problems(as role: String) throws -> [StoreProblem] {
        let text = url.absoluteString.replacing(/user=[^&]*/, with: "user=\(role)")
        return try PersistentStoreCoordinator.problems(
          ofStoreAt: #require(URL(string: text)), model: .dogWalk)
      }
      let rights =
        "GRANT USAGE ON SCHEMA \(schema) TO %; GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO %"
      try withRole(rights + "; ALTER ROLE % SET default_transaction_read_only = on") { role in
        #expect(try problems(as: role).map(\.primaryKeys) == [[3]])
        try server().runAll("REVOKE SELECT ON \(schema).ZDOG FROM \(role)")
        let error = #expect(throws: PersistentStoreError.self) { try problems(as: role) }
        guard case .refused(_, .permission, _, role)? = error else { throw try #require(error) }
      }
    }

    @Test func `a schema whose name has to be quoted is checked, too`() throws {
      let place = try #require(URL(string: url.absoluteString + "%20%22Odd%22"))
      let container = try PersistentContainer(name: "Test", model: .dogWalk, storeURL: place)
      let context = container.newBackgroundContext()
      try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 5, in: context))
      try context.save()
      func problems() throws -> [StoreProblem] {
        try PersistentStoreCoordinator.problems(ofStoreAt: place, model: .dogWalk)
      }
      #expect(try problems() == [])
      try server().runAll("UPDATE \"\(schema) \"\"Odd\"\"\".ZWALK SET ZDOG = 2")
      #expect(try problems().map(\.kind) == [.danglingReference])
    }

    @Test func `a missing store, or another program's tables, are reported`() throws {
      let place = try #require(URL(string: url.absoluteString + "_other"))
      let none = #expect(throws: PersistentStoreError.self) {
        try PersistentStoreCoordinator.problems(ofStoreAt: place, model: .dogWalk)
      }
      guard case .fileNotFound? = none else { throw try #require(none) }
      try server().runAll("CREATE SCHEMA \(schema)_other")
      for table in ["a", "Z_METADATA"] {
        try server().runAll("CREATE TABLE \(schema)_other.\(table) (b int)")
        let other = #expect(throws: PersistentStoreError.self) {
          try PersistentStoreCoordinator.problems(ofStoreAt: place, model: .dogWalk)
        }
        guard case .notAStore? = other else { throw try #require(other) }
      }
    }
  }
#endif
