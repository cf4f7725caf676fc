import Foundation

/// Random numbers that are repeatable with a seed: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Begins a sequence.
  package init(seed: UInt64) {
    state = seed
  }

  /// A new seed, or the one in `SEED`, to see a failure again.
  ///
  /// Where `CI` is set it is always the same: a change is not refused for older faults.
  /// `make torment` looks for those, with new seeds.
  package static func seed() -> UInt64 {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SEED"].flatMap({ UInt64($0) }) { return seed }
    return environment["CI"] == nil ? UInt64.random(in: 0...UInt64.max) : 1
  }

  /// The next number of the sequence.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
