import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite struct `A sync of a store with its copy`: CopiesStores {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-copied-\(UUID().uuidString)")

  @Test func `transfers what either of them changed or deleted`() throws {
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

  @Test func `reports what both have changed, and keeps what one changed and the other deleted`()
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

  @Test func `recognizes walkers and dogs that one of them has renamed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    // A chain: the name that one gives up is given to another.
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

  @Test func `takes each value of a walk from the store that changed it`() throws {
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

  @Test func `may be indirect`() throws {
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

  @Test func `keeps a dog that one has deleted and the other has walked since`() throws {
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

  @Test(arguments: ["one", "other"])
  func `recognizes changes whose commands one of them has forgotten`(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try copy()
    // As a log of a thousand commands does after more of them.
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

  @Test func `distinguishes two commands with the same time and wording`() throws {
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

  @Test func `keeps undone changes where a stick was synced with a store that forgot them`() throws
  {
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

  @Test func `recognizes that walks without a UUID were deleted`() throws {
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
  func `reports changes where one store has forgotten its commands`(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change(name) { try walk(1, of: $0).note = "rain" }
    try change(name) { try walk(2, of: $0).walker = nil }
    let isForgotten = try WalkLog(at: file(name), for: .writing).forget { _ in true }
    #expect(isForgotten)
    // A store that continues from there remembers only that.
    try change(name) { try walk(3, of: $0).note = "sun" }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.property).sorted() == [.note, .note, .walker])
    #expect(report.conflicts.map(\.isFirst) == [true, true, true])
    #expect(try values("one") == values("other"))
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `reports an offset and an ongoing walk, unless the start or the length implies it`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 4)
    try change("other") { log in
      try walk(1, of: log).utcOffset = 7_200
      try walk(2, of: log).isOngoing = true
      let (third, fourth) = (try walk(3, of: log), try walk(4, of: log))
      (third.date, third.utcOffset) = (third.date.addingTimeInterval(60), 7_200)
      (fourth.isOngoing, fourth.duration) = (true, nil)
    }
    for name in ["one", "other"] {
      let isForgotten = try WalkLog(at: file(name), for: .writing).forget { _ in true }
      #expect(isForgotten)
    }
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.walk?.number) == [1, 2, 3, 4])
    #expect(report.conflicts.map(\.property) == [.utcOffset, .isOngoing, .date, .duration])
    #expect(report.conflicts[0].mine == .number(0) && report.conflicts[0].other == .number(7_200))
    #expect(report.conflicts[1].mine == .flag(false) && report.conflicts[1].other == .flag(true))
    #expect(try sync("one", "other").isEmpty)
  }

  @Test func `takes no value that a program without a log has changed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    try change("one") { try walk(1, of: $0).note = "rain" }
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    try setNotesAsApp("other", to: "the app's")
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.mine) == [.text("rain")])
    #expect(try values("one").values.filter { $0.note == "the app's" }.count == 2)
  }

  @Test(arguments: [("one", "other"), ("other", "one")])
  func `reports changes by a program without a log in walks that no log mentions`(
    here: String, there: String
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies()
    let isForgotten = try WalkLog(at: file("one"), for: .writing).forget { _ in true }
    #expect(isForgotten)
    try change("one") { try walk(8, of: $0).note = "both remember this" }
    try copy()
    for number: Int64 in [1, 3, 5] { try change("one") { try walk(number, of: $0).note = "log" } }
    try change("one") { try $0.delete([walk(2, of: $0)]) }
    try setNotesAsApp("other", to: "app")
    let report = try sync(here, there)
    #expect(report.conflicts.map(\.walk?.number) == [1])
    let values: [SyncValue?] = [.text("log"), .text("app")]
    let (mine, theirs) = here == "one" ? (values[0], values[1]) : (values[1], values[0])
    #expect(report.conflicts.map(\.mine) == [mine] && report.conflicts.map(\.other) == [theirs])
    let notes = try self.values("one").values.compactMap(\.note).sorted()
    let kept = here == "one" ? "app" : "log"
    #expect(notes == ["app", "both remember this", kept, "log", "log"].sorted())
    #expect(try self.values("one") == self.values("other"))
    #expect(try sync("one", "other").isEmpty)
  }

  /// Changes a store as an app does that keeps no log of commands.
  private func changeAsApp(_ name: String, _ body: (ManagedObjectContext) throws -> Void) throws {
    let container = try PersistentContainer(
      name: "DogWalk", model: .dogWalk, storeURL: file(name))
    let context = container.newBackgroundContext()
    try body(context)
    try context.save()
  }

  /// Sets the notes of the first two walks.
  private func setNotesAsApp(_ name: String, to note: String) throws {
    try changeAsApp(name) { context in
      for walk in try context.fetch(Walk.fetchRequest()) where walk.number < 3 { walk.note = note }
    }
  }

  /// Adds a walk without a UUID.
  private func addAsApp(_ name: String, _ start: Double, _ minutes: Double, _ dog: Int) throws {
    try changeAsApp(name) { context in
      let dogs = try context.fetch(Dog.fetchRequest()).sorted { $0.name < $1.name }
      let walk = Walk(context: context)
      walk.date = Date(timeIntervalSinceReferenceDate: start)
      walk.duration = minutes * 60
      dogs[dog].addToWalks(walk)
    }
  }

  private func lengths(_ name: String) throws -> [Double] {
    let log = try WalkLog(at: file(name), for: .reading)
    return try log.context.fetch(Walk.fetchRequest()).compactMap { $0.duration.map { $0 / 60 } }
      .sorted()
  }

  @Test func `matches a walk without a UUID by its number where only one value differs`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 2)
    try addAsApp("one", 1_000, 11, 0)
    try addAsApp("other", 1_000, 22, 0)
    let report = try sync("one", "other")
    #expect(report.conflicts.map(\.property) == [.duration])
    for name in ["one", "other"] { #expect(try lengths(name) == [10, 10, 22]) }
  }

  @Test func `tells walks that apps added to both copies apart by their starts`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 2)
    try addAsApp("one", 1_000, 11, 0)
    try addAsApp("other", 2_000, 22, 0)
    let report = try sync("one", "other")
    #expect(report.conflicts.isEmpty)
    #expect(report.here.added.count == 1 && report.there.added.count == 1)
    for name in ["one", "other"] { #expect(try lengths(name) == [10, 10, 11, 22]) }
    #expect(try sync("other", "one").isEmpty)
  }

  /// A row that has its number since before the store was copied is the same in both.
  @Test func `knows a walk without a UUID whose start was changed in one copy`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 2)
    try addAsApp("one", 1_000, 11, 0)
    try copy()
    try change("one") { try walk(3, of: $0).date = Date(timeIntervalSinceReferenceDate: 5_000) }
    let report = try sync("other", "one")
    #expect(report.here.changed.map(\.number) == [3] && report.there.isEmpty)
    for name in ["one", "other"] { #expect(try lengths(name) == [10, 10, 11]) }
  }

  @Test func `gives a walk without a UUID one that no other walk has`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeCopies(walks: 2)
    try addAsApp("one", 1_000, 11, 0)
    // As a walk has that was brought from a store where it had this number.
    try change("one") { try walk(1, of: $0).uuid = UUID(of: walk(3, of: $0)) }
    _ = try sync("one", "other")
    for name in ["one", "other"] {
      let log = try WalkLog(at: file(name), for: .reading)
      let walks = try log.context.fetch(Walk.fetchRequest())
      #expect(Set(walks.map(\.uuid)).count == walks.count)
      #expect(try lengths(name).contains(11))
    }
    #expect(try values("one") == values("other"))
    #expect(try sync("other", "one").isEmpty)
  }
}
