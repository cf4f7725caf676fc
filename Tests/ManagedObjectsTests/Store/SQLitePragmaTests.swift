import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// Pragmas, and other settings made when a SQLite store is opened.
@Suite struct SQLitePragmaTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func connection(
    _ pragmas: [String: String], _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> Connection {
    let container = try folder.open {
      $0.sqlitePragmas = pragmas
      change(&$0)
    }
    return try #require(container.persistentStore as? SQLiteStore).connection
  }

  private func text(_ sql: String, on connection: Connection) throws -> String? {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.string(at: 0) : nil
  }

  @Test(arguments: ["DELETE", "truncate"])
  func `a store may be switched to a journal, and back to a log`(mode: String) throws {
    try folder.save("Fido", minutes: [1])
    do {
      let container = try folder.open { $0.sqlitePragmas = ["journal_mode": mode] }
      let store = try #require(container.persistentStore as? SQLiteStore)
      #expect(try text("PRAGMA journal_mode", on: store.connection) == mode.lowercased())
      let context = container.newBackgroundContext()
      try Dog.findOrCreate(named: "Fido", in: context).addToWalks(Walk(minutes: 2, in: context))
      try context.save()
      #expect(try !folder.names().contains("DogWalk.sqlite-wal"))
      let other = try folder.open { $0.sqlitePragmas = ["journal_mode": mode] }
      let otherContext = other.newBackgroundContext()
      #expect(try Dog.findOrCreate(named: "Fido", in: otherContext).minutes == [1, 2])
    }
    #expect(try folder.contents() == ["Fido": [1, 2]])
    #expect(try text("PRAGMA journal_mode", on: connection([:])) == "wal")
  }

  @Test func `reading connections get the same settings as the writing one`() async throws {
    try folder.save("Fido", minutes: [1])
    let container = try folder.open { $0.sqlitePragmas = ["cache_size": "-123"] }
    let store = try #require(container.persistentStore as? SQLiteStore)
    #expect(try store.connection.integer("PRAGMA cache_size") == -123)
    let pool = try #require(store.readers)
    try pool.withReader {
      let reader = try #require($0 as? SQLiteReader)
      #expect(reader.connection !== store.connection)
      #expect(try reader.connection.integer("PRAGMA cache_size") == -123)
    }
  }

  @Test func `commits are synced as requested`() throws {
    #expect(try connection([:]).integer("PRAGMA synchronous") == 3)
    #expect(try connection(["synchronous": "NORMAL"]).integer("PRAGMA synchronous") == 1)
    #expect(
      try connection(["synchronous": "full", "journal_mode": "DELETE"])
        .integer("PRAGMA synchronous") == 2)
  }

  @Test func `a new file has the requested page size, an old one once it is vacuumed`()
    throws
  {
    #expect(try connection(["page_size": "8192"]).integer("PRAGMA page_size") == 8192)
    try folder.save("Fido", minutes: [1, 2])
    #expect(try connection(["page_size": "1024"]).integer("PRAGMA page_size") == 8192)
    #expect(
      try connection(["page_size": "1024"]) { $0.vacuumsStore = true }
        .integer("PRAGMA page_size") == 1024)
    #expect(try folder.contents() == ["Fido": [1, 2]])
    let file = try SQLiteFile(folder.store)
    #expect(try file.value("PRAGMA journal_mode") == "wal")
    #expect(try file.value("PRAGMA integrity_check") == "ok")
    #expect(try file.value("PRAGMA auto_vacuum") == "2")
  }

  @Test(arguments: [
    ("synchronous", "OFF"), ("synchronous", "0"), ("synchronous", "sometimes"),
    ("journal_mode", "MEMORY"), ("journal_mode", "off"), ("journal_mode", "PERSIST"),
    ("locking_mode", "EXCLUSIVE"), ("wal_autocheckpoint", "10"), ("auto_vacuum", "0"),
    ("fullfsync", "0"), ("page_size", "1000"), ("page_size", "131072"), ("cache_size", "much"),
    ("cache_size", "1; DROP TABLE ZDOG"), ("writable_schema", "1"),
    ("synchronous; DROP TABLE", "1"),
  ])
  func `a pragma that breaks a promise is refused with the reason`(name: String, value: String)
    throws
  {
    let error = try #require(
      #expect(throws: PersistentStoreError.self) { try connection([name: value]) })
    guard case .refusedPragma(folder.store, name, value, let reason) = error else { throw error }
    #expect(!reason.isEmpty)
    #expect(
      "\(error)" == "\(folder.store.path) cannot have the pragma \(name) = \(value): \(reason).")
    #expect(try folder.names().isEmpty, "no file was made")
  }

  @Test func `without a log synchronous may not be NORMAL`() throws {
    let error = try #require(
      #expect(throws: PersistentStoreError.self) {
        try connection(["synchronous": "NORMAL", "journal_mode": "DELETE"])
      })
    guard case .refusedPragma(_, "synchronous", "NORMAL", _) = error else { throw error }
  }

  @Test func `a read-only store obeys pragmas that concern reading`() throws {
    try folder.save("Fido", minutes: [1])
    let before = try folder.bytes()
    do {
      let connection = try connection(["cache_size": "77", "journal_mode": "DELETE"]) {
        $0.isReadOnly = true
        $0.vacuumsStore = true
        $0.analyzesStore = true
      }
      #expect(try connection.integer("PRAGMA cache_size") == 77)
    }
    #expect(try folder.bytes() == before)
  }

  @Test func `a store is analyzed and vacuumed when it is opened`() throws {
    try folder.save("Fido", minutes: Array(0..<3_000))
    do {
      let context = try folder.open().newBackgroundContext()
      try context.delete(Dog.findOrCreate(named: "Fido", in: context))
      try context.save()
    }
    let size = try Data(contentsOf: folder.store).count
    _ = try folder.open {
      $0.vacuumsStore = true
      $0.analyzesStore = true
    }
    #expect(try Data(contentsOf: folder.store).count < size / 2)
    let file = try SQLiteFile(folder.store)
    #expect(try file.number("SELECT count(*) FROM sqlite_stat1") > 0)
    #expect(try folder.contents().isEmpty)
    let container = try folder.open()
    #expect(
      try container.persistentStoreCoordinator.problems(in: container.persistentStore).isEmpty)
  }

  @Test func `a store being written by others is not vacuumed`() throws {
    try folder.save("Fido", minutes: [1])
    let other = try SQLiteFile(folder.store)
    try other.execute("BEGIN IMMEDIATE")
    let error = try #require(
      #expect(throws: PersistentStoreError.self) {
        try folder.open {
          $0.vacuumsStore = true
          $0.busyTimeout = 0.1
        }
      })
    guard case .busy(folder.store) = error else { throw error }
    try other.execute("ROLLBACK")
    #expect(try folder.contents() == ["Fido": [1]])
  }
}
