import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Stores as older versions of Core Data left them, and as migrations did.
@Suite struct OldStoreTests {
  /// Rebuilds a saved store as an older one.
  private func folder(_ changes: String) throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [10, 20])
    try SQLiteFile(folder.store).execute(changes)
    return folder
  }

  /// Reads, changes and rereads the store.
  private func expectItWorks(_ folder: StoreFolder) throws {
    #expect(try folder.contents() == ["Fido": [10, 20]])
    try folder.save("Fido", minutes: [30])
    try folder.save("Rex", minutes: [5])
    #expect(try folder.contents() == ["Fido": [10, 20, 30], "Rex": [5]])
    if StoreChecker.isAvailable {
      #expect(try StoreChecker.check(folder.store) == "0 differences, 5 entities\n")
    }
  }

  @Test func `a store without a cached model is opened`() throws {
    try expectItWorks(folder("DROP TABLE Z_MODELCACHE"))
  }

  @Test func `a store with a journal is changed to one with a log`() throws {
    let folder = try folder("PRAGMA journal_mode = DELETE")
    try expectItWorks(folder)
    #expect(try SQLiteFile(folder.store).value("PRAGMA journal_mode") == "wal")
  }

  @Test func `columns may come in any order`() throws {
    let columns = """
      Z_PK INTEGER PRIMARY KEY, ZWALKS INTEGER, ZTARGETMINUTES INTEGER, ZMAXIMUMGAP FLOAT, \
      ZUUID BLOB, ZNAMEKEY VARCHAR, ZNAME VARCHAR, Z_OPT INTEGER, Z_ENT INTEGER
      """
    let folder = try folder(
      """
      CREATE TABLE NEW (\(columns.replacing("ZWALKS INTEGER, ", with: "")));
      INSERT INTO NEW (Z_PK, Z_ENT, Z_OPT, ZTARGETMINUTES, ZMAXIMUMGAP, ZNAME, ZNAMEKEY, ZUUID)
      SELECT * FROM ZDOG;
      DROP TABLE ZDOG; ALTER TABLE NEW RENAME TO ZDOG;
      CREATE UNIQUE INDEX Z_Dog_UNIQUE_nameKey ON ZDOG (ZNAMEKEY COLLATE BINARY ASC)
      """)
    try expectItWorks(folder)
  }

  @Test func `unknown columns are left unchanged`() throws {
    let folder = try folder("ALTER TABLE ZDOG ADD COLUMN ZOLD VARCHAR; UPDATE ZDOG SET ZOLD = 'x'")
    #expect(try folder.contents() == ["Fido": [10, 20]])
    try folder.save("Fido", minutes: [30])
    #expect(try folder.contents() == ["Fido": [10, 20, 30]])
    #expect(try SQLiteFile(folder.store).column("SELECT ZOLD FROM ZDOG") == ["x"])
  }

  @Test func `a unique constraint in the table is kept too`() throws {
    let folder = try folder(
      """
      CREATE TABLE NEW ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZTARGETMINUTES INTEGER, ZMAXIMUMGAP FLOAT, ZNAME VARCHAR, ZNAMEKEY VARCHAR, ZUUID BLOB,
        CONSTRAINT ZNAMEKEY UNIQUE (ZNAMEKEY));
      INSERT INTO NEW SELECT * FROM ZDOG;
      DROP TABLE ZDOG; ALTER TABLE NEW RENAME TO ZDOG
      """)
    try expectItWorks(folder)
    let context = try folder.open().newBackgroundContext()
    let twin = Dog(context: context)
    twin.name = "Other"
    twin.nameKey = "fido"
    #expect {
      try context.save()
    } throws: {
      guard case PersistentStoreError.uniquenessViolation("Dog", ["nameKey"]) = $0 else {
        return false
      }
      return true
    }
  }

  @Test func `an entity under its old name keeps its number`() throws {
    let folder = try folder("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Hound' WHERE Z_NAME = 'Dog'")
    #expect(try folder.contents() == ["Fido": [10, 20]])
    try folder.save("Rex")
    #expect(try SQLiteFile(folder.store).column("SELECT Z_ENT FROM ZDOG") == ["1", "1"])
    #expect(
      try SQLiteFile(folder.store).value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == "2")
  }

  @Test func `rows without an optimistic-lock count are changed and deleted`() throws {
    let folder = try folder("UPDATE ZDOG SET Z_OPT = NULL; UPDATE ZWALK SET Z_OPT = NULL")
    let context = try folder.open().newBackgroundContext()
    let fido = try #require(try context.fetch(Dog.fetchRequest()).first)
    fido.name = "Fidel"
    context.delete(fido.walks[0])
    try context.save()
    #expect(try folder.contents() == ["Fidel": [20]])
    #expect(try SQLiteFile(folder.store).column("SELECT Z_OPT FROM ZDOG") == ["1"])
  }

  @Test func `members without an order key come first, and get one when they are moved`() throws {
    let folder = try folder("UPDATE ZWALK SET Z_FOK_DOG = NULL")
    #expect(try folder.contents() == ["Fido": [10, 20]])
    let context = try folder.open().newBackgroundContext()
    let fido = try #require(try context.fetch(Dog.fetchRequest()).first)
    fido.walks = OrderedSet(fido.walks.reversed())
    fido.addToWalks(Walk(minutes: 30, in: context))
    try context.save()
    #expect(try folder.contents() == ["Fido": [20, 10, 30]])
    if StoreChecker.isAvailable {
      #expect(try StoreChecker.check(folder.store) == "0 differences, 5 entities\n")
    }
  }

  @Test func `dates are numbers of either type`() throws {
    let folder = try folder("UPDATE ZWALK SET ZDATE = CAST(ZDATE AS INTEGER)")
    #expect(try SQLiteFile(folder.store).value("SELECT typeof(ZDATE) FROM ZWALK") == "integer")
    let context = try folder.open().newBackgroundContext()
    let dates = try context.fetch(Walk.fetchRequest()).compactMap(\.date)
    #expect(Set(dates.map(\.timeIntervalSinceReferenceDate)) == [600, 1200])
  }
}
