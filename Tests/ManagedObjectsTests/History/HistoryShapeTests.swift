import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Random work on stores with a history, which an independent checker compares with the rows.
@Suite(
  .enabled(
    if: !FixtureModel.all.isEmpty && StoreChecker.isAvailable,
    "../shared/fixtures or python3 is missing"))
struct HistoryShapeTests {
  @Test(arguments: FixtureModel.all.filter { $0.contents != nil })
  func `the history of a new store records what happened to each row`(
    fixture: FixtureModel
  ) throws {
    let folder = try StoreFolder()
    let container = try folder.open(fixture.model) { $0.tracksPersistentHistory = true }
    try Self.work(on: container, folder, fixture.model, fixture.contents)
    let store = container.persistentStore
    #expect(try container.persistentStoreCoordinator.problems(in: store).isEmpty)
    // The history is in addition to what every store has.
    let contents = try #require(fixture.contents)
    let verdict = try StoreChecker.check(folder.store, against: contents)
    #expect(verdict == "0 differences, \(fixture.model.entities.count) entities\n")
  }

  /// Apple's own history, to which ours is appended.
  @Test(arguments: Fixture.all)
  func `the history of a real store is continued, and existing entries are kept`(fixture: Fixture)
    throws
  {
    let folder = try fixture.copy()
    let file = try SQLiteFile(folder.store)
    let had = try file.value("SELECT count(*) FROM sqlite_master WHERE name = 'ACHANGE'")
    let old = had == "1" ? try Self.bytes(of: folder) : []
    let container = try folder.open(fixture.model.model) {
      $0.tracksPersistentHistory = true
      $0.ignoredObstacles = [.derivedAttributes]
    }
    try Self.work(
      on: container, folder, fixture.model.model, fixture.model.contents, steps: 400)
    if had == "1" {
      #expect(old.count > 100)
      #expect(try Self.bytes(of: folder).starts(with: old))
    }
  }

  @Test(arguments: FixtureModel.all.filter { $0.contents != nil })
  func `undone and redone commands are recorded like any other`(
    fixture: FixtureModel
  ) throws {
    let folder = try StoreFolder()
    let container = try folder.open(fixture.model) {
      $0.tracksPersistentHistory = true
      $0.undoLogLimit = 100
    }
    let log = try #require(
      container.persistentStoreCoordinator.undoLog(of: container.persistentStore))
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let checker = try HistoryChecker(of: folder.store, model: fixture.contents)
    var undone = 0
    for round in 0..<12 {
      // Contexts are not notified of what is undone.
      var work = RandomModelWork(
        context: container.newBackgroundContext(), model: fixture.model)
      func look(_ what: String) throws -> Bool {
        let complaint = try checker.check()
        if complaint != "" { Issue.record("seed \(seed), round \(round), \(what): \(complaint)") }
        return complaint == ""
      }
      for _ in 0..<2 {
        for _ in 0..<15 { work.step(&random) }
        work.save()
        guard try look("saved") else { return }
      }
      if try log.undo() != nil { undone += 1 }
      guard try look("undone") else { return }
      if round % 2 == 0 { _ = try log.redo() }
      guard try look("done again") else { return }
    }
    #expect(undone > 5, "seed \(seed)")
  }

  /// Every row of the history as SQLite quotes it, with storage classes.
  private static func bytes(of folder: StoreFolder) throws -> [String] {
    let file = try SQLiteFile(folder.store)
    let columns = [
      ("ACHANGE", "Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS"),
      (
        "ATRANSACTION",
        "Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID, ZQUERYGEN"
      ),
      ("ATRANSACTIONSTRING", "Z_ENT, Z_OPT, ZNAME"),
    ]
    // The first transaction's, as the fixture has no other.
    return try columns.flatMap { table, columns in
      let quoted = columns.split(separator: ", ").map { "quote(\($0))" }.joined(
        separator: "||','||")
      let bound = table == "ACHANGE" ? "126" : table == "ATRANSACTION" ? "1" : "2"
      return try file.column("SELECT \(quoted) FROM \(table) WHERE Z_PK <= \(bound) ORDER BY Z_PK")
    }
  }

  private static func work(
    on container: PersistentContainer, _ folder: StoreFolder, _ model: ManagedObjectModel,
    _ contents: URL?, steps: Int = 600
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let context = container.newBackgroundContext()
    let checker = try HistoryChecker(of: folder.store, model: contents)
    var work = RandomModelWork(context: context, model: model)
    for step in 0..<steps {
      work.step(&random)
      guard step % 12 == 11 else { continue }
      context.transactionAuthor = step % 24 == 23 ? "author \(step % 5)" : nil
      work.save()
      let complaint = try checker.check()
      guard complaint == "" else {
        Issue.record("seed \(seed), step \(step): \(complaint)")
        return
      }
    }
    #expect(work.saves > 5, "most saves must go through: seed \(seed)")
    // What is read is what the checker has seen.
    let read = try context.execute(.fetchHistory(after: nil)).transactions
    let rows = try SQLiteFile(folder.store).number("SELECT count(*) FROM ACHANGE")
    #expect(read.reduce(0) { $0 + $1.changes.count } == rows)
  }
}
