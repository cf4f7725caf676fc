import DataModel
import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// The content of a file that was just created.
@Suite struct NewStoreTests {
  let stack: Stack
  let file: SQLiteFile

  init() throws {
    stack = try Stack()
    file = try SQLiteFile(stack.url)
  }

  @Test(arguments: [
    ("page_size", "4096"), ("auto_vacuum", "2"), ("encoding", "UTF-8"), ("user_version", "0"),
    ("application_id", "0"), ("journal_mode", "wal"), ("integrity_check", "ok"),
  ])
  func `has Core Data's settings`(pragma: String, value: String) throws {
    #expect(try file.value("PRAGMA \(pragma)") == value)
  }

  @Test(arguments: ["", "-wal", "-shm"])
  func `can be read only by its owner`(suffix: String) throws {
    try stack.dog("Fido")
    let attributes = try FileManager.default.attributesOfItem(atPath: stack.url.path + suffix)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func `has its tables in the file, not only in the log`() throws {
    let copy = stack.folder.appending(path: "Copy.sqlite")
    try FileManager.default.copyItem(at: stack.url, to: copy)
    #expect(try SQLiteFile(copy).value("SELECT count(*) FROM Z_METADATA") == "1")
  }

  @Test func `has the tables and indexes of the model, in Core Data's order`() throws {
    let statements = try file.column(
      "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid")
    #expect(statements.joined(separator: "\n") == Self.golden)
  }

  private static let golden = """
    CREATE TABLE ZDOG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZTARGETMINUTES INTEGER, ZMAXIMUMGAP FLOAT, ZNAME VARCHAR, ZNAMEKEY VARCHAR, ZUUID BLOB )
    CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, \
    ZNAMEKEY VARCHAR )
    CREATE TABLE ZTRACK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWALK INTEGER, \
    ZPOINTS BLOB )
    CREATE TABLE ZWALK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZISONGOING INTEGER, ZPEECOUNT INTEGER, ZPOOCOUNT INTEGER, ZUTCOFFSET INTEGER, ZDOG INTEGER, \
    ZTRACK INTEGER, ZWALKER INTEGER, Z_FOK_DOG INTEGER, ZDATE TIMESTAMP, ZDISTANCE FLOAT, \
    ZDURATION FLOAT, ZNOTE VARCHAR, ZUUID BLOB )
    CREATE TABLE ZWALKER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, \
    ZNAMEKEY VARCHAR )
    CREATE TABLE Z_2WALKS ( Z_2TAGS INTEGER, Z_4WALKS INTEGER, PRIMARY KEY (Z_2TAGS, Z_4WALKS) )
    CREATE UNIQUE INDEX Z_Dog_UNIQUE_nameKey ON ZDOG (ZNAMEKEY COLLATE BINARY ASC)
    CREATE UNIQUE INDEX Z_Tag_UNIQUE_nameKey ON ZTAG (ZNAMEKEY COLLATE BINARY ASC)
    CREATE INDEX ZTRACK_ZWALK_INDEX ON ZTRACK (ZWALK)
    CREATE INDEX ZWALK_ZDOG_INDEX ON ZWALK (ZDOG)
    CREATE INDEX ZWALK_ZDOG_Z_FOK_DOG_INDEX ON ZWALK (ZDOG, Z_FOK_DOG)
    CREATE INDEX ZWALK_ZTRACK_INDEX ON ZWALK (ZTRACK)
    CREATE INDEX ZWALK_ZWALKER_INDEX ON ZWALK (ZWALKER)
    CREATE INDEX Z_Walk_byDate ON ZWALK (ZDATE COLLATE BINARY DESC)
    CREATE INDEX Z_Walk_byDogAndDate ON ZWALK (ZDOG COLLATE BINARY ASC, ZDATE COLLATE BINARY ASC)
    CREATE UNIQUE INDEX Z_Walker_UNIQUE_nameKey ON ZWALKER (ZNAMEKEY COLLATE BINARY ASC)
    CREATE INDEX Z_2WALKS_Z_4WALKS_INDEX ON Z_2WALKS (Z_4WALKS, Z_2TAGS)
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
    Z_MAX INTEGER)
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
    """

  @Test func `numbers the entities`() throws {
    #expect(
      try file.rows("SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        ["1", "Dog", "0", "0"], ["2", "Tag", "0", "0"], ["3", "Track", "0", "0"],
        ["4", "Walk", "0", "0"], ["5", "Walker", "0", "0"],
      ])
  }

  @Test func `has one row of metadata, with an upper-case UUID`() throws {
    let uuid = stack.container.persistentStore.identifier
    #expect(uuid == UUID(uuidString: uuid)?.uuidString)
    #expect(try file.rows("SELECT Z_VERSION, Z_UUID FROM Z_METADATA") == [["1", uuid]])
  }

