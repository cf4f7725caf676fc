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
    // A chain: the name that one gives up another one gets.
    for (old, new) in [("Mum", "Ana"), ("Tom", "Mum")] {
      try change("one") { log in
        let walker = try #require(try Walker.all(in: log.context).first { $0.name == old })
        (walker.name, walker.nameKey) = (new, NameKey.of(new))
      }
    }
    try change("other") { log in
      let rex = try #require(try log.dogs().first { $0.name == "Rex" })
      (rex.name, rex.nameKey) = ("Rexi", "rexi")
    }
    let report = try sync("other", "one")
    #expect(report.conflicts.isEmpty && report.there.changed.isEmpty)
    #expect(report.there.changedDogs == ["Rexi"])
    let values = try values("one")
    #expect(try self.values("other") == values)
    #expect(values.values.filter { $0.walker == "Ana" }.count == 4)
    for name in ["one", "other"] {
      let log = try WalkLog(at: file(name), for: .reading)
      #expect(try Walker.all(in: log.context).map(\.name).sorted() == ["Ana", "Mum"])
      #expect(try log.dogs().map(\.name).sorted() == ["Fido", "Rexi"])
    }
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `takes each value of a walk from the one that changed it`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try FileManager.default.removeItem(at: file("other"))
    try FileManager.default.copyItem(at: file("one"), to: file("other"))
    try change("one") { try walk(1, of: $0).note = nil }
    try change("one") { log in
      try log.setTags(of: [walk(1, of: log)], adding: ["lake"], removing: ["park"])
    }
    try change("other") { try walk(1, of: $0).duration = 900 }
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty)
    for name in ["one", "other"] {
      let log = try WalkLog(at: file(name), for: .reading)
      let walk = try walk(1, of: log)
      #expect(walk.note == nil && walk.duration == 900 && walk.tagNames == ["lake"])
    }
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `knows what was taken back since`() throws {
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

  @Test func `needs not be direct`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    #expect(try sync("one", "stick").there.added.count == 7)
    try change("other") { try walk(3, of: $0).note = "rain" }
    try change("other") { try $0.delete([walk(4, of: $0)]) }
    let report = try sync("other", "stick")
    #expect(report.here.deleted.map(\.number) == [2] && report.here.added.isEmpty)
    #expect(report.there.deleted.count == 1 && report.there.changed.map(\.note) == ["rain"])
    #expect(try sync("one", "stick").here.changed.map(\.number) == [3])
    #expect(try values("one") == values("other"))
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

  private func revert(_ direction: WalkLog.Direction, _ name: String) throws {
    let log = try WalkLog(at: file(name), for: .writing)
    _ = try log.revert(#require(try log.next(direction, by: nil)), direction, by: nil)
  }

  private func copy() throws {
    try? FileManager.default.removeItem(at: file("other"))
    try FileManager.default.copyItem(at: file("one"), to: file("other"))
  }

  @Test func `knows what was taken back before the next command`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    // Mistyped, which is noticed after the copy was made.
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

  @Test func `knows what is done again that was taken back before`() throws {
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

  @Test func `takes what is as it was for untouched`() throws {
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

  @Test func `knows what was taken back where an older copy is met first`() throws {
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

  @Test func `takes what both have brought back for changed by neither`() throws {
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

  @Test(arguments: ["one", "other"])
  func `knows what one of them has forgotten as it went on`(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try copy()
    // As a log of a thousand does after more commands.
    var options = PersistentStoreOptions()
    options.undoLogLimit = 60
    let container = try PersistentContainer(
      name: "DogWalk", model: .dogWalk, storeURL: file(name), options: options)
    let context = container.newBackgroundContext()
    let walks = try context.fetch(Walk.fetchRequest())
    let last = try #require(walks.first { $0.number == 8 })
    for number in 1...60 {
      last.note = "\(number)"
      try context.save()
    }
    #expect(
      try container.persistentStoreCoordinator.undoLog(of: container.persistentStore)?
        .commands().last?.id ?? 0 > 1)
    try change("one") { try walk(1, of: $0).note = "sun" }
    try change("other") { try $0.delete([walk(2, of: $0)]) }
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty)
    let values = try values("one")
    #expect(values.count == 7 && values.values.contains { $0.note == "sun" })
    #expect(try self.values("other") == values)
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `knows two commands of one time and one wording from each other`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    for name in ["one", "other"] {
      let log = try WalkLog(at: file(name), for: .writing)
      log.begin("import walks.csv", at: Date(timeIntervalSinceReferenceDate: 0), by: "Ana")
      try log.performWriting {
        try walk(1, of: log).note = name
        if name == "one" { try log.delete([walk(2, of: log)]) }
        try log.save()
      }
    }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.mine) == [.text("one")])
    #expect(report.there.deleted.map(\.number) == [2])
  }

  @Test func `knows two redone changes of one walk from each other`() throws {
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

  @Test func `keeps what is taken away where a stick has met one that forgot`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(2, of: $0).note = "rain" }
    try FileManager.default.removeItem(at: file("other"))
    try FileManager.default.copyItem(at: file("one"), to: file("other"))
    let isForgotten = try WalkLog(at: file("one"), for: .writing).forget { _ in true }
    #expect(isForgotten)
    try change("other") { try walk(2, of: $0).note = nil }
    try change("other") { log in
      try log.setTags(of: [walk(1, of: log)], adding: [], removing: ["park"])
    }
    _ = try sync("one", "stick")
    let report = try sync("other", "stick")
    #expect(report.conflicts.map(\.property) == [.note])
    let log = try WalkLog(at: file("other"), for: .reading)
    #expect(try walk(1, of: log).tagNames.isEmpty)
  }

  @Test func `knows that walks without a UUID were deleted`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { log in
      for walk in try log.context.fetch(Walk.fetchRequest()) { walk.uuid = nil }
    }
    try FileManager.default.removeItem(at: file("other"))
    try FileManager.default.copyItem(at: file("one"), to: file("other"))
    try change("one") { try $0.delete([walk(3, of: $0)]) }
    let report = try sync("one", "other")
    #expect(report.there.deleted.map(\.number) == [3] && report.here.isEmpty)
    #expect(try sync("one", "other").isEmpty)
  }

  @Test(arguments: ["one", "other"])
  func `tells of what was changed where one has forgotten that`(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change(name) { try walk(1, of: $0).note = "rain" }
    try change(name) { try walk(2, of: $0).walker = nil }
    let isForgotten = try WalkLog(at: file(name), for: .writing).forget { _ in true }
    #expect(isForgotten)
    // One that goes on from there remembers that alone.
    try change(name) { try walk(3, of: $0).note = "sun" }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.property).sorted() == [.note, .note, .walker])
    #expect(report.conflicts.map(\.isFirst) == [true, true, true])
    #expect(try values("one") == values("other"))
    #expect(try sync("one", "other").isEmpty)
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

  /// What commands have touched of a walk.
  private struct Touched {
    var properties: Set<SyncProperty> = []
    var isDeleted = false
  }

  /// What commands of a store have touched, and what they had before those that can be taken back,
  /// or done again.
  private struct Work {
    var touched: [UUID: Touched] = [:]
    var before: [[UUID: Touched]] = []
    var undone: [[UUID: Touched]] = []
  }

  /// Takes the last command back, or does it again.
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
        // One of before the copy was made.
        for walk in reverted.gone.walks {
          work.touched[try #require(walk.identifier), default: Touched()].isDeleted = true
        }
      }
      work.undone.append(now)
    case .redo:
      let after = work.undone.popLast()
      work.touched = try #require(after)
      // Those of before the copy are not counted.
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
        // What was touched and is as it was need not be kept.
        #expect(after[id] == (isKept ? kept : nil) || isKept && kept == before[id], what)
        continue
      }
      let (one, other) = (try #require(mine[id]), try #require(others[id]))
      let found = try #require(after[id], what)
      func check<Value: Equatable>(_ path: KeyPath<Values, Value>, _ property: SyncProperty) {
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
