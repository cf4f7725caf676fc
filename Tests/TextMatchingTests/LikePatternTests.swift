import TestSupport
import Testing

@testable import TextMatching

@Suite struct LikePatternTests {
  private func matches(_ text: String, _ pattern: String, _ options: TextOptions = []) -> Bool {
    TextFoldingTests.withBytes(text) { LikePattern(pattern, options).matches($0) }
  }

  @Test(arguments: [
    ("fido", "fido", true), ("fido", "fid", false), ("fido", "fid?", true),
    ("fido", "fid??", false),
    ("fido", "*", true), ("", "*", true), ("", "?", false), ("", "", true), ("fido", "", false),
    ("fido", "f*o", true), ("fido", "*d*", true), ("fido", "*x*", false), ("fido", "f**o", true),
    ("abcabc", "*abc", true), ("abab", "a*ab", true), ("aXbXc", "a*X?", true),
    ("FIDO", "fido", false), ("a*b", "a\\*b", true), ("axb", "a\\*b", false),
    ("a?b", "a\\?b", true), ("a\\b", "a\\\\b", true), ("a\\", "a\\", true), ("ab", "\\a\\b", true),
    ("日本", "??", true), ("日本", "?", false), ("🐕", "?", true), ("e\u{301}", "e?", true),
    ("x日y", "x*y", true), ("[a]", "[a]", true), ("100%", "100%", true), ("a_b", "a_b", true),
  ])
  func `a text matches a pattern, or does not`(text: String, pattern: String, answer: Bool) {
    #expect(matches(text, pattern) == answer)
  }

  @Test(arguments: [
    ("FIDO", "f?d*", "c", true),
    ("CAFÉ", "cafe\u{301}", "c", true),
    ("CAFÉ", "caf?", "c", true), ("café", "cafe*", "c", false),
    ("café", "cafe", "d", true), ("Straße", "STRASS*", "c", true),
    ("Zoë", "ZO?", "cd", true),
    ("e\u{301}", "?", "n", true), ("A\\*", "a\\\\\\*", "c", true),
  ])
  func `options apply to patterns`(
    text: String, pattern: String, options letters: String, answer: Bool
  ) {
    #expect(matches(text, pattern, TextOptions(letters)) == answer)
  }

  @Test func `matching agrees with an exhaustive search`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      func word(_ letters: [Character], _ most: Int) -> [Character] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
          letters.randomElement(using: &random)!
        }
      }
      let text = word(["a", "b", "é"], 8)
      let pattern = word(["a", "b", "é", "*", "?"], 6)
      let expected = slowly(text[...], pattern[...])
      #expect(
        matches(String(text), String(pattern)) == expected,
        "\(String(text)) LIKE \(String(pattern)), seed \(seed)")
    }
  }

  private func slowly(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" { return (0...text.count).contains { slowly(text.dropFirst($0), rest) } }
    guard let letter = text.first else { return false }
    return (first == "?" || first == letter) && slowly(text.dropFirst(), rest)
  }
}
