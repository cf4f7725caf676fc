import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// A store that another connection is using.
@Suite struct BusyStoreTests {
  private let folder: StoreFolder

  init() throws {
    folder = try StoreFolder()
    try folder.save("Fido", minutes: [5])
  }

  private func impatient() throws -> ManagedObjectContext {
    try folder.open { $0.busyTimeout = 0.02 }.newBackgroundContext()
  }

  @Test func `a save that waits too long reports it, and nothing is lost`() throws {
    let context = try impatient()
    let fido = try Dog.findOrCreate(named: "Fido", in: context)
    fido.addToWalks(Walk(minutes: 6, in: context))
    let other = try SQLiteFile(folder.store)
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: PersistentStoreError.self) { try context.save() }
    guard case .busy(folder.store) = error else { throw try #require(error) }
    #expect(context.hasChanges)

    try other.execute("COMMIT")
    try context.save()
    #expect(try folder.contents() == ["Fido": [5, 6]])
  }

  @Test func `a busy store can be read in its old state`() throws {
    let other = try SQLiteFile(folder.store)
    try other.execute("BEGIN IMMEDIATE; UPDATE ZDOG SET ZNAME = 'Rex'")
    #expect(try folder.contents() == ["Fido": [5]])
  }

  @Test func `a store that another process is creating is waited for`() throws {
    let new = try StoreFolder()
    let other = try SQLiteFile(new.store)
    try other.execute("BEGIN EXCLUSIVE")
    let error = #expect(throws: PersistentStoreError.self) {
      try new.open { $0.busyTimeout = 0.02 }
    }
    guard case .busy(new.store) = error else { throw try #require(error) }
    try other.execute("ROLLBACK")
    try new.save("Rex", minutes: [1])
    #expect(try new.contents() == ["Rex": [1]])
  }

  @Test func `a patient save succeeds once the other one is done`() async throws {
    let other = try SQLiteFile(folder.store)
    try other.execute("BEGIN IMMEDIATE")
    let folder = folder
    let save = Task.detached { try folder.save("Fido", minutes: [6]) }
    await Task.yield()
    try other.execute("COMMIT")
    try await save.value
    #expect(try folder.contents() == ["Fido": [5, 6]])
  }

  @Test func `metadata are not partly written when the store is busy`() throws {
    let container = try folder.open { $0.busyTimeout = 0.02 }
    let other = try SQLiteFile(folder.store)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: PersistentStoreError.self) {
      try container.persistentStoreCoordinator.setMetadata(
        .string("fido"), forKey: "currentDog", of: container.persistentStore)
    }
    try other.execute("ROLLBACK")
    let metadata = try container.persistentStoreCoordinator.metadata(for: container.persistentStore)
    #expect(metadata["currentDog"] == nil)
  }
}
