import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Random work in two contexts that merge each other's saves, undone and redone at random, compared
/// with a slow and obvious model of it.
///
/// After each save the store is read afresh, and the independent checker examines it.
@Suite struct RandomMergingTests {
  @Test(arguments: Stack.allTypes)
  func `two thousand random changes in two contexts leave what dictionaries would hold`(
    type: PersistentStore.StoreType
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let stack = try Stack(type)
    let checker =
      type == .sqlite && StoreChecker.isAvailable ? try StandingStoreChecker() : nil
    var stored = RandomWorld()
    var works = [
      RandomMergingWork(stack.context, number: 0),
      RandomMergingWork(stack.anotherContext(), number: 1),
    ]
    for step in 0..<2_000 {
      let place = "step \(step) of SEED=\(seed)"
      let who = Int.random(in: 0..<2, using: &random)
      let saves = works[who].saves
      try works[who].step(&random, stored: &stored, other: works[1 - who])
      try #require(works[who].complaint == nil, "\(place): \(works[who].complaint!)")
      if works[who].saves > saves {
        let reread = try RandomWorld(of: stack.anotherContext())
        let isRead = reread == stored
        try #require(
          isRead,
          "\(place): \(reread.difference(from: stored)) is not \(stored.difference(from: reread))")
        if let checker {
          let verdict = try checker.check(stack.url)
          try #require(verdict == "no differences", "\(place)")
        }
      }
      guard step % 7 == 0 else { continue }
      let found = try RandomWorld(of: works[who].context)
      let (now, isRight) = (works[who].now, works[who].now == found)
      try #require(
        isRight, "\(place): \(found.difference(from: now)) is not \(now.difference(from: found))")
    }
    for who in works[1].hasUndone ? [1, 0] : [0, 1] { try works[who].mergeAndSave(&stored) }
    #expect(try RandomWorld(of: stack.anotherContext()) == stored, "SEED=\(seed)")
    #expect(works.allSatisfy { $0.saves > 30 && $0.undoings > 30 }, "SEED=\(seed)")
    guard type.isFile else { return }
    let other = try stack.anotherContainer()
    #expect(try RandomWorld(of: other.newBackgroundContext()) == stored, "SEED=\(seed)")
  }
}
