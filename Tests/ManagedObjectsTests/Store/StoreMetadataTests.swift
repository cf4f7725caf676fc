import Foundation
import ManagedObjects
import Testing

/// What a store records about itself, and what applications keep there.
@Suite struct StoreMetadataTests {
  @Test func `a closed store's metadata are read without its model, and nothing is written`() throws
  {
    let folder = try StoreFolder()
    let identifier = try folder.open().persistentStore.identifier
    let before = try folder.bytes()
    let metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: .sqlite)
    #expect(metadata["NSStoreUUID"] == .string(identifier))
    #expect(metadata["NSStoreType"] == .string("SQLite"))
    #expect(try folder.bytes() == before)
  }

  @Test func `metadata of a closed store are replaced, except for Core Data's own`() throws {
    let folder = try StoreFolder()
    _ = try folder.open()
    let url = folder.store
    func metadata() throws -> [String: PropertyList] {
      try PersistentStoreCoordinator.metadata(forPersistentStoreAt: url, type: .sqlite)
    }
    let original = try metadata()
    var changed = original
    changed["mine"] = .array([.string("ü"), .integer(7)])
    changed["NSStoreModelVersionHashes"] = nil
    changed["NSStoreUUID"] = .string("other")
    try PersistentStoreCoordinator.setMetadata(changed, forPersistentStoreAt: url, type: .sqlite)
    var expected = original
    expected["mine"] = changed["mine"]
    #expect(try metadata() == expected)
    try PersistentStoreCoordinator.setMetadata([:], forPersistentStoreAt: url, type: .sqlite)
    #expect(try metadata() == original)
    _ = try folder.open()
  }

  @Test(arguments: Stack.allTypes)
  func `metadata of an open store are replaced at once`(
    type: PersistentStore.StoreType
  ) throws {
    let stack = try Stack(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = stack.container.persistentStore
    let original = try coordinator.metadata(for: store)
    #expect(original["NSStoreUUID"] == .string(store.identifier))
    try coordinator.setMetadata(["mine": .boolean(true)], for: store)
    #expect(try coordinator.metadata(for: store)["mine"] == .boolean(true))
    try coordinator.setMetadata(original, for: store)
    #expect(try coordinator.metadata(for: store) == original)
  }

  @Test func `a file that is not a store has no metadata, and gets none`() throws {
    let folder = try StoreFolder()
    #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator.metadata(forPersistentStoreAt: folder.store, type: .sqlite)
    }
    #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator.setMetadata(
        [:], forPersistentStoreAt: folder.store, type: .sqlite)
    }
    #expect(try folder.allBytes().isEmpty)
    try SQLiteFile(folder.store).execute("CREATE TABLE t (a)")
    let before = try folder.allBytes()
    #expect(throws: PersistentStoreError.self) {
      try PersistentStoreCoordinator.setMetadata(
        [:], forPersistentStoreAt: folder.store, type: .sqlite)
    }
    #expect(try folder.allBytes() == before)
  }

  @Test(
    .enabled(if: !Fixture.all.isEmpty, "../shared/fixtures are missing"), arguments: Fixture.all)
  func `rewriting a real store's metadata keeps every key`(fixture: Fixture) throws {
    let folder = try fixture.copy()
    var metadata = try PersistentStoreCoordinator.metadata(
      forPersistentStoreAt: folder.store, type: .sqlite)
    metadata["mine"] = .integer(1)
    try PersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreAt: folder.store, type: .sqlite)
    #expect(
      try PersistentStoreCoordinator.metadata(forPersistentStoreAt: folder.store, type: .sqlite)
        == metadata)
  }
}
