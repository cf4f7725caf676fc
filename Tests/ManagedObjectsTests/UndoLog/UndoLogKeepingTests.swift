import DogWalkModel
import Foundation
import ManagedObjects
import Testing

/// What an undo log keeps: commands that are passed over, forgotten, or damaged.
@Suite struct UndoLogKeepingTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func open() throws -> UndoStack {
    UndoStack(try folder.open { $0.undoLogLimit = 1_000 })
  }

  // MARK: Passing over

  @Test func `commands that cannot be undone are passed over, for good`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try open().save("two") { _ = try $0.walk("Rex", minutes: 2) }
    try open().save("three") { try $0.dog("Rex").walks[0].note = "rain" }
    let other = try folder.open().newBackgroundContext()
    for walk in try other.fetch(Walk.fetchRequest()) where walk.dog?.name == "Rex" {
      walk.note = "sun"
    }
    try other.save()
    let before = try StoreState(of: folder.store)
    let stack = try open()
    let (command, blocked) = try stack.log.nextRevertible()
    #expect(command?.name == "one")
    #expect(blocked.map(\.command.name) == ["three", "two"])
    // The attempt has changed nothing.
    #expect(try StoreState(of: folder.store) == before)
    #expect(try stack.log.nextToUndo()?.name == "three")
    #expect(throws: StoreUndoError.superseded) {
      try stack.log.undo(command, skipping: [blocked[1].command])
    }
    #expect(try stack.log.undo(command, skipping: blocked.map(\.command))?.name == "one")
    #expect(try folder.contents() == ["Rex": [2]])
    #expect(try stack.log.commands().map(\.isSkipped) == [true, true, false])
    #expect(try stack.log.undoCount == 0)
    #expect(try stack.log.nextToUndo() == nil)
    #expect(try stack.log.redo()?.name == "one")
    #expect(try stack.log.undoCount == 1)
    #expect(try folder.contents() == ["Fido": [1], "Rex": [2]])
    #expect(try stack.log.nextToRedo() == nil)
  }

  @Test func `where nothing can be undone nothing is passed over`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try folder.save("Fido", minutes: [2])
    let stack = try open()
    let (command, blocked) = try stack.log.nextRevertible()
    #expect(command == nil)
    #expect(blocked.map(\.command.name) == ["one"])
    #expect(try stack.log.commands().map(\.isSkipped) == [false])
    #expect(try stack.log.undoCount == 1)
  }

  @Test func `a new command ends redoing beside passed-over commands`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try open().save("two") { _ = try $0.walk("Rex", minutes: 2) }
    try folder.save("Rex", minutes: [3])
    let stack = try open()
    let (command, blocked) = try stack.log.nextRevertible()
    try stack.log.undo(command, skipping: blocked.map(\.command))
    try open().save("three") { _ = try $0.walk("Luna", minutes: 3) }
    #expect(try stack.log.commands().map(\.name) == ["three", "two"])
    #expect(try stack.log.nextToRedo() == nil)
    #expect(try stack.log.undo()?.name == "three")
  }

  // MARK: Forgetting

  private static let secret = "a secret that nobody may read"

  /// All bytes of the store's files.
  private func bytes() throws -> Data {
    var bytes = Data()
    for suffix in ["", "-wal", "-journal"] {
      let path = folder.store.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { continue }
      bytes += try Data(contentsOf: URL(filePath: path))
    }
    return bytes
  }

  private var isSecretThere: Bool {
    get throws { try bytes().range(of: Data(Self.secret.utf8)) != nil }
  }

  @Test(arguments: ["wal", "delete"])
  func `forgotten values are nowhere in the file`(mode: String) throws {
    try open().save("add --note \(Self.secret)") { stack in
      for minutes in 1...200 {
        try stack.walk("Fido", minutes: minutes).note = "\(Self.secret) \(minutes)"
      }
    }
    _ = try SQLiteFile(folder.store).value("PRAGMA journal_mode = \(mode)")
    try open().save("keep") { try $0.walk("Rex", minutes: 1).note = "kept" }
    try open().save("delete") { stack in stack.context.delete(try stack.dog("Fido")) }
    #expect(try isSecretThere)
    let state = try StoreState(of: folder.store)
    let stack = try open()
    try stack.log.forget()
    #expect(try !isSecretThere)
    #expect(try bytes().range(of: Data("kept".utf8)) != nil)
    #expect(try StoreState(of: folder.store) == state)
    #expect(try stack.log.commands().isEmpty)
    #expect(try stack.log.undo() == nil)
    // The log continues.
    try open().save("add") { _ = try $0.walk("Rex", minutes: 2) }
    #expect(try open().log.undo()?.name == "add")
    #expect(try SQLiteFile(folder.store).value("PRAGMA auto_vacuum") == "2")
  }

  @Test func `a store with a reader is not reported as having forgotten`() throws {
    try open().save("add \(Self.secret)") { _ = try $0.walk("Fido", minutes: 1) }
    let reader = try SQLiteFile(folder.store)
    try reader.execute("BEGIN; SELECT count(*) FROM ZWALK")
    let container = try folder.open {
      $0.undoLogLimit = 1_000
      $0.busyTimeout = 0.1
    }
    let stack = UndoStack(container)
    #expect(throws: StoreUndoLog.LogRewriteError.self) { try stack.log.forget() }
    try reader.execute("COMMIT")
    try stack.log.forget()
    #expect(try !isSecretThere)
  }

  @Test func `a store without a log forgets the content of its free pages`() throws {
    try folder.save("Fido", minutes: [1])
    let context = try folder.open().newBackgroundContext()
    try #require(try context.fetch(Walk.fetchRequest()).first).note = Self.secret
    try context.save()
    for walk in try context.fetch(Walk.fetchRequest()) { context.delete(walk) }
    try context.save()
    #expect(try isSecretThere)
    try open().log.forget()
    #expect(try !isSecretThere)
  }

  // MARK: Damage

  @Test func `text that is not UTF-8 is restored unchanged`() throws {
    try open().save("add") { try $0.walk("Fido", minutes: 1).note = "x" }
    let file = try SQLiteFile(folder.store)
    try file.execute("UPDATE ZWALK SET ZNOTE = CAST(x'41ff00fe' AS TEXT)")
    try open().save("edit") { try $0.dog("Fido").walks[0].note = "y" }
    try open().log.undo()
    #expect(try file.value("SELECT hex(CAST(ZNOTE AS BLOB)) FROM ZWALK") == "41FF00FE")
  }

  @Test(arguments: [
    // 2^61 rows from 2^61 on, and from 1 on; an invalid operation.
    "x'0102feffffffffffffff3ffeffffffffffffff3f02'", "x'010202feffffffffffffff3f02'", "x'09'",
  ])
  func `an impossible entry is listed, refused, and passed over`(changes: String) throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try open().save("two") { _ = try $0.walk("Fido", minutes: 2) }
    try SQLiteFile(folder.store).execute(
      """
      UPDATE MO_UNDO SET CHANGES = CAST(substr(CHANGES, 1, 18) || \(changes) AS BLOB)
      WHERE NAME = 'two'
      """)
    let stack = try open()
    #expect(try stack.log.commands().map(\.name) == ["two", "one"])
    #expect(throws: StoreUndoError.unreadable) { try stack.log.undo() }
    let (command, blocked) = try stack.log.nextRevertible()
    #expect(command == nil)
    // Of the unreadable command, a walk exists whose dog the other command would delete.
    #expect(blocked.map(\.command.name) == ["two", "one"])
    #expect(blocked.first?.error == .unreadable)
    guard case .changedSince(.some) = blocked.last?.error else {
      Issue.record("\(blocked.map(\.error))")
      return
    }
  }
}
