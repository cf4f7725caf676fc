import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A sync after one that was undone and redone`: CopiesStores {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-redone-\(UUID().uuidString)")

  /// A store with two walks that was synced with two others.
  private func makeThree() throws {
    try makeCopies(walks: 2)
    for name in ["stick", "third"] { _ = try sync("one", name) }
  }

  /// Syncs two stores by a command, and undoes that; then syncs with the third, and redoes it.
  private func undoAndRedo() throws {
    let (log, other) = (
      try WalkLog(at: file("one"), for: .writing), try WalkLog(at: file("stick"), for: .writing)
    )
    let names = SyncNames(log: "one", other: "stick", at: Date())
    _ = try StoreSync.run(log, other, with: names) { _ in }
    try revert(.undo, "one")
    #expect(try sync("one", "third").here.isEmpty)
    try revert(.redo, "one")
  }

  @Test func `treats another store's later change as newer`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeThree()
    try change("stick") { try walk(1, of: $0).note = "rain" }
    try undoAndRedo()
    #expect(try values("one").values.contains { $0.note == "rain" })
    try change("stick") { try walk(1, of: $0).note = "sun" }
    let report = try sync("one", "stick")
    #expect(report.conflicts.isEmpty && report.here.changed.map(\.note) == ["sun"])
    #expect(try sync("third", "one").conflicts.isEmpty)
    #expect(try values("third") == values("one"))
  }

  @Test func `reports the third store's changes since the undo`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeThree()
    try change("stick") { try walk(1, of: $0).note = "rain" }
    try undoAndRedo()
    try change("third") { try walk(1, of: $0).note = "sun" }
    #expect(try sync("one", "third").conflicts.map(\.property) == [.note])
  }

  @Test func `treats a change by the third store, which never had the undone sync, as newer`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeThree()
    _ = try sync("one", "fourth")
    try change("stick") { try walk(1, of: $0).note = "rain" }
    try undoAndRedo()
    try revert(.undo, "one")
    try change("fourth") { try walk(1, of: $0).note = "sun" }
    let report = try sync("one", "fourth")
    #expect(report.conflicts.isEmpty && report.here.changed.map(\.note) == ["sun"])
  }

  @Test func `recognizes what was brought, removed and brought again`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeThree()
    try change("stick") { log in
      _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Luna"])
    }
    try undoAndRedo()
    try change("stick") { log in
      try walk(3, of: log).note = "rain"
      let luna = try #require(try log.dogs().first { $0.name == "Luna" })
      luna.targetMinutes = 60
    }
    let report = try sync("one", "stick")
    #expect(report.conflicts.isEmpty && report.here.changed.map(\.note) == ["rain"])
    #expect(report.here.changedDogs == ["Luna"])
    let next = try sync("one", "third")
    #expect(next.there.added.map(\.note) == ["rain"])
    #expect(try values("third") == values("stick"))
    #expect(try sync("one", "stick").isEmpty)
  }

  @Test func `recognizes a deletion of what was brought again`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeThree()
    try change("stick") { log in
      _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Rex"])
    }
    try undoAndRedo()
    try change("one") { try $0.delete([walk(3, of: $0)]) }
    let report = try sync("one", "stick")
    #expect(report.there.deleted.count == 1 && report.here.isEmpty)
    #expect(try values("one") == values("stick"))
  }
}
