import Foundation
import ManagedObjects
import TestSupport
import Testing

@testable import DogWalkModel

@Suite struct `Walks read one by one` {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "dogwalk-streaming-\(UUID().uuidString)")

  func log() throws -> WalkLog {
    try WalkLog(at: folder.appending(path: "walks.sqlite"), for: .writing)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `are those read at once, in the same order`(seed: UInt64) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var generator = SeededGenerator(seed: seed)
    let log = try log()
    let dogs = try log.addDogs(named: ["Fido", "Rex"]) { _ in }
    // Many at one time, more of them than one fetch returns.
    let moments = seed == 1 ? 2 : 400
    for _ in 0..<2000 {
      let walk = Walk(context: log.context)
      walk.date = Date(
        timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<moments, using: &generator)))
      walk.duration = Double(Int.random(in: 0..<10, using: &generator))
      dogs.randomElement(using: &generator)?.addToWalks(walk)
    }
    try log.save()
    for limit in [nil, 1, 5, 700] as [Int?] {
      var query = WalkQuery()
      query.limit = limit
      if seed > 2 { query.isWanted = { $0.duration != 3 } }
      if limit == 700 { query.dogs = [dogs[1]] }
      let expected = try log.walks(query).map(\.number)
      var found: [Int64] = []
      try log.forEachWalk(query) { found.append($0.number) }
      #expect(found == expected, "seed \(seed), limit \(limit ?? 0)")
      found = []
      try log.forEachWalk(query, isReversed: true) { found.append($0.number) }
      #expect(found == expected.reversed(), "seed \(seed), limit \(limit ?? 0)")
    }
  }

  @Test func `are not retained`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = try log()
    for _ in 0..<3 {
      _ = try log.add(WalkDraft(start: Date(), utcOffset: 0), to: ["Fido"])
    }
    let other = try self.log()
    weak var first: Walk?
    try other.forEachWalk(WalkQuery()) { walk in first = first ?? walk }
    #expect(first == nil)
  }
}
