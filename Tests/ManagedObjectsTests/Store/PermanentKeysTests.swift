import TestSupport
import Testing

@testable import ManagedObjects

/// The permanent keys assigned by a save, by temporary key.
@Suite struct PermanentKeysTests {
  @Test(arguments: [1, 3, 40, 1_000_000_000])
  func `are those that were assigned, however far apart the temporary keys are`(gap: Int64) {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for count in [0, 1, 2, 7, 300] {
      var temporary: [Int64] = []
      for _ in 0..<count {
        temporary.append((temporary.last ?? 0) - .random(in: 1...gap, using: &random))
      }
      // Objects that have permanent keys are looked up too.
      var keys = PermanentKeys(for: temporary.shuffled(using: &random) + [5, 9])
      var expected: [Int64: Int64] = [:]
      for key in temporary where Bool.random(using: &random) {
        keys[key] = -key * 2
        expected[key] = -key * 2
      }
      for key in temporary + [1, 5, .max, -1, -2, -gap, -gap * 1_000, .min] {
        #expect(keys[key] == expected[key], "seed \(seed): \(key) of \(count)")
      }
    }
  }
}
