#if PostgreSQL
  import DogWalkModel
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// Tests of a store on a server, and of what the server's administrator does to it.
  protocol UsesServer {
    /// The store's URL.
    var url: URL { get }
    /// The schema that it is in.
    var schema: String { get }
  }

  extension UsesServer {
    /// The URL and the schema of a store of a test's own, which does not exist yet.
    static func newStore() throws -> (url: URL, schema: String) {
      let text = TestServer.store(for: UUID().uuidString)
      let url = try #require(text.flatMap { URL(string: $0) })
      return (url, try PostgreSQLAddress(url).schema)
    }

    /// The server itself, as its administrator.
    func server() throws -> PostgreSQLConnection {
      try PostgreSQLConnection(PostgreSQLAddress(url), waiting: 60)
    }

    func open(
      as role: String? = nil, _ model: ManagedObjectModel = .dogWalk,
      _ change: (inout PersistentStoreOptions) -> Void = { _ in }
    ) throws -> PersistentContainer {
      var options = PersistentStoreOptions()
      options.busyTimeout = 60
      change(&options)
      var url = url
      if let role {
        let text = url.absoluteString.replacing(/user=[^&]*/, with: "user=\(role)")
        url = try #require(URL(string: text))
      }
      return try PersistentContainer(name: "Test", model: model, storeURL: url, options: options)
    }

    func fill() throws {
      let context = try open().newBackgroundContext()
      try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 5, in: context))
      try context.save()
    }

    /// How long Fido's walks were.
    func minutes() throws -> [Int] {
      let context = try open().newBackgroundContext()
      return try Dog.findOrCreate(named: "Fido", in: context).minutes
    }

    /// Creates a role for a body, and drops it.
    func withRole(_ rights: String, _ body: (String) throws -> Void) throws {
      let role = "role_\(UInt32.random(in: 0...UInt32.max))"
      try server().runAll("CREATE ROLE \(role) LOGIN; " + rights.replacing("%", with: role))
      defer { _ = try? server().runAll("DROP OWNED BY \(role); DROP ROLE \(role)") }
      try body(role)
    }
  }
#endif
