import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

/// Dogs of one store that two logs write to.
final class DogsTests {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-dogs-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  func log() throws -> WalkLog {
    try WalkLog(at: folder.appending(path: "walks.sqlite"), for: .writing)
  }

  func draft(_ minutes: Double, by walker: String? = nil) -> WalkDraft {
    var draft = WalkDraft(start: Date(timeIntervalSinceReferenceDate: 0), utcOffset: 0)
    draft.duration = minutes * 60
    draft.walker = walker
    return draft
  }

  /// The store's content.
  func state(_ log: WalkLog) throws -> [String] {
    let walks = try log.walks(WalkQuery()).map { "\($0.number) \($0.dog?.name ?? "-")" }
    return try walks.sorted() + log.dogs().map(\.name)
      + ["chosen: \(log.chosenDog()?.name ?? "-")"]
  }

  @Test func `Merging dogs is a single step, and so is undoing it`() throws {
    let log = try log()
    _ = try log.add(draft(1), to: ["Fdio", "Fido"])
    try log.choose(try #require(try log.dog(named: "Fdio")))
    let before = try state(self.log())
    log.begin("merge", at: nil, by: nil)
    var seen: [[String]] = []
    let observation = log.context.observe(.didSave) { _ in
      if let other = try? self.log(), let state = try? self.state(other) { seen.append(state) }
    }
    let stays = try #require(try log.dog(named: "Fido"))
    let goes = try #require(try log.dog(named: "Fdio"))
    #expect(try log.merge([goes], into: stays).walks == 1)
    observation.cancel()
    #expect(seen == [["1 Fido", "2 Fido", "Fido", "chosen: Fido"]])
    #expect(try state(self.log()) == seen.last)
    #expect(try log.commands().count == 3)
    let merge = try #require(try log.next(.undo, by: nil))
    _ = try log.revert(merge, .undo, by: nil)
    #expect(try state(self.log()) == before)
  }

  @Test func `A merge that cannot be saved keeps the chosen dog`() throws {
    let log = try log()
    _ = try log.add(draft(1), to: ["Fdio", "Fido"])
    try log.choose(try #require(try log.dog(named: "Fdio")))
    let dogs = try log.dogs()
    // As another program may leave it.
    dogs[1].name = ""
    dogs[1].setValue(nil, forKey: "name")
    #expect(throws: (any Error).self) { try log.merge([dogs[0]], into: dogs[1]) }
    #expect(try self.log().chosenDog()?.name == "Fdio")
    #expect(try self.log().commands().count == 2)
  }

  /// What another log does to a dog that was read by name.
  enum Change: CaseIterable {
    case rename, merge, delete

    func make(in log: WalkLog) throws {
      let dogs = try log.dogs()
      let fido = try #require(dogs.first { $0.name == "Fido" })
      let rex = try #require(dogs.first { $0.name == "Rex" })
      switch self {
      case .rename:
        (fido.name, fido.nameKey) = ("Shep", "shep")
        try log.save()
      case .merge: _ = try log.merge([fido], into: rex)
      case .delete: try log.delete([fido])
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `A dog that is gone since it was named is not created again`(change: Change) throws {
    let (log, other) = (try log(), try log())
    _ = try other.add(draft(1), to: ["Fido", "Rex"])
    #expect(try log.dog(named: "fido") != nil)
    try change.make(in: other)
    let expected = try state(other)
    #expect(throws: ConflictError.self) { try log.add(draft(2), to: ["Rex", "Fido"]) }
    #expect(!log.context.hasChanges && !log.hasSaved)
    #expect(try state(self.log()) == expected)
  }

  @Test(arguments: Change.allCases)
  func `A name that the log itself has freed can be given to a new dog`(change: Change) throws {
    let log = try log()
    _ = try log.add(draft(1), to: ["Fido", "Rex"])
    try change.make(in: log)
    #expect(try log.add(draft(2), to: ["Fido"]).newDogs.map(\.name) == ["Fido"])
  }

  @Test func `A walker who was renamed since is not created again`() throws {
    let (log, other) = (try log(), try log())
    _ = try other.add(draft(1, by: "Mummy"), to: ["Fido"])
    #expect(try log.walkers().map(\.name) == ["Mummy"])
    let walker = try other.walkers()[0]
    (walker.name, walker.nameKey) = ("Anna", "anna")
    try other.save()
    #expect(throws: ConflictError.self) { try log.add(draft(2, by: "mummy"), to: ["Fido"]) }
    #expect(try self.log().walkers().map(\.name) == ["Anna"])
    #expect(try self.log().add(draft(2, by: "mummy"), to: ["Fido"]).newWalker?.name == "mummy")
  }
}
