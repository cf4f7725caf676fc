import Foundation
import ModelCompiler
import Testing

@Suite struct `Garbled models` {
  /// A generator whose numbers follow from its seed.
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      // SplitMix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  /// Pieces that mean something to the compiler, to be put where they do not belong.
  private static let pieces = [
    "\"", "<", ">", "/>", "&#0;", "&amp;", "YES", "NO", "", "Dog", "Walk", "name", "-1", "1e999",
    "<entity name=\"Dog\"/>", "</entity>", "<relationship", "parentEntity=\"Walk\"", "\u{0}", "🐕",
  ]

  @Test(arguments: 1...20)
  func `give a model or errors that name a place, never a crash`(seed: UInt64) throws {
    let contents = URL.dogWalkModel.appending(path: "DogWalk 2.xcdatamodel/contents")
    let original = try Data(contentsOf: contents)
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(state: seed)

    for _ in 0..<25 {
      var garbled = original
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let start = Int.random(in: 0..<garbled.count, using: &generator)
        let end = min(start + Int.random(in: 0...40, using: &generator), garbled.count)
        let piece = Self.pieces.randomElement(using: &generator) ?? ""
        garbled.replaceSubrange(start..<end, with: Data(piece.utf8))
      }
      let file = try folder.write(garbled, to: "Garbled.xcdatamodel/contents")

      do {
        let compiled = try CompiledModel(contentsOf: file.deletingLastPathComponent())
        #expect(!compiled.swiftSource.isEmpty, "seed \(seed)")
      } catch {
        #expect(error.diagnostics.contains { $0.severity == .error }, "seed \(seed)")
        #expect(error.diagnostics.allSatisfy { ($0.line ?? 0) > 0 }, "seed \(seed)")
      }
    }
  }
}
