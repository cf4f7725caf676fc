import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// Files that are not opened, and that are unchanged, byte for byte.
@Suite struct StoreRefusalTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// The error of opening the store; the files are the same before and after, for writers and for
  /// readers.
  private func refusal(
    _ model: ManagedObjectModel = .dogWalk,
    _ change: (inout PersistentStoreOptions) -> Void = { _ in }
  ) throws -> PersistentStoreError {
    let before = try folder.bytes()
    _ = #expect(throws: PersistentStoreError.self) {
      try folder.open(model) { $0.isReadOnly = true }
    }
    #expect(try folder.bytes() == before)
    let error = #expect(throws: PersistentStoreError.self) { try folder.open(model, change) }
    #expect(try folder.bytes() == before)
    return try #require(error)
  }

  /// Writes a file where the store should be.
  private func put(_ text: String) throws {
    try Data(text.utf8).write(to: folder.store)
  }

  @Test func `a file with two names is not written, since each name has a log of its own`() throws {
    _ = try folder.open()
    #expect(link(folder.store.path, folder.store.path + "-other") == 0)
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .cannotWrite(_, .hardLinks)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    _ = try folder.open { $0.isReadOnly = true }
    _ = try folder.open { $0.ignoredObstacles = [.hardLinks] }
  }

  // MARK: Files that are not stores

  /// A text that is not a store.
  enum Text: CaseIterable {
    case oneByte, oneLine, manyLines, almostAHeader, emptyHeader

    var text: String {
      switch self {
      case .oneByte: "x"
      case .oneLine: "Fido, 35 minutes\n"
      case .manyLines: String(repeating: "a walk\n", count: 2_000)
      case .almostAHeader: "SQLite format 3"
      case .emptyHeader: "SQLite format 3\0" + String(repeating: "\0", count: 84)
      }
    }
  }

  @Test(arguments: Text.allCases)
  func `a text file is refused`(text: Text) throws {
    try put(text.text)
    guard case .corrupt(let url, let reason) = try refusal() else {
      Issue.record("not refused as corrupt")
      return
    }
    #expect(url == folder.store)
    #expect(reason.isCorrupt)
  }

  @Test func `a folder is refused`() throws {
    try FileManager.default.createDirectory(at: folder.store, withIntermediateDirectories: false)
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .notAFile(folder.store) = error else { throw try #require(error) }
  }

  @Test func `a device is refused`() throws {
    let null = URL(filePath: "/dev/null")
    let error = #expect(throws: PersistentStoreError.self) {
      try PersistentContainer(name: "Test", model: .dogWalk, storeURL: null)
    }
    guard case .notAFile(null) = error else { throw try #require(error) }
  }

  @Test(arguments: [
    "CREATE TABLE walks (dog TEXT)", "PRAGMA user_version = 3", "PRAGMA application_id = 7",
    "PRAGMA page_size = 1024; CREATE TABLE x (y); DROP TABLE x",
  ])
  func `another program's database is refused, even if it has no tables yet`(sql: String) throws {
    try SQLiteFile(folder.store).execute(sql)
    guard case .notAStore(folder.store) = try refusal() else {
      Issue.record("not refused as no store")
      return
    }
  }

  @Test(arguments: [
    "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
    "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_UUID = NULL",
    "ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO Z_OTHER",
  ])
  func `a store without its metadata is refused`(damage: String) throws {
    try folder.save("Fido")
    try SQLiteFile(folder.store).execute(damage)
    guard case .notAStore(folder.store) = try refusal() else {
      Issue.record("not refused as no store")
      return
    }
  }

  @Test func `a store without its list of keys is refused`() throws {
    try folder.save("Fido")
    try SQLiteFile(folder.store).execute("DROP TABLE Z_PRIMARYKEY")
    guard case .corrupt(folder.store, _) = try refusal() else {
      Issue.record("not refused as corrupt")
      return
    }
  }

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_ENT = 20 WHERE Z_NAME = 'Walk'",
    "UPDATE Z_PRIMARYKEY SET Z_NAME = CASE Z_NAME WHEN 'Dog' THEN 'Walk' ELSE 'Dog' END "
      + "WHERE Z_NAME IN ('Dog', 'Walk')",
  ])
  func `entity numbers that contradict the tables are refused`(damage: String) throws {
    try folder.save("Fido", minutes: [1])
    try SQLiteFile(folder.store).execute(damage)
    try expectRefusalToWrite()
  }

  /// Expects that the store is called damaged when it is opened for writing; it may be readable.
  private func expectRefusalToWrite() throws {
    let before = try folder.bytes()
    let error = #expect(throws: PersistentStoreError.self) { try folder.open() }
    guard case .corrupt(folder.store, _) = error else { throw try #require(error) }
    #expect(try folder.bytes() == before)
  }

  /// The version of the format for writing, and that of the schema.
  @Test(arguments: [18, 47])
  func `a header with an unknown version is refused as damage`(offset: Int) throws {
    try folder.save("Fido")
    var bytes = try Data(contentsOf: folder.store)
    bytes[offset] = 9
    try bytes.write(to: folder.store)
    try expectRefusalToWrite()
  }

  // MARK: Other models

  @Test func `model version 1 is refused, with its hashes`() throws {
    let old = try #require(ManagedObjectModel.dogWalkVersions["DogWalk"])
    _ = try folder.open(old)
    guard case .incompatibleModel(folder.store, let hashes, let names) = try refusal() else {
      Issue.record("not refused as another model's")
      return
    }
    #expect(hashes == old.entityVersionHashesByName)
    #expect(names == [""])
  }

  @Test func `a newer version is refused by an older program`() throws {
    try folder.save("Fido")
    let old = try #require(ManagedObjectModel.dogWalkVersions["DogWalk"])
    guard case .incompatibleModel(_, _, let names) = try refusal(old) else {
      Issue.record("not refused as another model's")
      return
    }
    #expect(names == ["3"])
  }

  @Test(
    .enabled(if: AppleStore.areThere, "../shared/fixtures is missing"), arguments: AppleStore.all)
  func `another app's store is refused, together with its log`(store: AppleStore) throws {
    try store.copy(to: folder)
    guard case .incompatibleModel(folder.store, let hashes, _) = try refusal() else {
      Issue.record("not refused as another model's")
      return
    }
    #expect(!hashes.isEmpty)
  }

  @Test(arguments: [1, 100, 3000])
  func `a store cut within its first page is refused, not filled`(length: Int) throws {
    try folder.save("Fido", minutes: [5])
    let whole = try Data(contentsOf: folder.store)
    try whole.prefix(length).write(to: folder.store)
    let before = try folder.bytes()
    guard case .corrupt = try refusal() else {
      Issue.record("not refused as damaged")
      return
    }
    #expect(try folder.bytes() == before)
  }

  // MARK: Missing files

  @Test func `a missing file is not created where creating is forbidden`() throws {
    let error = #expect(throws: PersistentStoreError.self) {
      try folder.open { $0.createsFile = false }
    }
    guard case .fileNotFound(folder.store) = error else { throw try #require(error) }
    #expect(try folder.bytes().isEmpty)
  }

  @Test func `a missing file is not created by a reader`() throws {
    let error = #expect(throws: PersistentStoreError.self) {
      try folder.open { $0.isReadOnly = true }
    }
    guard case .fileNotFound(folder.store) = error else { throw try #require(error) }
    #expect(try folder.bytes().isEmpty)
  }

  @Test func `an empty file stays empty for a reader`() throws {
    try put("")
    let error = try refusal { $0.createsFile = false }
    guard case .fileNotFound(folder.store) = error else { throw error }
  }

  @Test func `a missing folder on the path is reported`() throws {
    let url = folder.url.appending(path: "nowhere/DogWalk.sqlite")
    let error = #expect(throws: PersistentStoreError.self) {
      try PersistentContainer(name: "Test", model: .dogWalk, storeURL: url)
    }
    #expect(error?.description.contains("nowhere/DogWalk.sqlite") == true)
  }

  @Test func `a file in place of a folder is reported`() throws {
    try put("")
    let url = folder.store.appending(path: "DogWalk.sqlite")
    let error = #expect(throws: PersistentStoreError.self) {
      try PersistentContainer(name: "Test", model: .dogWalk, storeURL: url)
    }
    guard case .failed(_, let reason) = error else { throw try #require(error) }
    #expect(reason.systemErrno == 20)
  }

  // MARK: Readers

  @Test func `a reader changes nothing, and cannot save`() throws {
    try folder.save("Fido", minutes: [5])
    let before = try folder.bytes()
    try read()
    #expect(try folder.bytes() == before)
  }

  private func read() throws {
    let context = try folder.open { $0.isReadOnly = true }.newBackgroundContext()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    #expect(fido.minutes == [5])
    fido.targetMinutes = 60
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .readOnly(folder.store) = error else { throw try #require(error) }
  }
}
