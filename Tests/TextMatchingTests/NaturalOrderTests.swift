import TestSupport
import Testing

@testable import TextMatching

@Suite struct NaturalOrderTests {
  private func order(_ one: String, _ other: String) -> Int {
    TextFoldingTests.withBytes(one) { first in
      TextFoldingTests.withBytes(other) { NaturalOrder.compare(first, $0) }
    }.signum()
  }

  @Test(arguments: [
    ["walk 2", "walk 10", "walk 100", "Walk 101"],
    ["", " ", "-", "#", "1", "a", "б"],
    ["e", "E", "é", "É", "ea", "éa", "f"],
    ["Fido", "fido 2", "Fido 10", "Fidó 10", "Rex"],
    ["cote", "coté", "côte", "côté"],
    ["1.2", "1.10", "1.10.1", "2"],
    ["a02", "a2", "a3"], ["image9.png", "image10.png"],
    ["a-1", "a1", "ab"], ["a b", "a-b", "a.b", "a1b", "ab"],
    ["99999999999999999999999", "100000000000000000000000"],
    ["strasse", "Straße", "strassf"], ["ø", "øa", "ob", "p"],
    ["٢", "١٠"], ["日", "本"], ["file", "file (2)", "file (10)", "file2"], ["“a”", "a", "b"],
  ])
  func `names come in the order that people expect`(names: [String]) {
    for (place, one) in names.enumerated() {
      for (otherPlace, other) in names.enumerated() {
        #expect(order(one, other) == (place - otherPlace).signum(), "\(one) and \(other)")
      }
    }
  }

  @Test func `only canonically equivalent texts are equal`() {
    #expect(order("é", "e\u{301}") == 0)
    #expect(order("Å", "\u{212b}") == 0)
    #expect(order("a", "A") != 0)
    #expect(order("1", "01") != 0)
  }

  @Test func `any texts have one order`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let texts = (0..<12).map { _ in
        Bool.random(using: &random)
          ? TextFoldingTests.text(using: &random)
          : ["a", "A", "1", "01", "10", "é", "-"].map { _ in
            ["a", "A", "0", "1", "é", "-"].randomElement(using: &random)!
          }.joined()
      }
      for one in texts {
        #expect(order(one, one) == 0, "\(one), seed \(seed)")
        for other in texts {
          #expect(order(one, other) == -order(other, one), "\(one), \(other), seed \(seed)")
          for third in texts where order(one, other) <= 0 && order(other, third) <= 0 {
            #expect(order(one, third) <= 0, "\(one), \(other), \(third), seed \(seed)")
          }
        }
      }
    }
  }
}
