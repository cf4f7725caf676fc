import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkModel

@Suite struct `A sync of a store with its copy` {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-copied-\(UUID().uuidString)")

  /// What a walk holds that is changed here.
  private struct Values: Hashable {
    var note: String?
    var duration: Double?
    var walker: String?
    var tags: Set<String>
  }

  private func file(_ name: String) -> URL { folder.appending(path: name + ".sqlite") }

  private func change(_ name: String, _ body: (WalkLog) throws -> Void) throws {
    let log = try WalkLog(at: file(name), for: .writing)
    log.begin(name, at: nil, by: nil)
    try log.performWriting {
      try body(log)
      try log.save()
    }
  }

  private func values(_ name: String) throws -> [UUID: Values] {
    let log = try WalkLog(at: file(name), for: .reading)
    var all: [UUID: Values] = [:]
    for walk in try log.context.fetch(Walk.fetchRequest()) {
      all[try #require(walk.identifier)] = Values(
        note: walk.note, duration: walk.duration, walker: walk.walkerName,
        tags: Set(walk.tags.map(\.name)))
    }
    return all
  }

  private func sync(_ here: String, _ there: String) throws -> SyncReport {
    try StoreSync.run(
      WalkLog(at: file(here), for: .writing), WalkLog(at: file(there), for: .writing),
      with: SyncNames(log: here, other: there, at: Date())
    ) { _ in }
  }

