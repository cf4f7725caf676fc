import DogWalkModel
import Foundation
import Testing

@testable import ManagedObjects

/// What an undo log reports about its commands to code that compares copies of a store.
@Suite struct LoggedChangesTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func open() throws -> UndoStack {
    UndoStack(try folder.open { $0.undoLogLimit = 60 })
  }

  private func logged() throws -> LoggedChanges {
    try #require(try open().log.loggedChanges(keeping: [], of: { _ in true }))
  }

  @Test func `each state that commands lead to has a number of its own`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    let done = try logged().commands[0].states
    try open().log.undo()
    #expect(try logged().commands[0].states.count == 2)
    try open().log.redo()
    let states = try logged().commands[0].states
    #expect(done.count == 1 && states.starts(with: done))
    #expect(states.count == 3 && Set(states).count == 3)
  }

  @Test func `a command undone for good is reported here alone`() throws {
    for (index, name) in ["one", "two", "three"].enumerated() {
      if name == "three" { try open().log.undo() }
      try open().save(name) { _ = try $0.walk("Fido", minutes: index) }
    }
    #expect(try logged().commands.map(\.undoneBefore) == [nil, 3, nil])
    #expect(try open().log.commands().map(\.name) == ["three", "one"])
    #expect(try open().log.undoCount == 2)
    #expect(try open().log.redo() == nil)
  }

  @Test func `a large command is not reported`() throws {
    try open().save("large") { try $0.walk("Fido", minutes: 1).note = "x" }
    try open().save("gone") { stack in
      try stack.dog("Fido").walks[0].note = String(repeating: "x", count: 5_000_000)
    }
    try open().log.undo()
    try open().log.redo()
    try open().save("edit") { try $0.dog("Fido").walks[0].note = "y" }
    for _ in 0..<2 { try open().log.undo() }
    try open().save("new") { _ = try $0.walk("Fido", minutes: 2) }
    // The command that could redo the large note is gone.
    let logged = try logged()
    #expect(logged.commands.map(\.id) == [1, 3, 4] && logged.changedSince.isEmpty)
  }

  @Test func `impossible numbers do not trap`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try SQLiteFile(folder.store).execute(
      """
      INSERT INTO MO_UNDO SELECT -9223372036854775807 - 1, 1, AT, NAME, CHANGES, AUTHOR FROM MO_UNDO;
      INSERT INTO MO_UNDO
      SELECT -5, -9223372036854775807 - 1, AT, NAME, CHANGES, AUTHOR FROM MO_UNDO WHERE SERIAL = 1
      """)
    #expect(try logged().commands.count == 3)
  }

  @Test func `rows of undone commands are known as long as one of these is`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    for number in 2...3 { try open().save("new") { _ = try $0.walk("Rex", minutes: number) } }
    for note in ["a", "b"] {
      try open().save("edit") { try $0.dog("Fido").walks[0].note = note }
    }
    for _ in 0..<2 { try open().log.undo() }
    for number in 6...64 {
      try open().save("edit") { try $0.dog("Rex").walks[0].note = "\(number)" }
    }
    let logged = try logged()
    #expect(logged.commands.first?.id == 5 && logged.commands.first?.undoneBefore == 6)
    #expect(logged.changedSince.isEmpty)
  }

  @Test func `values restored by one undo after another are no unlogged changes`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    for note in ["a", "b", "c", "d"] {
      try open().save("edit") { try $0.dog("Fido").walks[0].note = note }
      if note == "b" {
        try open().log.undo()
        try open().log.redo()
      } else {
        try open().log.undo()
      }
    }
    for note in ["e", "f"] {
      try open().save("edit") { try $0.dog("Fido").walks[0].note = note }
    }
    for _ in 0..<2 { try open().log.undo() }
    #expect(try logged().changedSince.isEmpty)
  }

  @Test func `a change without a log is found between two commands that are undone`() throws {
    try open().save("one") { _ = try $0.walk("Fido", minutes: 1) }
    try open().save("edit") { try $0.dog("Fido").walks[0].note = "a" }
    try open().log.undo()
    try SQLiteFile(folder.store).execute("UPDATE ZWALK SET ZNOTE = 'b', Z_OPT = Z_OPT + 1")
    try open().save("edit") { try $0.dog("Fido").walks[0].note = "c" }
    try open().log.undo()
    #expect(try logged().changedSince.map(\.entity.name) == ["Walk"])
  }
}
