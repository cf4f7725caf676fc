import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A sync of a store with a copy that was made after both had met a third`: CopiesStores
{
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-copied-since-\(UUID().uuidString)")

  /// A store that has met a stick, was changed since, and then copied.
  private func makeChangedCopies(_ body: (WalkLog) throws -> Void) throws {
    try makeCopies(walks: 2)
    _ = try sync("one", "stick")
    try change("one", body)
    try copy()
  }

  @Test(arguments: [false, true])
  func `takes what the copy set back to what it was for newer`(isDirect: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("other") { try walk(1, of: $0).note = nil }
    if !isDirect { _ = try sync("one", "stick") }
    let report = try sync(isDirect ? "one" : "stick", "other")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    _ = try sync("one", "stick")
    #expect(try values("one").values.allSatisfy { $0.note == nil })
    #expect(try values("other") == values("one"))
    #expect(try sync("other", "one").isEmpty)
  }

  @Test func `takes what the copy has taken back for newer`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try revert(.undo, "other")
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    #expect(try values("one").values.allSatisfy { $0.note == nil })
  }

  @Test func `deletes what the copy deleted that was added since`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { log in
      _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Luna"])
    }
    try change("other") { try $0.delete([walk(3, of: $0)]) }
    #expect(try sync("one", "other").here.deleted.map(\.number) == [3])
    #expect(try values("one").count == 2 && values("other").count == 2)
  }

  @Test func `tells of what both have changed since they were one`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("one") { try walk(1, of: $0).note = "sun" }
    try change("other") { try walk(1, of: $0).note = nil }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.note])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test func `tells of nothing where the stick alone has changed what the copies set back`() throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("stick") { try walk(1, of: $0).note = "sun" }
    try change("one") { try walk(1, of: $0).note = nil }
    let report = try sync("one", "stick")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    // It had met the rain, and has sun.
    let next = try sync("other", "one")
    #expect(next.conflicts.isEmpty && next.here.changed.map(\.note) == ["sun"])
  }

  @Test func `takes what was set back for changed where the log has forgotten that`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try WalkLog(at: file("other"), for: .writing).undoLog?.forget()
    try change("other") { try walk(1, of: $0).note = nil }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.property) == [.note])
  }

  @Test func `counts what was changed and set back as nothing that is new`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    let log = try WalkLog(at: file("other"), for: .reading)
    #expect(try log.syncStanding()?.changes == 1)
    try revert(.undo, "other")
    #expect(try WalkLog(at: file("other"), for: .reading).syncStanding()?.changes == 0)
  }

  @Test func `does not note again what an earlier version of the program has noted`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    _ = try sync("one", "stick")
    try change("stick") { try walk(1, of: $0).note = "sun" }
    // That one gave what it found rounds of its own, and left no word of the log.
    let log = try WalkLog(at: file("one"), for: .writing)
    var known = try SyncMemory(of: log).known
    known.subtract(try SyncOrigins.states(in: log))
    try log.keep([
      "sync.known": known.sorted().flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } },
      "sync.knownbylog": nil,
    ])
    let report = try sync("one", "stick")
    #expect(report.conflicts.isEmpty && report.here.changed.map(\.note) == ["sun"])
    #expect(try sync("one", "stick").isEmpty)
  }
}
