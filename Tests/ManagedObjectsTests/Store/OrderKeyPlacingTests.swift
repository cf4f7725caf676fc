import TestSupport
import Testing

@testable import ManagedObjects

/// The order keys assigned between existing ones.
@Suite struct OrderKeyPlacingTests {
  /// The keys with the gaps filled, or nil if there is no space.
  private func filled(_ keys: [Int64?]) -> [Int64]? {
    var keys = keys
    return OrderKeyPlacing.fill(&keys) ? keys.map { $0! } : nil
  }

  @Test func `the first member gets 2048, and each one after it 1024 more`() {
    #expect(filled([nil, nil, nil]) == [2048, 3072, 4096])
  }

  @Test func `appended members continue from the last key`() {
    #expect(filled([5000, nil, nil]) == [5000, 6024, 7048])
  }

  @Test func `a single member before 2048 gets 1024`() {
    #expect(filled([nil, 2048]) == [1024, 2048])
  }

  @Test func `several members at the beginning get even steps below the first key`() {
    #expect(filled([nil, nil, 2048]) == [2048 - 2 * 682, 2048 - 682, 2048])
  }

  @Test func `members between two keys are spaced evenly, rounded down`() {
    #expect(filled([2048, nil, nil, 3072]) == [2048, 2389, 2730, 3072])
  }

  @Test func `gaps at several indexes are filled separately`() {
    #expect(filled([nil, 2048, nil, 3072, nil]) == [1024, 2048, 2560, 3072, 4096])
  }

  @Test(
    arguments: [
      [10, nil, 11], [nil, 1], [nil, nil, 2], [10, nil, nil, 12], [nil, 0], [nil, -5], [7, nil, 7],
    ] as [[Int64?]])
  func `missing space is reported, not forced`(keys: [Int64?]) {
    #expect(filled(keys) == nil)
  }

  @Test(
    arguments: [
      [Int64.max, nil], [Int64.max - 1024, nil, nil], [Int64.min, nil, Int64.max],
      [Int64.min, nil, 1],
    ] as [[Int64?]])
  func `numbers beyond 64 bits are not available either`(keys: [Int64?]) {
    #expect(filled(keys) == nil)
  }

  @Test func `as few members as possible move`() {
    #expect(OrderKeyPlacing.outOfOrder([1, 2, 9, 3, 4]) == [2])
    #expect(OrderKeyPlacing.outOfOrder([5, 1, 2, 3]) == [0])
    #expect(OrderKeyPlacing.outOfOrder([1, nil, 2]).isEmpty)
  }

  @Test func `members with the same key cannot both stay`() {
    #expect(OrderKeyPlacing.outOfOrder([4, 4, 5]).count == 1)
  }

  @Test func `the members that stay are in order, and no longer selection would be`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let keys: [Int64?] = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        Int.random(in: 0..<5, using: &random) == 0 ? nil : Int64.random(in: 0..<8, using: &random)
      }
      let moving = OrderKeyPlacing.outOfOrder(keys)
      let staying = keys.indices.filter { keys[$0] != nil && !moving.contains($0) }
      let kept = staying.map { keys[$0]! }
      #expect(zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }, "\(keys), seed \(seed)")
      #expect(kept.count == Self.longestAscent(keys.compactMap { $0 }), "\(keys), seed \(seed)")
    }
  }

  /// The longest ascending selection of some numbers, found by trying all selections.
  private static func longestAscent(_ numbers: [Int64]) -> Int {
    (0..<(1 << numbers.count)).map { mask -> Int in
      let chosen = numbers.indices.filter { mask >> $0 & 1 == 1 }.map { numbers[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }.max() ?? 0
  }
}
