import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

/// Which of two dogs has the lower UUID, the one by which they go on if they become one, must not
/// matter.
@Suite struct `A sync of dogs that have or had the same name`: CopiesStores {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-names-\(UUID().uuidString)")

  private static let orders = [true, false]

  /// Two synced stores with the dogs Anka and Zora, a walk each.
  private func makeStores(ankaFirst: Bool) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try change("one") { log in
      for (number, name) in ["Anka", "Zora"].enumerated() {
        var draft = WalkDraft(
          start: Date(timeIntervalSinceNow: Double(-number * 3600)), utcOffset: 0)
        draft.duration = 600
        let dog = try #require(try log.add(draft, to: [name]).newDogs.first)
        dog.uuid = Self.uuid((name == "Anka") == ankaFirst ? 1 : 2)
      }
    }
    _ = try sync("one", "other")
  }

  private static func uuid(_ number: UInt8) -> UUID {
    UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
  }

  private func dog(_ name: String, _ log: WalkLog) throws -> Dog {
    try #require(try log.dogs().first { $0.name == name })
  }

  private func rename(_ old: String, to new: String, _ store: String) throws {
    try change(store) { log in
      let dog = try dog(old, log)
      (dog.name, dog.nameKey) = (new, NameKey.of(new))
    }
  }

  /// Moves a dog's walks to another one, and deletes it.
  private func merge(_ old: String, into new: String, _ store: String) throws {
    try change(store) { log in
      let (gone, stays) = (try dog(old, log), try dog(new, log))
      for walk in gone.walks.array { stays.addToWalks(walk) }
      log.context.delete(gone)
    }
  }

  /// The dogs of both stores, which must be equal: name, target and number of walks.
  private func dogs() throws -> [String] {
    let found = try ["one", "other"].map { name in
      let log = try WalkLog(at: file(name), for: .reading)
      return try log.dogs().map {
        "\($0.name) \($0.targetMinutes.map { "\($0)" } ?? "-") \($0.walks.count)"
      }.sorted()
    }
    #expect(found[0] == found[1])
    return found[0]
  }

  @Test(arguments: orders)
  func `transfers the name of a dog that was merged`(ankaFirst: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try change("one") { try dog("Anka", $0).targetMinutes = 60 }
    _ = try sync("one", "other")
    try merge("Anka", into: "Zora", "other")
    try rename("Zora", to: "Anka", "other")
    let report = try sync("one", "other")
    #expect(try dogs() == ["Anka - 2"])
    #expect(report.here.formerNames == ["Anka": "Zora"] && report.here.deletedDogs == ["Anka"])
    #expect(report.there.isEmpty && report.conflicts.isEmpty && report.joinedDogs.isEmpty)
    #expect(try sync("other", "one").isEmpty)
  }

  @Test(arguments: orders)
  func `joins a dog that was merged and walked at once with the one of its name`(
    ankaFirst: Bool
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try change("one") { try dog("Anka", $0).targetMinutes = 60 }
    _ = try sync("one", "other")
    try merge("Anka", into: "Zora", "other")
    try rename("Zora", to: "Anka", "other")
    try change("one") { log in
      let draft = WalkDraft(start: Date(timeIntervalSinceNow: -60), utcOffset: 0)
      _ = try log.add(draft, to: ["Anka"])
    }
    let report = try sync("one", "other")
    #expect(try dogs() == ["Anka - 3"])
    #expect(report.joinedDogs == ["Anka"] && report.conflicts.isEmpty)
    #expect(try sync("other", "one").isEmpty)
  }

  /// The values of the dog that is there count, whichever dog it becomes one with.
  @Test(arguments: orders, ["one", "other"])
  func `keeps the target of a new dog that gets the name of a deleted one`(
    ankaFirst: Bool, caller: String
  ) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try change("one") { try dog("Anka", $0).targetMinutes = 20 }
    _ = try sync("one", "other")
    try change("other") { log in log.context.delete(try dog("Anka", log)) }
    try change("other") { log in
      let draft = WalkDraft(start: Date(timeIntervalSinceNow: -90), utcOffset: 0)
      let dog = try #require(try log.add(draft, to: ["Anka"]).newDogs.first)
      (dog.uuid, dog.targetMinutes) = (Self.uuid(ankaFirst ? 3 : 0), 30)
    }
    try change("one") { log in
      let draft = WalkDraft(start: Date(timeIntervalSinceNow: -60), utcOffset: 0)
      _ = try log.add(draft, to: ["Anka"])
    }
    let report = try sync(caller, caller == "one" ? "other" : "one")
    #expect(try dogs() == ["Anka 30 2", "Zora - 1"])
    #expect(report.conflicts.isEmpty)
    #expect(try sync("other", "one").isEmpty)
  }

  @Test(arguments: orders)
  func `reports the target that two dogs cannot both keep`(ankaFirst: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try change("one") { log in
      try dog("Anka", log).targetMinutes = 60
      try dog("Zora", log).targetMinutes = 40
    }
    _ = try sync("one", "other")
    try rename("Anka", to: "Bello", "one")
    try rename("Zora", to: "Bello", "other")
    let report = try sync("one", "other")
    let (kept, dropped) = ankaFirst ? (60, 40) : (40, 60)
    #expect(try dogs() == ["Bello \(kept) 2"])
    #expect(report.joinedDogs == ["Bello"])
    #expect(report.conflicts.map(\.dogName) == ["Bello"])
    #expect(report.conflicts.map(\.mine) == [.number(Double(dropped))])
    #expect(report.conflicts.map(\.other) == [.number(Double(kept))])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test(arguments: orders)
  func `joins a deleted dog that has a walk without a date`(ankaFirst: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try merge("Anka", into: "Zora", "other")
    try rename("Zora", to: "Anka", "other")
    try change("one") { log in
      let draft = WalkDraft(start: Date(timeIntervalSinceNow: -60), utcOffset: 0)
      let walk = try #require(try log.add(draft, to: ["Anka"]).walks.first)
      walk.date = .distantPast
    }
    _ = try sync("one", "other")
    for name in ["one", "other"] {
      let log = try WalkLog(at: file(name), for: .reading)
      #expect(try log.dogs().map(\.name) == ["Anka"])
    }
  }

  @Test(arguments: orders)
  func `joins two dogs that were renamed to one name`(ankaFirst: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try rename("Anka", to: "Waldo", "one")
    try rename("Zora", to: "Waldo", "other")
    let report = try sync("one", "other")
    #expect(try dogs() == ["Waldo - 2"])
    #expect(report.joinedDogs == ["Waldo"] && report.conflicts.isEmpty)
    #expect(report.here.formerNames == ["Waldo": "Zora"])
    #expect(report.there.formerNames == ["Waldo": "Anka"])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test(arguments: orders)
  func `joins a renamed dog with a new one without a conflict`(ankaFirst: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: ankaFirst)
    try rename("Anka", to: "Maxi", "one")
    try change("other") { log in
      let draft = WalkDraft(start: Date(timeIntervalSinceNow: -90), utcOffset: 0)
      let dog = try #require(try log.add(draft, to: ["Maxi"]).newDogs.first)
      dog.uuid = Self.uuid(ankaFirst ? 3 : 0)
    }
    let report = try sync("one", "other")
    #expect(try dogs() == ["Maxi - 2", "Zora - 1"])
    #expect(report.conflicts.isEmpty && report.joinedDogs == ["Maxi"])
    #expect(try sync("other", "one").isEmpty)
  }

  @Test func `imports for a joined dog by its former UUID, and keeps its new name`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeStores(ankaFirst: true)
    try rename("Anka", to: "Waldo", "one")
    try rename("Zora", to: "Waldo", "other")
    _ = try sync("one", "other")
    try rename("Waldo", to: "Shep", "one")
    let log = try WalkLog(at: file("one"), for: .writing)
    let draft = WalkDraft(start: Date(timeIntervalSinceNow: -30), utcOffset: 0)
    let record = WalkRecord(
      dog: "Zora", dogUUID: Self.uuid(2), uuid: nil, draft: draft, fields: [.duration])
    _ = try log.merge([[record]], localOffset: { _ in 0 }) { _ in }
    _ = try sync("one", "other")
    #expect(try dogs() == ["Shep - 3"])
  }
}
