import TestSupport
import Testing

@testable import DogWalkCommands

@Suite struct `Tags in one field` {
  @Test(arguments: [
    ("park rain", ["park", "rain"]), ("park, rain", ["park", "rain"]),
    ("park,rain;mud", ["park", "rain", "mud"]), (" ; ,park ,", ["park"]), ("", []), (" ", []),
    ("park\u{A0}rain", ["park", "rain"]), ("\"a,b\" c", ["a,b", "c"]),
    ("known,b c", ["known,b", "c"]),
    ("\"a b\",c", ["a b", "c"]), ("\"\"", ["\"\""]), ("\"a", ["\"a"]), ("5\" x", ["5\"", "x"]),
  ])
  func `are separated by spaces, commas or semicolons`(text: String, expected: [String]) {
    #expect(TypedTags.names(inField: text) { $0 == "known,b" } == expected)
  }

  @Test func `are read back unchanged, whatever is in them`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", ",", ";", "\"", "ü", "🐶", "-", "+"]
    for _ in 0..<2_000 {
      let names = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        (0...Int.random(in: 0..<4, using: &random)).map { _ in
          pieces.randomElement(using: &random)!
        }.joined()
      }
      let field = TypedTags.field(of: names)
      #expect(TypedTags.names(inField: field) { _ in false } == names, "seed \(seed): \(field)")
    }
  }
}
