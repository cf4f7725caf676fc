import DogWalkModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// The faults found in a store.
@Suite struct StoreFaultTests {
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try folder.save("Fido", minutes: [1, 2, 3])
    try folder.save("Rex", minutes: [4])
  }

  private func problems() throws -> [StoreProblem] {
    try PersistentStoreCoordinator.problems(ofStoreAt: folder.store, model: .dogWalk)
  }

  /// Whether the independent checker finds something.
  private func isFoundElsewhere() throws -> Bool {
    try StoreChecker.check(folder.store) != "0 differences, 5 entities\n"
  }

  @Test func `nothing is found in an intact store, and nothing is changed`() throws {
    let before = try folder.allBytes()
    #expect(try problems().isEmpty)
    #expect(try folder.allBytes() == before)
    let container = try folder.open()
    #expect(
      try container.persistentStoreCoordinator.problems(in: container.persistentStore).isEmpty)
  }

  @Test(
    arguments: StoreHarm.ofRows + [
      StoreHarm(sql: "DROP INDEX ZWALK_ZDOG_INDEX", kind: .schema),
      StoreHarm(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'Z_PK INTEGER PRIMARY KEY', 'Z_PK INTEGER')
          WHERE name = 'ZTAG'
          """, kind: .schema),
      StoreHarm(sql: "ALTER TABLE ZWALK ADD COLUMN ZMOOD VARCHAR", kind: .schema),
      StoreHarm(
        sql: "UPDATE ZWALK SET ZDURATION = 'abc' WHERE Z_PK IN (1, 3)", kind: .unreadableValue,
        keys: [1, 3]),
      StoreHarm(
        sql: "UPDATE ZWALK SET ZNOTE = x'ff' WHERE Z_PK = 2", kind: .unreadableValue, keys: [2]),
      StoreHarm(
        sql: "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = 0; VACUUM", kind: .bookkeeping),
    ])
  func `contradictions to the model are found, with their rows`(harm: StoreHarm) throws {
    try SQLiteFile(folder.store).execute(harm.sql)
    let found = try problems()
    #expect(harm.isFound(in: found), "\(found)")
    // The other checker does not look at single values.
    guard StoreChecker.isAvailable, harm.kind != .unreadableValue else { return }
    #expect(try isFoundElsewhere())
  }

  @Test func `commands that cannot be undone are found`() throws {
    do {
      let container = try folder.open { $0.undoLogLimit = 100 }
      let context = container.newBackgroundContext()
      for name in ["Luna", "Otis"] {
        _ = try Dog.findOrCreate(named: name, in: context)
        try context.save()
      }
    }
    #expect(try problems().isEmpty)
    let file = try SQLiteFile(folder.store)
    let whole = try file.value("SELECT hex(CHANGES) FROM MO_UNDO WHERE SERIAL = 1")
    for damage in ["NULL", "'text'", "x'ff00'", "x'\(whole.dropLast(2))'"] {
      try file.execute("UPDATE MO_UNDO SET CHANGES = \(damage) WHERE SERIAL = 1")
      let found = try problems()
      #expect(found.map(\.kind) == [.undoLog], "\(damage): \(found)")
      #expect(found.first?.description.contains("SERIAL 1)") == true, "\(found)")
    }
  }

  @Test(arguments: [
    StoreHarm(
      sql: "DROP INDEX Z_Dog_UNIQUE_nameKey; UPDATE ZDOG SET ZNAMEKEY = 'x'", kind: .repeatedValue,
      keys: [1, 2]),
    StoreHarm(sql: "UPDATE ZDOG SET ZNAME = NULL WHERE Z_PK = 2", kind: .missingValue, keys: [2]),
    StoreHarm(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Walk'", kind: .bookkeeping),
    StoreHarm(
      sql: """
        INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT, ZWALK, ZPOINTS) VALUES (1, 3, 1, 2, x'00');
        UPDATE ZWALK SET ZTRACK = 1 WHERE Z_PK = 1;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Track'
        """, kind: .oneSidedReference, keys: [1]),
  ])
  func `values that the model does not allow are found`(harm: StoreHarm) throws {
    #expect(try problems().isEmpty)
    try SQLiteFile(folder.store).execute(harm.sql)
    let found = try problems()
    #expect(harm.isFound(in: found), "\(found)")
  }

  @Test(
    .enabled(if: StoreChecker.isAvailable, "../shared/tools or python3 is missing"),
    arguments: [
      "NSStoreModelVersionHashesDigest", "NSStoreType", "NSStoreModelVersionHashesVersion",
      "_NSAutoVacuumLevel", "NSPersistenceFrameworkVersion", "NSStoreModelVersionIdentifiers",
    ])
  func `faults of the metadata are found`(key: String) throws {
    let script = """
      import plistlib, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      plist = plistlib.loads(store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
      if sys.argv[2].endswith("Digest"): plist[sys.argv[2]] = "another"
      else: del plist[sys.argv[2]]
      bytes = plistlib.dumps(plist, fmt=plistlib.FMT_BINARY)
      store.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (bytes,))
      store.commit()
      """
    _ = try Python.run(script, [folder.store.path, key])
    #expect(try problems().map(\.kind) == [.bookkeeping])
    #expect(try isFoundElsewhere())
  }

  @Test(
    .enabled(if: !Fixture.all.isEmpty, "../shared/fixtures are missing"), arguments: Fixture.all)
  func `in real stores only the faults known to the independent checker are found`(
    fixture: Fixture
  ) throws {
    let folder = try fixture.copy()
    let found = try PersistentStoreCoordinator.problems(
      ofStoreAt: folder.store, model: fixture.model.model)
    // Their rows are intact; the differences in bookkeeping and indexes are older systems' work.
    #expect(
      found.allSatisfy { [.bookkeeping, .schema].contains($0.kind) && $0.primaryKeys.isEmpty },
      "\(found)")
  }

  @Test func `damage of the file is found, and the rest is read`() throws {
    let page = try SQLiteFile(folder.store).number(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'ZWALK_ZDOG_INDEX'")
    var bytes = try Data(contentsOf: folder.store)
    bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
    try bytes.write(to: folder.store)
    #expect(try problems().contains { $0.kind == .damagedFile })
  }

  @Test func `an error of SQLite's that is no damage is not reported as damage`() {
    let url = URL(filePath: "/walks.sqlite")
    let deep = SQLiteError(
      extendedCode: 1, message: "Expression tree is too large (maximum depth 1000)")
    guard case .failed = PersistentStoreError(deep, at: url) else {
      Issue.record("told as another error")
      return
    }
    let missing = SQLiteError(extendedCode: 1, message: "no such column: t0.ZNOTE")
    guard case .corrupt = PersistentStoreError(missing, at: url) else {
      Issue.record("told as another error")
      return
    }
  }
}
