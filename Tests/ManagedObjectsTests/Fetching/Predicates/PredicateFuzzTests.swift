import Foundation
import ManagedObjects
import TestSupport
import Testing

/// Texts that nobody would write: each is parsed or refused with a position, and nothing crashes.
@Suite struct PredicateFuzzTests {
  @Test func `random bytes`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      try check(String(decoding: bytes, as: UTF8.self), seed)
    }
  }

  @Test func `words and symbols in any order`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Self.words.randomElement(using: &random)!
      }
      try check(words.joined(separator: Bool.random(using: &random) ? " " : ""), seed)
    }
  }

  @Test func `valid texts with a few bytes changed`() throws {
    let seed = SeededGenerator.seed()
    var maker = RandomPredicate(random: SeededGenerator(seed: seed))
    for _ in 0..<5_000 {
      var bytes = Array(maker.predicate(depth: 3).predicateFormat.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &maker.random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &maker.random)
        switch Int.random(in: 0..<3, using: &maker.random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...127, using: &maker.random), at: place)
        default: bytes[place] = UInt8.random(in: 0...255, using: &maker.random)
        }
      }
      try check(String(decoding: bytes, as: UTF8.self), seed)
    }
  }

  /// Parses a text; where that works, what it prints must work too, and where not, the position is
  /// in it.
  private func check(_ format: String, _ seed: UInt64) throws {
    do {
      let predicate = try FetchPredicate(format: format, argumentArray: [])
      let again = try FetchPredicate(format: predicate.predicateFormat)
      try #require(again == predicate, "\(format.debugDescription), SEED=\(seed)")
    } catch let error as PredicateFormatError {
      let holdsLock = error.format == format && (0...format.utf8.count).contains(error.position)
      try #require(holdsLock && !error.reason.isEmpty, "\(format.debugDescription), SEED=\(seed)")
      #expect(error.description.contains("^"))
    }
  }

  private static let words = [
    "a", "dog.name", "walks.@count", "==", "<", ">=", "!=", "AND", "OR", "NOT", "!", "&&", "||",
    "(",
    ")", "{", "}", "[", "]", ",", "1", "2.5", "'x'", "\"y\"", "NULL", "TRUE", "SELF", "$v", "%@",
    "%%",
    "IN", "BETWEEN", "LIKE", "CONTAINS", "[cd]", "ANY", "ALL", "NONE", "SUBQUERY(", "CAST(",
    "'NSDate'",
    "now()", "abs(", "lowercase:(", "TERNARY(", "FUNCTION(",
    "[FIRST]", "[LAST]", "[SIZE]", "[0]", "+", "-", "*", "/", "**", "~", "#in", ".",
    "TRUEPREDICATE",
    "\\", "'",
  ]
}
