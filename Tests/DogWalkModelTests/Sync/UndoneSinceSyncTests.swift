import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A sync with a store that has undone what it had changed`: CopiesStores {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-undone-\(UUID().uuidString)")

  /// Two stores with equal walks: a store and its copy, or two that have synced.
  private func makeStores(areCopies: Bool = false) throws {
    try makeCopies(walks: 4)
    guard !areCopies else { return }
    try FileManager.default.removeItem(at: file("other"))
    _ = try sync("one", "other")
  }

  /// Syncs; the other store has taken the values of the first one, and nothing is in conflict.
  private func expectChangesThere(_ count: Int = 1) throws {
    let values = try values("one")
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.isEmpty)
    #expect(report.there.changed.count == count)
    #expect(try self.values("one") == values && self.values("other") == values)
    #expect(try sync("other", "one").isEmpty)
  }

  @Test(arguments: [false, true])
  func `takes a value in place of one that was changed and restored twice`(
    areCopies: Bool
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(areCopies: areCopies)
    try change("one") { try walk(1, of: $0).note = "rain" }
    for note in ["sun", "hail"] {
      try change("other") { try walk(1, of: $0).note = note }
      try revert(.undo, "other")
    }
    try expectChangesThere()
  }

  @Test func `takes a value where other values were redone and restored`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try change("other") { try walk(1, of: $0).duration = 60 }
    for direction in [WalkLog.Direction.undo, .redo] { try revert(direction, "other") }
    for note in ["sun", "hail"] {
      try change("other") { try walk(1, of: $0).note = note }
      try revert(.undo, "other")
    }
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty)
    #expect(report.here.changed.map(\.duration) == [60])
    #expect(report.there.changed.map(\.note) == ["rain"])
  }

  @Test func `deletes a walk that was changed and restored twice`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores()
    try change("one") { try $0.delete([walk(1, of: $0)]) }
    for note in ["sun", "hail"] {
      try change("other") { try walk(1, of: $0).note = note }
      try revert(.undo, "other")
    }
    let report = try sync("one", "other")
    #expect(report.here.isEmpty && report.there.deleted.map(\.number) == [1])
  }

  @Test(arguments: [false, true])
  func `takes a value where another one was undone after the log was forgotten`(
    isChangedBefore: Bool
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores()
    if isChangedBefore {
      try change("other") { try walk(1, of: $0).note = "snow" }
      try revert(.undo, "other")
    }
    try change("one") { try walk(1, of: $0).note = "rain" }
    #expect(try WalkLog(at: file("other"), for: .writing).forget { _ in true })
    try change("other") { try walk(1, of: $0).note = "sun" }
    try revert(.undo, "other")
    try expectChangesThere()
  }

  // MARK: Names

  private func setWalker(_ name: String, in store: String) throws {
    try change(store) { log in
      let walker = try Walker.findOrCreate(named: name, in: log.context)
      try walk(1, of: log).walker = walker
    }
  }

  private func setTags(
    adding: [String] = [], removing: [String] = [], in store: String
  ) throws {
    try change(store) { log in
      let walks = [try walk(1, of: log), try walk(4, of: log)]
      try log.setTags(of: walks, adding: adding, removing: removing)
    }
  }

  private func renameTag(in store: String) throws {
    try change(store) { log in
      let tag = try #require(try Tag.find(named: "park", in: log.context))
      _ = try log.rename(tag, to: "wood")
    }
  }

  @Test(arguments: [false, true])
  func `takes a walker where a new one was undone`(areCopies: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(areCopies: areCopies)
    try setWalker("Bob", in: "one")
    try setWalker("Cleo", in: "other")
    try revert(.undo, "other")
    try expectChangesThere()
  }

  @Test func `removes a tag where new tags were undone`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores()
    try setTags(removing: ["park"], in: "one")
    try setTags(removing: ["park"], in: "other")
    try revert(.undo, "other")
    try setTags(adding: ["lake"], in: "other")
    try revert(.undo, "other")
    try expectChangesThere(2)
  }

  @Test func `removes a tag of which a renaming was undone`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores()
    try setTags(removing: ["park"], in: "one")
    try renameTag(in: "other")
    try revert(.undo, "other")
    try expectChangesThere(2)
  }

  @Test func `gives a copy the former name of a tag that was renamed before`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 4)
    try renameTag(in: "one")
    try copy()
    try revert(.undo, "one")
    let values = try values("one")
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty && report.here.isEmpty)
    #expect(try self.values("one") == values && self.values("other") == values)
    #expect(try sync("other", "one").isEmpty)
  }
}
