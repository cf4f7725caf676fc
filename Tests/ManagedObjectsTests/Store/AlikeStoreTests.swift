import Foundation
import ManagedObjects
import Testing

/// Stores in one folder whose names differ only in their extensions: the files of their large
/// values are in one folder.
@Suite struct AlikeStoreTests {
  private func delete(_ photo: ManagedObject, in stack: Stack) throws {
    stack.context.delete(photo)
    try stack.context.save()
  }

  /// Copies the file alone, as `cp` does where no process has it open.
  private func copyFile(of stack: Stack, as name: String) throws -> URL {
    let log = try SQLiteFile(stack.url)
    try log.execute("PRAGMA wal_checkpoint")
    let copy = stack.folder.appending(path: name)
    try FileManager.default.copyItem(at: stack.url, to: copy)
    return copy
  }

  @Test func `a save keeps the values that another store refers to`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    let shared = try stack.savePhoto(ExternalDataTests.large)
    let name = try #require(try stack.valueFiles().keys.first)
    let copy = try copyFile(of: stack, as: "DogWalk.backup")
    try Data("notes".utf8).write(to: stack.folder.appending(path: "DogWalk.txt"))
    let own = try stack.savePhoto(ExternalDataTests.large)
    #expect(try stack.valueFiles().count == 2)

    try delete(own, in: stack)
    #expect(Array(try stack.valueFiles().keys) == [name])
    try delete(shared, in: stack)
    #expect(Array(try stack.valueFiles().keys) == [name])
    #expect(
      try PersistentStoreCoordinator.problems(ofStoreAt: copy, model: ExternalDataTests.model)
        .isEmpty)
  }

  @Test func `values are kept while another store cannot be read`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    let photo = try stack.savePhoto(ExternalDataTests.large)
    let other = stack.folder.appending(path: "DogWalk.db")
    let writer = try SQLiteFile(other)
    try writer.execute("CREATE TABLE notes (note); BEGIN EXCLUSIVE")

    try delete(photo, in: stack)
    #expect(try stack.valueFiles().count == 1)
    try writer.execute("COMMIT")
    _ = try stack.savePhoto(nil)
    #expect(try stack.valueFiles().isEmpty)
  }

  @Test func `a copy beside a store that is being written is refused as busy`() throws {
    let stack = try Stack(model: ExternalDataTests.model)
    _ = try stack.savePhoto(ExternalDataTests.large)
    let other = stack.folder.appending(path: "Copy.db")
    let writer = try SQLiteFile(other)
    try writer.execute("CREATE TABLE notes (note); BEGIN EXCLUSIVE")

    let coordinator = stack.container.persistentStoreCoordinator
    let copy = stack.folder.appending(path: "Copy.sqlite")
    #expect {
      try coordinator.copy(coordinator.persistentStores[0], to: copy)
    } throws: {
      if case .busy(other)? = $0 as? PersistentStoreError { true } else { false }
    }
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    try writer.execute("COMMIT")
    try coordinator.copy(coordinator.persistentStores[0], to: copy)
  }
}
