import TestSupport
import Testing

@testable import ManagedObjects

/// Positions in a list with removals and insertions.
@Suite struct ShiftedPositionsTests {
  @Test func `an empty list takes insertions`() {
    var positions = ShiftedPositions(count: 0)
    for count in 0..<3 {
      #expect(positions.position(of: 0) == count)
      positions.insert(before: 0)
    }
  }

  @Test func `they match those of an array that is changed step by step`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 0...20, using: &random)
      var positions = ShiftedPositions(count: count)
      // nil stands for an inserted element.
      var array: [Int?] = (0..<count).map { $0 }
      // Objects are inserted from front to back, as a difference does.
      var next = 0
      for _ in 0..<30 {
        let left = array.compactMap(\.self)
        if Bool.random(using: &random), let index = left.randomElement(using: &random) {
          #expect(positions.position(of: index) == array.firstIndex(of: index), "seed \(seed)")
          positions.remove(index)
          array.removeAll { $0 == index }
        } else {
          next = Int.random(in: next...count, using: &random)
          let place = array.firstIndex { ($0 ?? -1) >= next } ?? array.count
          #expect(positions.position(of: next) == place, "seed \(seed)")
          positions.insert(before: next)
          array.insert(nil, at: place)
        }
      }
    }
  }
}
