import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `A length exported in minutes` {
  @Test func `is read back as the same number of seconds`() {
    let wrong = (1...100_000).filter { Double(secondsOfMinutes: Double($0) / 60) != Double($0) }
    #expect(wrong == [])
  }

  @Test func `is the same to the millisecond, and always the same minutes`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200_000 {
      let seconds = Double(Int.random(in: 1...60_000_000_000, using: &random)) / 1000
      #expect(Double(secondsOfMinutes: seconds / 60) == seconds, "seed \(seed)")
      let any = Double.random(in: 0.001..<1e9, using: &random)
      #expect(Double(secondsOfMinutes: any / 60) / 60 == any / 60, "seed \(seed)")
    }
  }
}
