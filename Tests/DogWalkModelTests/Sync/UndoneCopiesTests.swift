import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A sync of copies of which one has undone something`: CopiesStores {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-copied-\(UUID().uuidString)")

  @Test func `recognizes what was undone since`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    do {
      let log = try WalkLog(at: file("one"), for: .writing)
      let command = try #require(try log.next(.undo, by: nil))
      _ = try log.revert(command, .undo, by: nil)
    }
    try change("other") { try walk(1, of: $0).note = "rain" }
    let report = try sync("other", "one")
    #expect(report.here.deleted.map(\.number) == [8] && report.there.changed.map(\.number) == [1])
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `recognizes what was undone before the next command`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    // A typing error, noticed after the copy was made.
    try change("one") { try walk(1, of: $0).note = "rian" }
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    try copy()
    for _ in 0..<3 { try revert(.undo, "one") }
    try change("one") { try walk(1, of: $0).note = "rain" }
    try change("other") { try walk(3, of: $0).note = "sun" }
    let report = try sync("other", "one")
    #expect(report.conflicts.isEmpty)
    #expect(report.here.added.count == 1 && report.here.deleted.map(\.number) == [8])
    #expect(report.here.changed.map(\.note) == ["rain"])
    #expect(report.there.changed.map(\.note) == ["sun"])
    #expect(try values("one") == values("other"))
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `recognizes the redo of what was undone before`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { log in
      try log.delete([walk(2, of: log)])
      try log.setTags(of: [walk(1, of: log)], adding: ["lake"], removing: ["park"])
      try walk(3, of: log).note = "rain"
    }
    try revert(.undo, "one")
    try copy()
    try revert(.redo, "one")
    let values = try values("one")
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.isEmpty)
    #expect(report.there.deleted.map(\.number) == [2])
    #expect(try self.values("one") == values && self.values("other") == values)
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `treats a restored value as unchanged`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(3, of: $0).note = "rain" }
    try copy()
    try revert(.undo, "one")
    try revert(.redo, "one")
    try change("one") { log in
      try log.delete([walk(2, of: log)])
      try walk(1, of: log).note = "by mistake"
    }
    try revert(.undo, "one")
    try change("other") { try walk(1, of: $0).note = "sun" }
    try change("other") { try $0.delete([walk(2, of: $0)]) }
    try change("other") { try walk(3, of: $0).note = "hail" }
    let values = try values("other")
    let report = try sync("other", "one")
    #expect(report.conflicts.isEmpty && report.here.isEmpty)
    #expect(try self.values("one") == values && self.values("other") == values)
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `recognizes what was undone where an older copy is synced first`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    let older = file("older")
    try FileManager.default.copyItem(at: file("one"), to: older)
    try change("one") { try walk(1, of: $0).note = "rain" }
    try copy()
    try revert(.undo, "one")
    #expect(try sync("one", "older").isEmpty)
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.there.changed.map(\.number) == [1])
    #expect(try walk(1, of: WalkLog(at: file("other"), for: .reading)).note == nil)
  }

  @Test func `treats what both have restored as changed by neither`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    try copy()
    for name in ["one", "other"] { try revert(.undo, name) }
    try change("other") { try walk(2, of: $0).note = "rain" }
    let report = try sync("other", "one")
    #expect(report.conflicts.isEmpty && report.there.changed.map(\.note) == ["rain"])
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `reports a redo where the copy has synced the undo`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { log in
      try walk(1, of: log).note = "rain"
      try walk(2, of: log).note = "hail"
    }
    try revert(.undo, "one")
    try copy()
    try revert(.redo, "one")
    try change("other") { try walk(1, of: $0).note = "sun" }
    let report = try sync("other", "one")
    #expect(report.conflicts.map(\.mine) == [.text("sun")])
    #expect(report.conflicts.map(\.other) == [.text("rain")])
    #expect(report.here.changed.map(\.note) == ["rain", "hail"])
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `reports an undo where the copy has changed what it had synced`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { log in
      try walk(1, of: log).note = "rain"
      try log.setTags(of: [walk(2, of: log)], adding: ["lake"], removing: [])
    }
    try copy()
    try revert(.undo, "one")
    try change("other") { try walk(1, of: $0).note = "sun" }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.mine) == [nil])
    #expect(report.conflicts.map(\.other) == [.text("sun")])
    #expect(try !values("other").values.contains { $0.tags.contains("lake") })
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `distinguishes two redone changes of one walk`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    for name in ["one", "other"] {
      try change(name) { try walk(1, of: $0).note = name }
      try revert(.undo, name)
      try revert(.redo, name)
    }
    try change("other") { try walk(1, of: $0).note = "later" }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.mine) == [.text("one")])
    #expect(try sync("one", "other").isEmpty)
  }
}
