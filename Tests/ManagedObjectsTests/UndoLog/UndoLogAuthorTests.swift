import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// An undo log with several authors: each undoes their own commands.
@Suite struct `An undo log with authors` {
  private func open(_ folder: StoreFolder, limit: Int = 1_000) throws -> UndoStack {
    UndoStack(try folder.open { $0.undoLogLimit = limit })
  }

  /// Adds a walk of that length to a dog, as an author's command.
  private func add(
    _ dog: String, _ minutes: Int, by author: String?, in folder: StoreFolder
  ) throws {
    let stack = try open(folder)
    stack.log.begin("add \(dog) \(minutes)m", by: author)
    _ = try stack.walk(dog, minutes: minutes)
    try stack.context.save()
  }

  private func filled() throws -> StoreFolder {
    let folder = try StoreFolder()
    try folder.save("Fido", minutes: [1])
    try folder.save("Rex", minutes: [2])
    try add("Fido", 5, by: "Ana", in: folder)
    try add("Rex", 6, by: "Bob", in: folder)
    try add("Fido", 7, by: "Ana", in: folder)
    try add("Rex", 8, by: "Bob", in: folder)
    return folder
  }

  @Test func `undoes the last command of one author, and keeps others' later ones`() throws {
    let folder = try filled()
    let undone = try #require(try open(folder).log.undo(by: "Ana"))
    #expect(undone.name == "add Fido 7m" && undone.author == "Ana")
    #expect(try open(folder).log.undo(by: "Ana")?.name == "add Fido 5m")
    #expect(try folder.contents() == ["Fido": [1], "Rex": [2, 6, 8]])
    #expect(try open(folder).log.undo(by: "Bob")?.name == "add Rex 8m")
    #expect(try folder.contents() == ["Fido": [1], "Rex": [2, 6]])
  }

  @Test func `redoes an author's last undone command, in the original order`() throws {
    let folder = try filled()
    try open(folder).log.undo(by: "Ana")
    try open(folder).log.undo(by: "Ana")
    try open(folder).log.undo(by: "Bob")
    #expect(try open(folder).log.redo(by: "Ana")?.name == "add Fido 5m")
    #expect(try open(folder).log.redo(by: "Ana")?.name == "add Fido 7m")
    #expect(try open(folder).log.redo(by: "Ana") == nil)
    #expect(try open(folder).log.redo(by: "Bob")?.name == "add Rex 8m")
    #expect(try folder.contents() == ["Fido": [1, 5, 7], "Rex": [2, 6, 8]])
  }

  @Test func `forgets undone commands with the next command, at any position`() throws {
    let folder = try filled()
    try open(folder).log.undo(by: "Ana")
    try add("Rex", 9, by: "Bob", in: folder)
    #expect(try open(folder).log.nextToRedo() == nil)
    let names = try open(folder).log.commands(limit: 3).map(\.name)
    #expect(names == ["add Rex 9m", "add Rex 8m", "add Rex 6m"])
    try add("Rex", 10, by: nil, in: folder)
    #expect(try open(folder).log.nextToUndo(by: "Ana")?.name == "add Rex 10m")
    #expect(try open(folder).log.nextToUndo(by: "ANA")?.name == "add Rex 10m")
  }

  @Test func `treats a command without an author as everybody's`() throws {
    let folder = try filled()
    try add("Fido", 9, by: nil, in: folder)
    let command = try #require(try open(folder).log.nextToUndo(by: "Ana"))
    #expect(command.name == "add Fido 9m" && command.author == nil)
    #expect(try open(folder).log.undo(by: "Bob")?.name == "add Fido 9m")
  }

  @Test func `refuses to undo what others have changed since, and passes over it on request`()
    throws
  {
    let folder = try filled()
    let stack = try open(folder)
    stack.log.begin("edit", by: "Bob")
    let fido = try stack.dog("Fido")
    fido.walks[2].note = "rain"
    try stack.context.save()
    #expect(throws: StoreUndoError.self) { try open(folder).log.undo(by: "Ana") }
    let log = try open(folder).log
    let (command, blocked) = try log.nextRevertible(by: "Ana")
    #expect(blocked.map(\.command.name) == ["add Fido 7m"])
    let next = try #require(command)
    #expect(
      try log.undo(next, skipping: blocked.map(\.command), by: "Ana")?.name == "add Fido 5m")
    #expect(try open(folder).log.nextToUndo(by: "Bob")?.name == "edit")
  }

  @Test(arguments: [true, false])
  func `is upgraded from an earlier format, which has no authors`(hasIndex: Bool) throws {
    let folder = try filled()
    let file = try SQLiteFile(folder.store)
    if !hasIndex { try file.execute("DROP INDEX MO_UNDO_UNDONE") }
    try file.execute("ALTER TABLE MO_UNDO DROP COLUMN AUTHOR")
    #expect(try open(folder).log.undo(by: "Ana")?.name == "add Rex 8m")
    #expect(try open(folder).log.commands(limit: 4).allSatisfy { $0.author == nil })
    try add("Fido", 9, by: "Ana", in: folder)
    let newest = try open(folder).log.commands(limit: 2)
    #expect(newest.map(\.name) == ["add Fido 9m", "add Fido 7m"])
    #expect(newest.map(\.author) == ["Ana", nil])
    #expect(try open(folder).log.undo(by: "Bob")?.name == "add Fido 7m")
  }

  @Test func `reports no authors in a copy without them`() throws {
    let folder = try filled()
    let copy = folder.store.deletingLastPathComponent().appending(path: "copy.sqlite")
    let container = try open(folder).container
    try container.persistentStoreCoordinator.copy(
      container.persistentStore, to: copy, withoutUndoLog: true)
    let bytes = try Data(contentsOf: copy)
    #expect(bytes.range(of: Data("Ana".utf8)) == nil)
  }

  @Test func `forgets authors with their commands`() throws {
    let folder = try filled()
    try open(folder).log.forget()
    #expect(try Data(contentsOf: folder.store).range(of: Data("Ana".utf8)) == nil)
  }
}
