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

  @Test func `knows what was set back before the log was to be forgotten`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("other") { try walk(1, of: $0).note = nil }
    #expect(try WalkLog(at: file("other"), for: .writing).forget { _ in true })
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    #expect(try values("one") == values("other"))
  }

  @Test func `takes what was set back for changed where the log has lost commands`() throws {
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

  @Test func `brings back what was deleted when the copy was made, and is back`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try $0.delete([walk(1, of: $0)]) }
    try revert(.undo, "one")
    let report = try sync("one", "other")
    #expect(report.there.added.count == 1 && report.here.deleted.isEmpty)
    #expect(try values("one").count == 2 && values("other") == values("one"))
  }

  @Test func `takes the tag away that the copy took back`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try $0.setTags(of: [walk(2, of: $0)], adding: ["lake"], removing: []) }
    try revert(.undo, "other")
    #expect(try sync("one", "other").here.changed.map(\.tagNames) == [[]])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test func `tells of a walker who has an old name again in another way`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try rename("Mum", to: "Eve", in: $0) }
    for (name, walker) in [("one", "Mum"), ("other", "Bob")] {
      try change(name) {
        try walk(1, of: $0).walker = Walker.findOrCreate(named: walker, in: $0.context)
      }
    }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.walker])
  }

  @Test func `tells of a walker whose name was taken back, where the other is another one's`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try rename("Mum", to: "Eve", in: $0) }
    try revert(.undo, "other")
    try change("one") {
      try walk(1, of: $0).walker = Walker.findOrCreate(named: "Bob", in: $0.context)
    }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.walker])
  }

  private func rename(_ old: String, to new: String, in log: WalkLog) throws {
    let walker = try #require(try Walker.all(in: log.context).first { $0.name == old })
    (walker.name, walker.nameKey) = (new, NameKey.of(new))
  }

  @Test func `tells of what was made anew with the values of before`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("one") { log in
      let old = try walk(1, of: log)
      let new = Walk(context: log.context)
      (new.uuid, new.date, new.utcOffset) = (old.uuid, old.date, old.utcOffset)
      (new.duration, new.walker, new.dog) = (old.duration, old.walker, old.dog)
      log.context.delete(old)
    }
    try change("other") { try walk(1, of: $0).note = "sun" }
    #expect(try sync("one", "other").conflicts.map(\.property).contains(.note))
  }

  @Test func `tells of what was set back, deleted and brought back`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("one") { try walk(1, of: $0).note = nil }
    try change("one") { try $0.delete([walk(1, of: $0)]) }
    _ = try sync("one", "stick")
    try revert(.undo, "one")
    try change("other") { try walk(1, of: $0).note = "sun" }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.note])
  }

  @Test func `tells of what an app has changed between two commands`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    let container = try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: file("one"))
    let context = container.newBackgroundContext()
    for walk in try context.fetch(Walk.fetchRequest()) where walk.number == 1 { walk.note = "fog" }
    try context.save()
    try change("one") { try walk(1, of: $0).duration = 60 }
    try change("other") { try walk(1, of: $0).note = "sun" }
    #expect(try sync("one", "other").conflicts.map(\.property).contains(.note))
  }

  @Test func `deletes a large import that was taken back before the next command`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { log in
      for number in 0..<3_000 {
        var draft = WalkDraft(start: Date(timeIntervalSince1970: Double(number)), utcOffset: 0)
        draft.note = String(repeating: "x", count: 100)
        _ = try log.add(draft, to: ["Luna"])
      }
    }
    try revert(.undo, "one")
    try change("one") { try walk(1, of: $0).note = "rain" }
    #expect(try sync("one", "other").there.deleted.count == 3_000)
    #expect(try values("other").count == 2)
  }

  @Test(arguments: [false, true])
  func `brings back what one did again, where the copy has too and took that back`(
    isNoted: Bool
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 2)
    if isNoted { _ = try sync("one", "stick") }
    try change("one") { _ = try $0.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Luna"]) }
    try revert(.undo, "one")
    try copy()
    try revert(.redo, "other")
    try revert(.undo, "other")
    try revert(.redo, "one")
    let report = try sync("one", "other")
    #expect(report.there.added.count == 1 && report.here.deleted.isEmpty)
    #expect(try values("one").count == 3 && values("other") == values("one"))
    #expect(try sync("other", "one").isEmpty)
  }
}
