#if PostgreSQL
  import DogWalkModel
  import Foundation
  import TestSupport
  import Testing

  @testable import ManagedObjects

  /// Connections that end in the middle of a server's answers.
  @Suite(.enabled(if: Stack.server != nil, "needs Scripts/with-postgres"))
  struct CutConnectionTests: UsesServer {
    let url: URL
    let schema: String

    init() throws { (url, schema) = try Self.newStore() }

    private func choice() throws -> PropertyList? {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
      let store = try coordinator.addPersistentStore(type: .postgreSQL, at: url)
      return try coordinator.metadata(for: store)["choice"]
    }

    /// Writes metadata, and perhaps a tag, in one transaction, with the connection cut a number of
    /// bytes before the end of the server's answers.
    private func write(
      _ text: String, withTag: Bool, over relay: ServerRelay, cutting back: Int?, of total: Int
    ) throws {
      let container = try PersistentContainer(
        name: "Test", model: .dogWalk, storeURL: relay.url(of: url))
      let context = container.newBackgroundContext()
      let coordinator = container.persistentStoreCoordinator
      let store = try #require(coordinator.persistentStores.first)
      relay.reset(cuttingAfter: back.map { total - $0 })
      try context.performWriting {
        try coordinator.setMetadata(.string(text), forKey: "choice", of: store)
        if withTag {
          let tag = ManagedObject("Tag", in: context)
          for key in ["name", "nameKey"] { tag.setValue(text, forKey: key) }
          try context.save()
        }
      }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `what is reported as written is, wherever the connection is cut`(withTag: Bool) throws {
      try fill()
      let relay = try ServerRelay(to: url)
      defer { relay.end() }
      try write("first", withTag: withTag, over: relay, cutting: nil, of: 0)
      let total = relay.passed
      for back in Array(1...60) + stride(from: 65, to: min(total, 240), by: 5) {
        let (before, text) = (try choice(), "cut \(back)")
        do {
          try write(text, withTag: withTag, over: relay, cutting: back, of: total)
          #expect(try choice() == .string(text), "\(back) bytes before the end")
        } catch PersistentStoreError.outcomeUnknown {
          // Either is possible.
        } catch {
          #expect(try choice() == before, "\(back) bytes before the end: \(error)")
        }
      }
    }
  }
#endif