  /// A store with walks, and its copy.
  private func makeCopies(walks: Int = 8) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["one", "other"] { try? FileManager.default.removeItem(at: file(name)) }
    for number in 0..<walks {
      try change("one") { log in
        var draft = WalkDraft(
          start: Date(timeIntervalSinceNow: Double(number * 3600)), utcOffset: 0)
        draft.duration = 600
        draft.walker = number % 2 == 0 ? "Mum" : "Tom"
        if number % 3 == 0 { draft.tags = ["park"] }
        _ = try log.add(draft, to: [number % 4 == 0 ? "Rex" : "Fido"])
      }
    }
    try FileManager.default.copyItem(at: file("one"), to: file("other"))
  }

  private func walk(_ number: Int64, of log: WalkLog) throws -> Walk {
    try #require(try log.walk(numbered: number))
  }

  @Test func `brings over what one of them changed or deleted`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    try change("other") { try walk(3, of: $0).duration = 900 }
    try change("other") { try $0.delete([walk(4, of: $0)]) }
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty)
    #expect(report.here.changed.map(\.number) == [3] && report.here.deleted.map(\.number) == [4])
    #expect(report.there.changed.map(\.number) == [1] && report.there.deleted.map(\.number) == [2])
    let values = try values("one")
    #expect(try self.values("other") == values && values.count == 6)
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `tells of what both have changed, and keeps what one changed and the other deleted`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    for name in ["one", "other"] { try change(name) { try walk(1, of: $0).note = name } }
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    try change("other") { try walk(2, of: $0).note = "sun" }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.mine) == [.text("one")])
    #expect(report.conflicts.map(\.other) == [.text("other")])
    #expect(try values("one").values.contains { $0.note == "sun" })
    #expect(try values("one").count == 8)
  }

  @Test func `knows walkers and dogs that one of them has renamed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { log in
      let mum = try #require(try Walker.all(in: log.context).first { $0.name == "Mum" })
      (mum.name, mum.nameKey) = ("Ana", "ana")
    }
    try change("other") { log in
      let rex = try #require(try log.dogs().first { $0.name == "Rex" })
      (rex.name, rex.nameKey) = ("Rexi", "rexi")
    }
    let report = try sync("other", "one")
    #expect(report.conflicts.isEmpty && report.here.changed.isEmpty && report.there.changed.isEmpty)
    #expect(report.here.renamed.map(\.new) == ["Ana"] && report.there.changedDogs == ["Rexi"])
    for name in ["one", "other"] {
      let log = try WalkLog(at: file(name), for: .reading)
      #expect(try Walker.all(in: log.context).map(\.name).sorted() == ["Ana", "Tom"])
      #expect(try log.dogs().map(\.name).sorted() == ["Fido", "Rexi"])
    }
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `keeps a dog that one has deleted and the other walked since`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { log in try log.delete(log.dogs().filter { $0.name == "Rex" }) }
    try change("other") { log in
      _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Rex"])
    }
    try change("other") { try walk(2, of: $0).note = "rain" }
    let report = try sync("one", "other")
    #expect(report.here.changed.map(\.note) == ["rain"] && report.here.added.count == 1)
    #expect(report.there.deleted.map(\.number) == [1, 5] && report.there.deletedDogs.isEmpty)
    let after = try values("one")
    #expect(try values("other") == after && after.count == 7)
    #expect(try sync("one", "other").isEmpty)
    #expect(try sync("other", "one").isEmpty)
    #expect(try values("one") == after)
  }

  @Test func `takes no value that somebody without a log has changed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    // As an app that keeps no log of commands does.
    let container = try PersistentContainer(
      name: "DogWalk", model: .dogWalk, storeURL: file("other"))
    let context = container.newBackgroundContext()
    for walk in try context.fetch(Walk.fetchRequest()) where walk.number < 3 {
      walk.note = "the app's"
    }
    try context.save()
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.mine) == [.text("rain")])
    #expect(try values("one").values.filter { $0.note == "the app's" }.count == 2)
  }

  @Test func `loses nothing, whatever the two have done since`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = SeededGenerator.seed()
    let isLong = ProcessInfo.processInfo.environment["LONG"] != nil
    for run in 0..<(isLong ? 2_000 : 40) { try work(seed &+ UInt64(run)) }
  }

  private func work(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try makeCopies(walks: 6)
    let before = try values("one")
    // What each has touched, and what was touched by commands that were taken back.
    var touched: [String: Set<UUID>] = ["one": [], "other": []]
    var unclear: Set<UUID> = []
    for _ in 0..<Int.random(in: 1...10, using: &generator) {
      let name = Bool.random(using: &generator) ? "one" : "other"
      let log = try WalkLog(at: file(name), for: .writing)
      if Int.random(in: 0..<5, using: &generator) == 0 {
        guard let command = try log.next(.undo, by: nil) else { continue }
        let numbers = Set((command.inserted + command.updated + command.deleted).map(\.primaryKey))
        let reverted = try log.revert(command, .undo, by: nil)
        let walks = reverted.back.walks + reverted.changed.walks + reverted.gone.walks
        #expect(walks.allSatisfy { numbers.contains($0.number) })
        for walk in walks {
          unclear.insert(try #require(walk.identifier))
          touched[name]?.insert(try #require(walk.identifier))
        }
        continue
      }
      let walks = try log.context.fetch(Walk.fetchRequest()).sorted { $0.number < $1.number }
      guard let walk = walks.randomElement(using: &generator) else { continue }
      touched[name]?.insert(try #require(walk.identifier))
      let word = "\(name) \(Int.random(in: 0..<1000, using: &generator))"
      log.begin(word, at: nil, by: nil)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: try log.delete([walk])
      case 1: walk.duration = Double(Int.random(in: 1...1000, using: &generator))
      case 2: try log.setTags(of: [walk], adding: [word], removing: ["park"])
      case 3: walk.walker = try log.walker(named: word)
      default: walk.note = word
      }
      try log.save()
    }
    let (mine, others) = (try values("one"), try values("other"))
    let report = try sync("one", "other")
    let after = try values("one")
    #expect(try values("other") == after, "SEED=\(seed)")
    #expect(try sync("one", "other").isEmpty, "SEED=\(seed)")
    for id in Set(mine.keys).union(others.keys) {
      let isMine = touched["one"]?.contains(id) == true
      let isOthers = touched["other"]?.contains(id) == true
      let what: Comment = "SEED=\(seed) \(id) \(String(describing: before[id]))"
      if !unclear.contains(id), isMine != isOthers {
        let changed = isMine ? mine[id] : others[id]
        // Tags are links, which have no lock count: what either side has stays.
        if after[id]?.tags != changed?.tags {
          #expect(
            changed == nil || after[id]?.tags == mine[id]?.tags.union(others[id]?.tags ?? []), what)
        }
        #expect(after[id]?.note == changed?.note, what)
        #expect(after[id]?.duration == changed?.duration, what)
        #expect(after[id]?.walker == changed?.walker, what)
        continue
      }
      // What one has changed is there, or told of.
      for (own, other) in [(mine[id], others[id]), (others[id], mine[id])] {
        guard let own, own != before[id] else { continue }
        let found = try #require(after[id], what)
        guard let other else {
          #expect(found == own, what)
          continue
        }
        for (path, property) in [(\Values.note, SyncProperty.note), (\.walker, .walker)]
        where own[keyPath: path] != before[id]?[keyPath: path] {
          #expect(
            found[keyPath: path] == own[keyPath: path]
              || found[keyPath: path] == other[keyPath: path]
                && (own[keyPath: path] == nil
                  || report.conflicts.contains {
                    $0.walk?.identifier == id && $0.property == property
                  }),
            what)
        }
      }
    }
  }
}
