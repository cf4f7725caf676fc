import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A sync of a store with a copy that was made after both had met a third`: CopiesStores
{
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-copied-since-\(UUID().uuidString)")

  /// A store that was synced with a stick, changed since, and then copied.
  private func makeChangedCopies(_ body: (WalkLog) throws -> Void) throws {
    try makeCopies(walks: 2)
    _ = try sync("one", "stick")
    try change("one", body)
    try copy()
  }

  @Test(arguments: [false, true])
  func `treats a value that the copy set back as newer`(isDirect: Bool) throws {
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

  @Test func `treats what the copy has undone as newer`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try revert(.undo, "other")
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    #expect(try values("one").values.allSatisfy { $0.note == nil })
  }

  @Test func `deletes an added walk that the copy deleted`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { log in
      _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Luna"])
    }
    try change("other") { try $0.delete([walk(3, of: $0)]) }
    #expect(try sync("one", "other").here.deleted.map(\.number) == [3])
    #expect(try values("one").count == 2 && values("other").count == 2)
  }

  @Test func `reports what both have changed since the copy`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("one") { try walk(1, of: $0).note = "sun" }
    try change("other") { try walk(1, of: $0).note = nil }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.note])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test func `reports nothing where only the stick changed what the copies set back`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("stick") { try walk(1, of: $0).note = "sun" }
    try change("one") { try walk(1, of: $0).note = nil }
    let report = try sync("one", "stick")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    // It had synced the rain, and has sun.
    let next = try sync("other", "one")
    #expect(next.conflicts.isEmpty && next.here.changed.map(\.note) == ["sun"])
  }

  @Test func `recognizes a value set back before the log is forgotten`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("other") { try walk(1, of: $0).note = nil }
    #expect(try WalkLog(at: file("other"), for: .writing).forget { _ in true })
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.changed.count == 1)
    #expect(try values("one") == values("other"))
  }

  @Test func `treats a value set back as changed where the log has lost commands`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try WalkLog(at: file("other"), for: .writing).undoLog?.forget()
    try change("other") { try walk(1, of: $0).note = nil }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.property) == [.note])
  }

  @Test func `treats a change that was set back as nothing new`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    let log = try WalkLog(at: file("other"), for: .reading)
    #expect(try log.syncStatus().changes == 1)
    try revert(.undo, "other")
    #expect(try WalkLog(at: file("other"), for: .reading).syncStatus().changes == 0)
  }

  @Test func `does not record again what an earlier version of the program has recorded`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    _ = try sync("one", "stick")
    try change("stick") { try walk(1, of: $0).note = "sun" }
    // That one assigned rounds of its own, and recorded nothing about the log.
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

  @Test func `keeps a walk that was deleted when the copy was made, and is restored`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try $0.delete([walk(1, of: $0)]) }
    try revert(.undo, "one")
    let report = try sync("one", "other")
    #expect(report.there.added.count == 1 && report.here.deleted.isEmpty)
    #expect(try values("one").count == 2 && values("other") == values("one"))
  }

  @Test func `removes a tag that the copy removed again`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try $0.setTags(of: [walk(2, of: $0)], adding: ["lake"], removing: []) }
    try revert(.undo, "other")
    #expect(try sync("one", "other").here.changed.map(\.tagNames) == [[]])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test func `reports a walker who has an old name again, given in another way`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try rename("Mum", to: "Eve", in: $0) }
    for (name, walker) in [("one", "Mum"), ("other", "Bob")] {
      try change(name) {
        try walk(1, of: $0).walker = Walker.findOrCreate(named: walker, in: $0.context)
      }
    }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.walker])
  }

  @Test func `reports a walker whose rename was undone, where the other's is someone else's name`()
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

  @Test func `reports a walk added again with its former values`() throws {
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

  @Test func `reports a walk that was set back, deleted and restored`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeChangedCopies { try walk(1, of: $0).note = "rain" }
    try change("one") { try walk(1, of: $0).note = nil }
    try change("one") { try $0.delete([walk(1, of: $0)]) }
    _ = try sync("one", "stick")
    try revert(.undo, "one")
    try change("other") { try walk(1, of: $0).note = "sun" }
    #expect(try sync("one", "other").conflicts.map(\.property) == [.note])
  }

  @Test func `reports what an app has changed between two commands`() throws {
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

  @Test func `deletes a large import that was undone before the next command`() throws {
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
  func `restores what one redid, where the copy redid it too and undid it again`(
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