  @Test func `has the metadata of iOS 17`() throws {
    let container = stack.container
    let metadata = try container.persistentStoreCoordinator.metadata(for: container.persistentStore)
    let model = ManagedObjectModel.dogWalk
    #expect(
      metadata == [
        "NSStoreType": .string("SQLite"),
        "NSStoreUUID": .string(container.persistentStore.identifier),
        "NSPersistenceFrameworkVersion": .integer(1333),
        "NSStoreModelVersionHashes": .dictionary(
          model.entityVersionHashesByName.mapValues { .data(Data($0.bytes)) }),
        "NSStoreModelVersionHashesVersion": .integer(3),
        "NSStoreModelVersionHashesDigest": .string(model.versionHashesDigest),
        "NSStoreModelVersionChecksumKey": .string(model.versionChecksum),
        "NSStoreModelVersionIdentifiers": .array([.string("3")]),
        "_NSAutoVacuumLevel": .string("2"),
      ])
  }

  @Test(.enabled(if: StoreChecker.isAvailable, "../shared/tools or python3 is missing"))
  func `has metadata that Python's reader of property lists understands`() throws {
    let script = """
      import plistlib, sys; print(sorted(plistlib.loads(bytes.fromhex(sys.argv[1]))))
      """
    let bytes = try file.value("SELECT hex(Z_PLIST) FROM Z_METADATA")
    #expect(
      try Python.run(script, [bytes]).text == """
        ['NSPersistenceFrameworkVersion', 'NSStoreModelVersionChecksumKey', \
        'NSStoreModelVersionHashes', 'NSStoreModelVersionHashesDigest', \
        'NSStoreModelVersionHashesVersion', 'NSStoreModelVersionIdentifiers', 'NSStoreType', \
        '_NSAutoVacuumLevel']

        """)
  }

  @Test func `holds its model`() throws {
    let content = try file.value("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE")
    let model = try ManagedObjectModel(modelCache: bytesOf(hex: content))
    #expect(model.entityVersionHashesByName == ManagedObjectModel.dogWalk.entityVersionHashesByName)
    #expect(try file.value("SELECT count(*) FROM Z_MODELCACHE") == "1")
  }

  @Test(.enabled(if: StoreChecker.isAvailable, "../shared/tools or python3 is missing"))
  func `is as the independent checker expects`() throws {
    #expect(try StoreChecker.check(stack.url) == "0 differences, 5 entities\n")
  }

  @Test func `keeps its UUID when it is reopened`() throws {
    let again = try stack.anotherContainer()
    #expect(again.persistentStore.identifier == stack.container.persistentStore.identifier)
  }

  @Test func `fills an existing empty file, and keeps its mode and its inode`() throws {
    let folder = try StoreFolder()
    _ = FileManager.default.createFile(
      atPath: folder.store.path, contents: nil, attributes: [.posixPermissions: 0o640])
    let before = try FileManager.default.attributesOfItem(atPath: folder.store.path)
    try folder.save("Fido", minutes: [5])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.store.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    let inodes = [before, attributes].map { ($0[.systemFileNumber] as? NSNumber)?.intValue }
    #expect(inodes[0] == inodes[1] && inodes[0] != nil)
    #expect(try folder.contents() == ["Fido": [5]])
    #expect(try SQLiteFile(folder.store).value("PRAGMA journal_mode") == "wal")
  }

  @Test func `fills a file with the journal of one that was partly filled`() throws {
    let folder = try StoreFolder()
    let other = try StoreFolder()
    do {
      let file = try SQLiteFile(folder.store)
      try file.execute(
        """
        PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;
        CREATE TABLE rest (a); INSERT INTO rest VALUES (zeroblob(100000));
        """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: folder.store.path + suffix, toPath: other.store.path + suffix)
      }
    }
    #expect(throws: PersistentStoreError.self) { try other.open { $0.isReadOnly = true } }
    try other.save("Fido", minutes: [5])
    #expect(try other.contents() == ["Fido": [5]])
    #expect(try other.names() == ["DogWalk.sqlite"])
  }

  @Test func `leaves nothing beside it, whether it is created or not`() throws {
    let folder = try StoreFolder()
    _ = try folder.open()
    #expect(try folder.names() == ["DogWalk.sqlite"])
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `is not created where another store's log would be`(suffix: String) throws {
    for isEmptyFile in [true, false] {
      let folder = try StoreFolder(named: "Walks.sqlite\(suffix)")
      try Data().write(to: folder.url.appending(path: "Walks.sqlite"))
      if isEmptyFile { try Data().write(to: folder.store) }
      let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
      guard case .reservedName(folder.store) = error else { throw try #require(error) }
    }
  }

  @Test func `keeps a symbolic link to it`() throws {
    let folder = try StoreFolder()
    let target = folder.url.appending(path: "elsewhere.sqlite")
    try FileManager.default.createSymbolicLink(at: folder.store, withDestinationURL: target)
    try folder.save("Fido", minutes: [5])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.store.path) == target.path)
    #expect(try folder.contents() == ["Fido": [5]])
  }
}
