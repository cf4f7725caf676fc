#if PostgreSQL
  import DataModel
  import DogWalkModel
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// Databases, schemas and tables that are not as a store needs them, and what it does with them.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct ServerDatabaseTests: UsesServer {
    let url: URL
    let schema: String

    init() throws { (url, schema) = try Self.newStore() }

    // MARK: Encodings

    @Test(arguments: ["LATIN1", "SQL_ASCII"])
    func `a database with another encoding gets no store, and an existing one is used`(
      encoding: String
    ) throws {
      let name = "encoding_\(UInt32.random(in: 0...UInt32.max))"
      try server().runAll(
        "CREATE DATABASE \(name) ENCODING '\(encoding)' TEMPLATE template0 LOCALE 'C'")
      defer { _ = try? server().runAll("DROP DATABASE \(name) WITH (FORCE)") }
      let text = url.absoluteString.replacing("/postgres?", with: "/\(name)?")
      let place = try #require(URL(string: text))
      let error = #expect(throws: PersistentStoreError.self) {
        try PersistentContainer(name: "Test", model: .dogWalk, storeURL: place)
      }
      guard case .serverFailed(_, "MOENC", let reason)? = error else { throw try #require(error) }
      #expect(reason.contains(encoding))
      let moved = #expect(throws: PersistentStoreError.self) {
        let stack = try Stack()
        try stack.container.persistentStoreCoordinator.migratePersistentStore(
          stack.container.persistentStore, to: place, type: .postgreSQL)
      }
      guard case .serverFailed(_, "MOENC", _)? = moved else { throw try #require(moved) }
      // As programs made them that did not check.
      let connection = try PostgreSQLConnection(PostgreSQLAddress(place), waiting: 60)
      #expect(try PostgreSQLStore.isEmpty(connection))
      try PostgreSQLStore.exclusively(connection) {
        let identity = PersistentStoreIdentity(identifier: UUID().uuidString)
        let bound = ModelBinding(.dogWalk, store: identity)
        _ = try PostgreSQLStore.makeTables(connection, .dogWalk, bound, [:])
      }
      let container = try PersistentContainer(name: "Test", model: .dogWalk, storeURL: place)
      let context = container.newBackgroundContext()
      try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 5, in: context))
      try context.save()
      #expect(try container.newBackgroundContext().count(for: Walk.fetchRequest()) == 1)
    }

    // MARK: Names

    @Test func `a store is the same by each of its URLs, and a copy of it is another one`() throws {
      try fill()
      let name = "copies_\(UInt32.random(in: 0...UInt32.max))"
      try server().runAll("CREATE DATABASE \(name) TEMPLATE template0")
      defer { _ = try? server().runAll("DROP DATABASE \(name) WITH (FORCE)") }
      let text = url.absoluteString
      let container = try open()
      func isSame(_ other: URL) throws -> Bool {
        try PersistentStoreCoordinator.isSameStore(at: url, as: other)
      }
      let alias = text.replacing("postgres:", with: "postgresql:") + "&application_name=other"
      #expect(try isSame(#require(URL(string: alias))))
      let place = try #require(
        URL(string: text.replacing("/postgres?", with: "/\(name)?")) as URL?)
      let source = try open()
      let copy = try source.persistentStoreCoordinator.migratePersistentStore(
        source.persistentStore, to: place, type: .postgreSQL)
      #expect(copy.identifier == container.persistentStore.identifier)
      #expect(try !isSame(place))
      #expect(try !isSame(URL(filePath: "/tmp/walks.sqlite")))
      #expect(try !isSame(#require(URL(string: text + "_none"))))
      // Nothing is locked any more.
      #expect(try minutes() == [5])
    }

    // MARK: Tables

    @Test(arguments: [
      "DROP TABLE ZDOG", "ALTER TABLE ZDOG RENAME TO ZCAT", "ALTER TABLE ZDOG RENAME ZNAME TO N",
    ])
    func `a table that was removed or renamed is neither read nor written`(
      change: String
    ) throws {
      try fill()
      try server().runAll("SET search_path = \(schema); \(change)")
      let context = try open().newBackgroundContext()
      for attempt: () throws -> Void in [
        { _ = try context.fetch(Dog.fetchRequest()) },
        {
          let dog = ManagedObject("Dog", in: context)
          dog.setValue("rex", forKey: "nameKey")
          try context.save()
        },
      ] {
        let error = #expect(throws: PersistentStoreError.self) { try attempt() }
        guard case .serverFailed? = error else { throw try #require(error) }
      }
    }

    @Test(arguments: [
      "ALTER ZDURATION TYPE text", "ALTER ZPEECOUNT TYPE int4", "ALTER ZDATE TYPE real",
      "ALTER ZUUID TYPE text", "ALTER Z_FOK_DOG TYPE float8",
    ])
    func `a column whose type was changed is not misread`(change: String) throws {
      try fill()
      try server().runAll("ALTER TABLE \(schema).ZWALK \(change)")
      let context = try open().newBackgroundContext()
      let error = #expect(throws: PersistentStoreError.self) {
        try context.fetch(Walk.fetchRequest())
      }
      guard case .serverFailed(_, "42804", _)? = error else { throw try #require(error) }
    }

    @Test func `an incomplete store is refused as not a store`() throws {
      try fill()
      try server().runAll("DROP TABLE \(schema).Z_METADATA")
      let error = #expect(throws: PersistentStoreError.self) { try open() }
      guard case .notAStore? = error else { throw try #require(error) }
      try server().runAll("DROP TABLE \(schema).Z_PRIMARYKEY")
      #expect(throws: PersistentStoreError.self) { try open() }
      #expect(try server().run("SELECT count(*) FROM \(schema).ZWALK").integer(0, 0) == 1)
    }

    // MARK: Size

    @Test func `names may be long and similar, and columns many`() throws {
      let name = String(repeating: "walk", count: 20)
      let properties = (1...70).map { PropertyDescription.value("\(name)\($0)", .integer64) }
      let model = ManagedObjectModel(entities: [
        EntityDescription(name: "\(name.capitalized)Dog", properties: properties)
      ])
      let context = try open(model).newBackgroundContext()
      let object = ManagedObject("\(name.capitalized)Dog", in: context)
      for number in 1...70 { object.setValue(Int64(number), forKey: "\(name)\(number)") }
      try context.save()
      let again = try open(model).newBackgroundContext()
      let found = try #require(again.all("\(name.capitalized)Dog").first)
      for number in 1...70 {
        #expect(found.value(forKey: "\(name)\(number)") as? Int64 == Int64(number))
      }
    }

    @Test func `more columns than a table can have are refused, and nothing is created`() throws {
      let properties = (1...1_700).map { PropertyDescription.value("a\($0)", .integer64) }
      let model = ManagedObjectModel(entities: [
        EntityDescription(name: "Wide", properties: properties)
      ])
      let error = #expect(throws: PersistentStoreError.self) { try open(model) }
      guard case .serverFailed? = error else { throw try #require(error) }
      #expect(try PostgreSQLStore.isEmpty(server()))
    }
  }
#endif
