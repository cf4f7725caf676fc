import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Stores on a server: what they report; their behaviour is tested with the other types of stores.
@Suite struct ServerStoreTests {
  @Test(arguments: [
    ("postgres://ana:secret@db.example:5432/walks", "postgres://ana@db.example:5432/walks"),
    (
      "postgres://ana:se:c@ret@db.example/walks?store=dogs",
      "postgres://ana@db.example/walks?store=dogs"
    ),
    (
      "postgres://db.example/walks?password=secret&user=ana",
      "postgres://db.example/walks?user=ana"
    ),
    (
      "postgres://db.example/walks?pasword=secret&PWD=secret&user=ana",
      "postgres://db.example/walks?user=ana"
    ),
    ("postgresql://[::1]:5432/walks", "postgresql://[::1]:5432/walks"),
    ("postgres:///walks?host=/run/postgresql", "postgres:///walks?host=/run/postgresql"),
  ])
  func `no password is shown`(text: String, shown: String) throws {
    #expect(try #require(URL(string: text)).location == shown)
  }

  @Test func `a malformed URL shows no password`() {
    for text in ["postgres://ana:se/cret@db.example/walks", "postgres://ana:se@cr/et@db/walks"] {
      let shown = URL(string: text)?.location ?? ""
      #expect(!shown.contains("se"), "\(shown)")
      #expect(!shown.contains("cret"), "\(shown)")
    }
  }

  #if !PostgreSQL
    @Test func `without the trait there are no such stores`() throws {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      let error = #expect(throws: PersistentStoreError.self) {
        try coordinator.addPersistentStore(
          type: .postgreSQL, at: URL(string: "postgres://db.example/walks"))
      }
      guard case .unknownStoreType(.postgreSQL)? = error else { throw try #require(error) }
    }
  #else
    private func error(at text: String) throws -> PersistentStoreError {
      let url = try #require(URL(string: text))
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      return try #require(
        #expect(throws: PersistentStoreError.self) {
          try coordinator.addPersistentStore(type: .postgreSQL, at: url)
        })
    }

    @Test(
      arguments: [
        ([:], "PostgreSQL 15.18", true),
        (["server_version": "15.18 (Debian)"], "PostgreSQL 15.18", true),
        (
          [
            "crdb_version": "CockroachDB CCL v23.1.0 (x86_64-pc-linux-gnu, built 2023)",
            "server_version": "13.0.0",
          ], "CockroachDB CCL v23.1.0", false
        ),
        (["server_version": "11.2-YB-2.18.0.0-b0"], "YugabyteDB 11.2-YB-2.18.0.0-b0", false),
      ] as [([String: String], String, Bool)])
    func `an engine is recognized by its version text`(
      parameters: [String: String], name: String, isPostgreSQL: Bool
    ) {
      let engine = PostgreSQLEngine(version: 150_018) { parameters[$0] }
      #expect(engine.name == name)
      #expect(engine.hasAdvisoryLocks == isPostgreSQL)
      #expect(engine.numbersTransactions == isPostgreSQL)
      #expect(engine.hasTransactionalDDL == isPostgreSQL)
      #expect(engine.copiesRows == !name.hasPrefix("CockroachDB"))
    }

    @Test func `an unreachable server is reported without the password`() throws {
      let error = try error(at: "postgres://ana:secret@/walks?host=/nowhere")
      guard case .unreachable = error else { throw error }
      #expect(!error.description.contains("secret"))
    }

    @Test(.enabled(if: Stack.server != nil))
    func `a missing database is reported`() throws {
      let server = try #require(Stack.server)
      let error = try error(at: server.replacing("/postgres?", with: "/nowhere?"))
      guard case .refused(_, .database, _, _) = error else { throw error }
    }

    @Test(.enabled(if: Stack.server != nil))
    func `a text that a server cannot store is refused, and nothing is saved`() throws {
      let stack = try Stack(.postgreSQL)
      try stack.dog("Fido")
      let dog = try #require(try stack.context.fetch(Dog.fetchRequest()).first)
      dog.name = "Fi\0do"
      let walk = stack.walk(minutes: 5)
      dog.addToWalks(walk)
      let error = #expect(throws: PersistentStoreError.self) { try stack.context.save() }
      guard case .unwritableValue? = error else { throw try #require(error) }
      dog.name = "Fido"
      #expect(try stack.anotherContext().count(for: Walk.fetchRequest()) == 0)
      try stack.context.save()
      #expect(try stack.anotherContext().count(for: Walk.fetchRequest()) == 1)
    }

    @Test(.enabled(if: Stack.server != nil))
    func `a store with another model is unchanged`() throws {
      let stack = try Stack(.postgreSQL)
      let coordinator = PersistentStoreCoordinator(managedObjectModel: Samples.model)
      let error = #expect(throws: PersistentStoreError.self) {
        try coordinator.addPersistentStore(type: .postgreSQL, at: stack.url)
      }
      guard case .incompatibleModel? = error else { throw try #require(error) }
    }
  #endif
}
