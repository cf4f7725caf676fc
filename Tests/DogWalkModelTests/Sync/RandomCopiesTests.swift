import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkModel

@Suite struct `Random work on a store and its copy`: CopiesStores {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-copied-\(UUID().uuidString)")

  @Test func `loses nothing, whatever happened to either`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = SeededGenerator.seed()
    let isLong = ProcessInfo.processInfo.environment["LONG"] != nil
    for run in 0..<(isLong ? 2_000 : 40) { try work(seed &+ UInt64(run)) }
  }

  /// The properties of a walk that commands have changed.
  private struct Touched {
    var properties: Set<SyncProperty> = []
    var isDeleted = false
  }

  /// What a store's commands have changed, and the former values for commands that can be undone or
  /// redone.
  private struct Work {
    var touched: [UUID: Touched] = [:]
    var before: [[UUID: Touched]] = []
    var undone: [[UUID: Touched]] = []
  }

  /// Undoes the last command, or redoes it.
  private func revert(
    _ direction: WalkLog.Direction, _ name: String, _ work: inout Work
  ) throws {
    let log = try WalkLog(at: file(name), for: .writing)
    guard let command = try log.next(direction, by: nil) else { return }
    let now = work.touched
    let reverted = try log.revert(command, direction, by: nil)
    switch direction {
    case .undo:
      if let before = work.before.popLast() {
        work.touched = before
      } else {
        // A change from before the copy was made.
        for walk in reverted.gone.walks {
          work.touched[try #require(walk.identifier), default: Touched()].isDeleted = true
        }
      }
      work.undone.append(now)
    case .redo:
      let after = work.undone.popLast()
      work.touched = try #require(after)
      // Those from before the copy are not counted.
      if reverted.back.walks.isEmpty || command.name != "one" { work.before.append(now) }
    }
  }

  private func work(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try? FileManager.default.removeItem(at: file("stick"))
    try makeCopies(walks: 6)
    let before = try values("one")
    var work = ["one": Work(), "other": Work()]
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let name = Bool.random(using: &generator) ? "one" : "other"
      var own = try #require(work[name])
      defer { work[name] = own }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1:
        try revert(.undo, name, &own)
        continue
      case 2:
        try revert(.redo, name, &own)
        continue
      default: break
      }
      let log = try WalkLog(at: file(name), for: .writing)
      let walks = try log.context.fetch(Walk.fetchRequest()).sorted { $0.number < $1.number }
      guard let walk = walks.randomElement(using: &generator) else { continue }
      let id = try #require(walk.identifier)
      let word = "\(name) \(Int.random(in: 0..<1000, using: &generator))"
      log.begin(word, at: nil, by: nil)
      var what = own.touched[id] ?? Touched()
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        try log.delete([walk])
        what.isDeleted = true
      case 1:
        walk.duration = Double(Int.random(in: 1...1000, using: &generator))
        what.properties.insert(.duration)
      case 2:
        try log.setTags(of: [walk], adding: [word], removing: ["park"])
        what.properties.insert(.tags)
      case 3:
        walk.walker = try log.walker(named: word)
        what.properties.insert(.walker)
      default:
        let note = Bool.random(using: &generator) ? word : nil
        guard walk.note != note else { continue }
        walk.note = note
        what.properties.insert(.note)
      }
      own.before.append(own.touched)
      own.undone = []
      own.touched[id] = what
      try log.save()
    }
    let touched = work.mapValues(\.touched)
    let (mine, others) = (try values("one"), try values("other"))
    let isDirect = Bool.random(using: &generator)
    if isDirect {
      _ = try sync("one", "other")
    } else {
      for name in ["one", "other", "one"] { _ = try sync(name, "stick") }
    }
    let after = try values("one")
    #expect(try values("other") == after, "SEED=\(seed)")
    #expect(try sync("one", "other").isEmpty, "SEED=\(seed)")
    for id in before.keys {
      let what: Comment = "SEED=\(seed) \(id) \(String(describing: before[id]))"
      let (own, theirs) = (touched["one"]?[id] ?? Touched(), touched["other"]?[id] ?? Touched())
      if own.isDeleted || theirs.isDeleted {
        let isKept =
          own.isDeleted != theirs.isDeleted
          && !(own.isDeleted ? theirs : own).properties.isEmpty
        let kept = mine[id] ?? others[id]
        // A changed value that is equal to the former one need not be kept.
        #expect(after[id] == (isKept ? kept : nil) || isKept && kept == before[id], what)
        continue
      }
      let (one, other) = (try #require(mine[id]), try #require(others[id]))
      let found = try #require(after[id], what)
      func check<Value: Equatable>(_ path: KeyPath<CopiedValues, Value>, _ property: SyncProperty) {
        switch (own.properties.contains(property), theirs.properties.contains(property)) {
        case (true, false): #expect(found[keyPath: path] == one[keyPath: path], what)
        case (false, true): #expect(found[keyPath: path] == other[keyPath: path], what)
        default:
          #expect([one, other].map { $0[keyPath: path] }.contains(found[keyPath: path]), what)
        }
      }
      check(\.note, .note)
      check(\.duration, .duration)
      check(\.walker, .walker)
      if own.properties.contains(.tags), theirs.properties.contains(.tags) {
        #expect(found.tags == one.tags.union(other.tags), what)
      } else {
        check(\.tags, .tags)
      }
    }
  }
}
