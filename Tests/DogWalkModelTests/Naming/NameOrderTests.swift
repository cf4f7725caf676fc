import Foundation
import ManagedObjects
import Testing

@testable import DogWalkModel

@Suite("The order of names")
final class NameOrderTests {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-names-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test func `names are sorted ignoring case and marks, and numbers by their value`() {
    let names = ["zoe", "Äla", "Rex 10", "rex 2", "Émile", "Zorro", "anna", "Ezra"]
    #expect(
      names.sorted(byName: \.self)
        == ["Äla", "anna", "Émile", "Ezra", "rex 2", "Rex 10", "zoe", "Zorro"])
  }

  @Test func `equal names keep their order, and missing names come last`() {
    let walks: [(name: String?, number: Int)] = [(nil, 1), ("Rex", 2), (nil, 3), ("Rex", 4)]
    #expect(walks.sorted(byName: { $0.name }).map(\.number) == [2, 4, 1, 3])
  }

  @Test func `dogs, walkers and a walk's tags are in the order of names`() throws {
    let (log, walk) = try walk()
    #expect(try log.dogs().map(\.name) == ["Ärmel", "zorro"])
    #expect(try log.walkers().map(\.name) == ["Äla", "zoe"])
    #expect(try log.tagNames() == ["9", "10", "Übung", "wood"])
    #expect(walk.tagNames == ["9", "10", "Übung", "wood"])
  }

  @Test func `a walk's version does not depend on the order of its tags`() throws {
    let (log, walk) = try walk()
    let versions = [["wood", "10"], ["10", "wood"]].map {
      WalkVersion(of: walk, in: log.storeIdentifier, tags: $0)
    }
    #expect(versions[0] == versions[1])
  }

  private func walk() throws -> (WalkLog, Walk) {
    let log = try WalkLog(at: folder.appending(path: "walks.sqlite"), for: .writing)
    var draft = WalkDraft(start: Date(timeIntervalSinceReferenceDate: 0), utcOffset: 0)
    draft.tags = ["wood", "Übung", "10", "9"]
    draft.walker = "zoe"
    _ = try log.add(draft, to: ["zorro", "Ärmel"])
    draft.walker = "Äla"
    return (log, try log.add(draft, to: ["zorro"]).walks[0])
  }
}
