import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

/// Tests that sync a store with its copy.
protocol CopiesStores {
  /// Where the stores are.
  var folder: URL { get }
}

extension CopiesStores {
  func file(_ name: String) -> URL { folder.appending(path: name + ".sqlite") }

  func change(_ name: String, _ body: (WalkLog) throws -> Void) throws {
    let log = try WalkLog(at: file(name), for: .writing)
    log.begin(name, at: nil, by: nil)
    try log.performWriting {
      try body(log)
      try log.save()
    }
  }

  func values(_ name: String) throws -> [UUID: CopiedValues] {
    let log = try WalkLog(at: file(name), for: .reading)
    var all: [UUID: CopiedValues] = [:]
    for walk in try log.context.fetch(Walk.fetchRequest()) {
      all[try #require(walk.identifier)] = CopiedValues(
        note: walk.note, duration: walk.duration, walker: walk.walkerName,
        tags: Set(walk.tags.map(\.name)))
    }
    return all
  }

  func sync(_ here: String, _ there: String) throws -> SyncReport {
    try StoreSync.run(
      WalkLog(at: file(here), for: .writing), WalkLog(at: file(there), for: .writing),
      with: SyncNames(log: here, other: there, at: Date())
    ) { _ in }
  }

  /// A store with walks, and its copy.
  func makeCopies(walks: Int = 8) throws {
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

  func walk(_ number: Int64, of log: WalkLog) throws -> Walk {
    try #require(try log.walk(numbered: number))
  }

  func revert(_ direction: WalkLog.Direction, _ name: String) throws {
    let log = try WalkLog(at: file(name), for: .writing)
    _ = try log.revert(#require(try log.next(direction, by: nil)), direction, by: nil)
  }

  func copy() throws {
    try? FileManager.default.removeItem(at: file("other"))
    try FileManager.default.copyItem(at: file("one"), to: file("other"))
  }
}

/// The values of a walk that tests of copies change.
struct CopiedValues: Hashable {
  var note: String?
  var duration: Double?
  var walker: String?
  var tags: Set<String>
}
