import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// The SQL that a store runs, logged in the lines that Core Data has for it.
@Suite struct SQLDebugTests {
  /// Lines that a store has logged, from whichever thread.
  final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var told: [String] = []

    var all: [String] { lock.withLock { told } }

    func add(_ line: String) { lock.withLock { told.append(line) } }

    func output(level: Int) -> DebugOutput { DebugOutput(level: level) { self.add($0) } }

    /// The lines logged since the last call, without times.
    func take() -> [String] {
      lock.withLock {
        defer { told = [] }
        return told.map { line in
          line.replacing(#/\d+\.\d{4}s/#, with: "…s")
        }
      }
    }
  }

  private let folder: StoreFolder
  private let lines = Lines()

  init() throws { folder = try StoreFolder() }

  private func context(level: Int) throws -> ManagedObjectContext {
    try folder.open { $0.sqlDebug = lines.output(level: level) }.newBackgroundContext()
  }

  private func request() throws -> FetchRequest<Dog> {
    var request = Dog.fetchRequest()
    request.predicate = try .init(format: "name == %@", "Fido's")
    return request
  }

  @Test func `the first level logs statements, times and numbers of rows`() throws {
    try folder.save("Fido's")
    let context = try context(level: 1)
    let opening = lines.take()
    #expect(
      opening.first
        == "CoreData: annotation: Connecting to sqlite database file at \"\(folder.store.path)\"")
    _ = try context.fetch(request())
    let told = lines.take()
    #expect(told.count == 3)
    #expect(told[0].hasPrefix("CoreData: sql: SELECT ") && told[0].contains("ZNAME"))
    #expect(!told[0].contains("\n") && !told[0].contains("\\n"))
    #expect(
      told[1...] == [
        "CoreData: annotation: sql connection fetch time: …s",
        "CoreData: annotation: total fetch execution time: …s for 1 rows.",
      ])
  }

  @Test func `a save is logged from its beginning to its commit`() throws {
    let context = try context(level: 1)
    _ = lines.take()
    _ = try Dog.findOrCreate(named: "Fido", in: context)
    try context.save()
    let told = lines.take()
    let statements = told.filter { $0.hasPrefix("CoreData: sql: ") }
    #expect(statements.contains("CoreData: sql: BEGIN IMMEDIATE"))
    #expect(statements.last == "CoreData: sql: COMMIT")
    #expect(statements.contains { $0.contains("INSERT INTO") && $0.contains("ZDOG") })
    #expect(told.contains("CoreData: annotation: sql execution time: …s"))
    #expect(!told.contains { $0.contains("bind[") })
  }

  @Test func `the second level logs bound values of every type`() throws {
    _ = try folder.open()
    let connection = try Connection(
      path: folder.store.path, access: .readWrite, waiting: 0, debug: lines.output(level: 2))
    _ = lines.take()
    let statement = try connection.statement("SELECT ?2, ?1, '?''?', ?, ?, ?, ? AS \"a?b\"")
    statement.bind("it's\n?", at: 1)
    statement.bind(Int64(-5), at: 2)
    statement.bind(1.5, at: 3)
    statement.bind([0xAB, 0], at: 4)
    statement.bindNull(at: 5)
    statement.bind(Array(repeating: 1, count: 30), at: 6)
    try statement.run()
    let shown = String(repeating: "01", count: 24)
    #expect(
      lines.take().filter { $0.contains("bind[") } == [
        #"CoreData: details: SQLite bind[0] = "it's\n?""#,
        "CoreData: details: SQLite bind[1] = -5",
        "CoreData: details: SQLite bind[2] = 1.5",
        "CoreData: details: SQLite bind[3] = <ab00> (2 bytes)",
        "CoreData: details: SQLite bind[4] = NULL",
        "CoreData: details: SQLite bind[5] = <\(shown)…> (30 bytes)",
      ])
  }

  @Test func `the third level logs rows, and the fourth plans`() throws {
    try folder.save("Fido's", minutes: [5])
    for level in 2...4 {
      let context = try context(level: level)
      _ = lines.take()
      _ = try context.fetch(request())
      let told = lines.take()
      #expect(told.contains("CoreData: details: SQLite bind[0] = \"Fido's\""))
      let rows = told.filter { $0.hasPrefix("CoreData: details: row[0] = (Z_PK: 1, Z_OPT: 1, ") }
      #expect(rows.count == (level >= 3 ? 1 : 0))
      #expect(rows.allSatisfy { $0.contains("ZNAME: \"Fido's\"") })
      let plans = told.filter {
        $0.hasPrefix("CoreData: details: SQLite: EXPLAIN QUERY PLAN SELECT")
      }
      #expect(plans.count == (level == 4 ? 1 : 0))
      #expect(told.contains { $0.contains("SEARCH t0") || $0.contains("SCAN t0") } == (level == 4))
    }
  }

  @Test func `concurrent readers are logged, too`() async throws {
    try folder.save("Fido", minutes: [5])
    let container = try folder.open { $0.sqlDebug = lines.output(level: 1) }
    let coordinator = container.persistentStoreCoordinator
    _ = lines.take()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await container.performBackgroundTask {
            try $0.count(for: Walk.fetchRequest())
          }
        }
      }
      for try await count in group { #expect(count == 1) }
    }
    let told = lines.take()
    #expect(told.filter { $0.hasPrefix("CoreData: sql: SELECT count(*)") }.count == 8)
    withExtendedLifetime(coordinator) {}
  }

  @Test func `level 0 logs nothing, and without an output there is no trace`() throws {
    let container = try folder.open { $0.sqlDebug = lines.output(level: 0) }
    let store = try #require(container.persistentStore as? SQLiteStore)
    #expect(store.connection.observer == nil)
    #expect(lines.all.isEmpty)
    let other = try #require(try folder.open().persistentStore as? SQLiteStore)
    #expect(other.connection.observer == nil)
  }

  @Test(
    arguments: [
      ([], nil), (["-com.apple.CoreData.SQLDebug"], nil),
      (["-com.apple.CoreData.SQLDebug", "3"], 3),
      (["-v", "-com.apple.CoreData.SQLDebug", "1", "walks"], 1),
      (["-com.apple.CoreData.SQLDebug", "much"], nil),
      (["-com.apple.CoreData.SQLDebug", "-com.apple.CoreData.SQLDebug", "2"], 2),
    ] as [([String], Int?)])
  func `a program's arguments name a level`(words: [String], level: Int?) {
    var pointers = (["program"] + words).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    #expect(DebugOutput.level(behind: "-com.apple.CoreData.SQLDebug", in: &pointers) == level)
  }

  @Test(
    arguments: [
      ("add Fido 30m", "add Fido 30m"),
      ("-com.apple.CoreData.SQLDebug 1 list", "list"),
      (
        "list -com.apple.CoreData.SQLDebug 1 -com.apple.CoreData.MigrationDebug 2 --json",
        "list --json"
      ),
      ("list -com.apple.CoreData.SQLDebug", "list -com.apple.CoreData.SQLDebug"),
      ("list -com.apple.CoreData.SQLDebug Fido", "list -com.apple.CoreData.SQLDebug Fido"),
    ])
  func `a program's own arguments remain without them`(words: String, remaining: String) {
    let found = DebugOutput.removingRequests(from: words.split(separator: " ").map(String.init))
    #expect(found.joined(separator: " ") == remaining)
  }

  @Test func `the environment sets the level, and control characters are escaped`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      setenv("MANAGEDOBJECTS_SQLDEBUG", "2", 1)
      let folder = try StoreFolder()
      try folder.save("Fi\u{1B}[2Jdo")
    }
    let told = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(told.contains("CoreData: annotation: Connecting to sqlite database file at"))
    #expect(told.contains(#" = "Fi\x1b[2Jdo""#))
    #expect(!told.contains("\u{1B}"))
  }

  @Test func `a migration logs its steps`() throws {
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Box", properties: [.value("name", .string)])
    ])
    let new = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Box", properties: [.value("name", .string), .value("size", .double)])
    ])
    _ = try folder.open(old)
    _ = try folder.open(new) {
      $0.migratesAutomatically = true
      $0.infersMapping = true
      $0.migrationDebug = lines.output(level: 2)
    }
    #expect(
      lines.take() == [
        "CoreData: annotation: (migration) will attempt automatic schema migration of "
          + "\"\(folder.store.path)\"",
        "CoreData: annotation: (migration) inferred a mapping model with 1 entity mappings",
        "CoreData: details: (migration) IEM_Transform_Box: Box to Box",
        "CoreData: annotation: (migration) migration completed successfully in …s",
      ])
  }
}
