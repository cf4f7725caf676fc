import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkModel

@Suite struct `Values kept beside the objects` {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-kept-\(UUID().uuidString)")

  /// A store in the folder; where there is a server, one there unless a name is given.
  private func log(_ name: String? = nil) throws -> WalkLog {
    if name == nil, let url = TestServer.store(for: folder.path).flatMap({ URL(string: $0) }) {
      return try WalkLog(at: url, for: .writing)
    }
    return try WalkLog(at: folder.appending(path: name ?? "walks.sqlite"), for: .writing)
  }

  private func kept(_ log: WalkLog) throws -> [String: [UInt8]] {
    var values: [String: [UInt8]] = [:]
    try log.coordinator.forEachKeptValue(named: "a", in: log.store) { values[$0] = $1 }
    return values
  }

  @Test func `are saved with their save, or not at all`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try log()
    _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Fido"])
    #expect(try kept(log).isEmpty)
    try log.keep(["a1": [1], "a2": [2], "b": [3]])
    #expect(try kept(log) == ["a1": [1], "a2": [2]])
    // A walk without a dog cannot be saved.
    let walk = Walk(context: log.context)
    walk.date = Date()
    #expect(throws: ValidationError.self) {
      try log.coordinator.keep(["a1": [9]], in: log.store, with: { try log.save() })
    }
    #expect(try kept(log)["a1"] == [1])
    log.context.delete(walk)
    _ = try log.coordinator.keep(["a1": [9], "a2": nil], in: log.store) {
      try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Rex"])
    }
    #expect(try kept(log) == ["a1": [9]])
    // Only for the save of that body.
    _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Luna"])
    #expect(try kept(log) == ["a1": [9]])
  }

  @Test func `are saved with their undo or redo, or not at all`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try log()
    log.begin("add", at: nil, by: nil)
    _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Fido"])
    let command = try #require(try log.next(.undo, by: nil))
    func undo(keeping value: UInt8) throws {
      _ = try log.coordinator.keep(["a": [value]], in: log.store) { try log.undoLog?.undo(command) }
    }
    try undo(keeping: 1)
    #expect(try kept(log) == ["a": [1]] && log.next(.undo, by: nil) == nil)
    #expect(throws: StoreUndoError.superseded) { try undo(keeping: 2) }
    #expect(try kept(log) == ["a": [1]])
    _ = try log.coordinator.keep(["a": nil], in: log.store) { try log.undoLog?.redo() }
    #expect(try kept(log).isEmpty && log.next(.undo, by: nil) != nil)
  }

  @Test func `are not undone, and not part of a copy for others`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try log()
    log.begin("add", at: nil, by: nil)
    _ = try log.coordinator.keep(["a": [1]], in: log.store) {
      try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Fido"])
    }
    let command = try #require(try log.next(.undo, by: nil))
    _ = try log.revert(command, .undo, by: nil)
    #expect(try kept(log) == ["a": [1]])
    // A store on a server is not copied.
    guard TestServer.url == nil else { return }
    try log.copy(to: folder.appending(path: "own.sqlite"))
    try log.copy(to: folder.appending(path: "others.sqlite"), withoutUndoLog: true)
    #expect(try kept(self.log("own.sqlite")) == ["a": [1]])
    #expect(try kept(self.log("others.sqlite")).isEmpty)
  }

  @Test func `an alias of a dog that leads elsewhere now is written, though there are as many`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try log()
    _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Fido"])
    let keys = ["Fido", "Rex", "Luna"].map { SyncKey(nameKey: $0, of: .dog) }
    var memory = try SyncMemory(of: log)
    memory.aliases = [keys[0]: keys[1]]
    try log.keep(memory.changes([:]))
    var again = try SyncMemory(of: log)
    #expect(again.aliases == [keys[0]: keys[1]] && again.changes([:]).isEmpty)
    again.aliases = [keys[0]: keys[2]]
    try log.keep(again.changes([:]))
    #expect(try SyncMemory(of: log).aliases == [keys[0]: keys[2]])
  }
}
