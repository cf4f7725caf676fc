import DataModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// What a migration does with a persistent history, where the caller insists.
struct MigratedHistoryTests {
  /// The tables as Core Data makes them, with two transactions of an app.
  static let tables = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,
      ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
      ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR,
      ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZNAME VARCHAR);
    CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME
      ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
    INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'org.example.dogs');
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP)
      VALUES (1, 16002, 1, 1, 1000), (2, 16002, 1, 1, 2000);
    INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1, NULL),
      (2, 16001, NULL, 0, 2, 1, 1, NULL), (3, 16001, NULL, 1, 2, 1, 2, x'80');
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 9), (16002, 'TRANSACTION', 0, 7),
      (16003, 'TRANSACTIONSTRING', 0, 1);
    """

  private static let changes = "SELECT Z_PK, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE"
  private static let transactions = """
    SELECT t.Z_PK, a.ZNAME, t.ZBUNDLEIDTS NOT NULL AND t.ZPROCESSIDTS NOT NULL, t.Z_ENT,
      t.ZAUTHOR, t.ZTIMESTAMP > 700000000
    FROM ATRANSACTION t LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS ORDER BY 1
    """
  private static let old = [
    ["1", "NULL", "1", "16002", "NULL", "0"], ["2", "NULL", "1", "16002", "NULL", "0"],
  ]
  private static func marker(_ key: Int) -> [String] {
    ["\(key)", "com.apple.coredata.schemamigrator", "1", "16002", "NULL", "1"]
  }

  private static func kennel() throws -> StoreFolder {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute(tables)
    return folder
  }

  /// The kennel's model with an entity before its own, so that those get other numbers.
  private static let more = ManagedObjectModel(
    entities: StoreMigrationTests.dogs.entities + [EntityDescription(name: "Cat")])

  @Test func `a migration in place keeps it, renumbers its entities and marks where it was`()
    throws
  {
    let folder = try Self.kennel()
    try folder.migrate(to: Self.more) { $0.ignoredObstacles = [.persistentHistory] }
    let file = try SQLiteFile(folder.store)
    #expect(
      try file.rows(Self.changes) == [
        ["1", "2", "1", "1"], ["2", "3", "1", "1"], ["3", "3", "1", "2"],
      ])
    #expect(try file.rows(Self.transactions) == Self.old + [Self.marker(8)])
    #expect(
      try file.column("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
        .prefix(2) == ["9", "8"])
    let texts = try file.value("SELECT max(Z_PK) FROM ATRANSACTIONSTRING")
    #expect(try file.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16003") == texts)
    // The texts exist now.
    let last = ManagedObjectModel(
      entities: Self.more.entities + [EntityDescription(name: "Zebra")])
    try folder.migrate(to: last) { $0.ignoredObstacles = [.persistentHistory] }
    #expect(try file.rows(Self.transactions) == Self.old + [Self.marker(8), Self.marker(9)])
    #expect(try file.value("SELECT max(Z_PK) FROM ATRANSACTIONSTRING") == texts)
  }

  @Test func `a store whose history is kept is migrated when it is opened, and continues it`()
    throws
  {
    let folder = try Self.kennel()
    let context = try folder.open(Self.more) {
      $0 = .migrating
      $0.tracksPersistentHistory = true
    }.newBackgroundContext()
    _ = ManagedObject("Cat", in: context)
    try context.save()
    #expect(
      try SQLiteFile(folder.store).rows(Self.transactions).prefix(3) == Self.old + [Self.marker(8)])
    let transactions = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(transactions.map(\.transactionNumber) == [1, 2, 8, 9])
    let changes = transactions.flatMap(\.changes)
    #expect(
      changes.map { "\($0.changeID) \($0.changedObjectID.entity.name)" }
        == ["1 Dog", "2 Walk", "3 Walk", "10 Cat"])
  }

  /// A dog whose attributes of some names are kept when it is deleted; new names have old ones.
  private static func dog(
    _ names: [(name: String, former: String?)], extra: [PropertyDescription] = []
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Dog",
        properties: names.map { name, former in
          .attribute(
            AttributeDescription(
              name: name, type: name == "tag" ? .integer16 : .string, isOptional: true,
              preservesValueInHistoryOnDeletion: true, renamingIdentifier: former))
        } + [.toMany("walks", "Walk", back: "dog")] + extra),
      EntityDescription(name: "Walk", properties: [.toOne("dog", "Dog", back: "walks")]),
    ])
  }

  @Test func `what its changes contain is found under the names of the new model`() throws {
    let folder = try StoreFolder()
    let tracking: (inout PersistentStoreOptions) -> Void = { $0.tracksPersistentHistory = true }
    let old = Self.dog([("name", nil), ("old", nil), ("tag", nil)])
    do {
      let context = try folder.open(old, tracking).newBackgroundContext()
      let dogs = ["a", "b"].map { name in
        let dog = ManagedObject("Dog", in: context)
        for key in ["name", "old"] { dog.setValue("\(name) \(key)", forKey: key) }
        dog.setValue(7, forKey: "tag")
        return dog
      }
      try context.save()
      dogs[0].setValue("other", forKey: "old")
      try context.save()
      ManagedObject("Walk", in: context).setValue(dogs[0], forKey: "dog")
      try context.save()
      context.delete(dogs[1])
      try context.save()
    }
    // One that sorts first is new, and one is renamed.
    let new = Self.dog(
      [("brand", nil), ("name", nil), ("tag", nil), ("young", "old")],
      extra: [.value("zone", .string)])
    let context = try folder.open(new) {
      $0 = .migrating
      $0.tracksPersistentHistory = true
    }.newBackgroundContext()
    let changes = try context.execute(.fetchHistory(after: nil)).transactions.flatMap(\.changes)
      .filter { $0.changedObjectID.entity.name == "Dog" }
    #expect(
      changes.filter { $0.changeType == .update }.map(\.updatedProperties)
        == [["young"], ["walks"]])
    let tombstone = try #require(changes.first { $0.changeType == .delete }?.tombstone)
    #expect(tombstone["name"] == .string("b name") && tombstone["young"] == .string("b old"))
    #expect(tombstone["brand"] == nil && tombstone["tag"] == .integer(7))
  }

  @Test func `changes of a removed entity are removed`() throws {
    let folder = try Self.kennel()
    let alone = ManagedObjectModel(entities: [
      EntityDescription(name: "Dog", properties: [.value("name", .string)])
    ])
    try folder.migrate(to: alone) { $0.ignoredObstacles = [.persistentHistory] }
    #expect(try SQLiteFile(folder.store).rows(Self.changes) == [["1", "1", "1", "1"]])
  }

  @Test func `a migration in stages keeps it too`() throws {
    let folder = try Self.kennel()
    let handler: MigrationStage.Handler = { container in
      // A handler's changes are not in the history: it insists likewise.
      let context = container.newBackgroundContext()
      let dogs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Dog"))
      for dog in dogs { dog.setValue("Old \(dog.value(forKey: "name") ?? "")", forKey: "name") }
      try context.save()
    }
    let context = try folder.open(Self.more) {
      $0 = .migrating
      $0.ignoredObstacles = [.persistentHistory]
      $0.sourceModels = [StoreMigrationTests.dogs]
      $0.stagedMigrationManager = StagedMigrationManager([
        .custom(from: StoreMigrationTests.dogs, to: Self.more, didMigrate: handler)
      ])
    }.newBackgroundContext()
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Dog")) == 2)
    let file = try SQLiteFile(folder.store)
    #expect(try file.rows(Self.changes).map { $0[1] } == ["2", "3", "3"])
    #expect(try file.rows(Self.transactions) == Self.old + [Self.marker(8)])
    #expect(try file.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002") == "8")
  }

  @Test func `a migration by a mapping empties it, as all keys are new, and marks where it was`()
    throws
  {
    let folder = try Self.kennel()
    var options = PersistentStoreOptions()
    options.ignoredObstacles = [.persistentHistory]
    try KennelMigration.manager().migrateStore(
      at: folder.store, mapping: KennelMigration.mapping, options: options)
    let file = try SQLiteFile(folder.store)
    #expect(try file.rows(Self.changes).isEmpty)
    #expect(try file.rows(Self.transactions) == [Self.marker(8)])
    #expect(
      try file.column("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
        .prefix(2) == ["9", "8"])
  }

  @Test func `transactions of the first frameworks contain their texts`() throws {
    let folder = try StoreMigrationTests.kennel()
    try SQLiteFile(folder.store).execute(
      """
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZPROCESSID VARCHAR);
      INSERT INTO ATRANSACTION VALUES (4, 16002, NULL, 1000, NULL, 'a', 'b')
      """)
    try folder.migrate(to: Self.more) { $0.ignoredObstacles = [.persistentHistory] }
    let rows = try SQLiteFile(folder.store).rows(
      "SELECT Z_PK, ZAUTHOR, ZBUNDLEID = ZPROCESSID FROM ATRANSACTION ORDER BY 1")
    #expect(rows == [["4", "NULL", "0"], ["5", "com.apple.coredata.schemamigrator", "1"]])
  }

  @Test(.enabled(if: AppleStore.areThere, "../shared/fixtures is missing"))
  func `the history of an app's store is kept, and the marker is its newest transaction`() throws {
    let folder = try StoreFolder(
      copyOf: URL.fixtures.appending(path: "sample/SampleModel2_V2.sqlite"))
    let old = try #require(try PersistentStoreCoordinator.cachedModel(at: folder.store))
    let new = StoreMigrationTests.changed(old, "Feedback") {
      $0.properties.append(.value("language", .string))
    }
    let file = try SQLiteFile(folder.store)
    let changes = try file.rows("SELECT * FROM ACHANGE")
    try folder.migrate(to: new) { $0.ignoredObstacles = [.persistentHistory, .derivedAttributes] }
    #expect(try file.rows("SELECT * FROM ACHANGE") == changes && changes.count == 126)
    #expect(try file.rows(Self.transactions).last == Self.marker(2))
    #expect(
      try file.column("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
        .prefix(2) == ["126", "2"])
  }
}
