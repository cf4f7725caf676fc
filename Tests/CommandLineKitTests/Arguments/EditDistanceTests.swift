import CommandLineKit
import TestSupport
import Testing

@Suite("A typing slip")
struct EditDistanceTests {
  @Test(arguments: [
    ("Fido", "Fdo"), ("Fido", "Fiddo"), ("Fido", "Fido2"), ("Fido", "Fida"), ("Fido", "Fdio"),
    ("yesterday", "yestreday"), ("yesterday", "esterday"), ("", "a"), ("a", "b"), ("ab", "ba"),
    ("Zoë", "Zoe"), ("FIDO", "fida"), ("🐕🐶", "🐶🐕"), ("👩‍👩‍👧", "👨‍👩‍👧"),
  ])
  func `inserts, deletes or replaces one character, or swaps two`(name: String, other: String) {
    #expect(isOneSlip(from: name, to: other))
    #expect(isOneSlip(from: other, to: name))
  }

  @Test(arguments: [
    ("Fido", "Fido"), ("Fido", "FIDO"), ("Zoë", "Zoe\u{308}"), ("Straße", "STRASSE"), ("", ""),
    ("Fido", "Fd"), ("Fido", "Odif"), ("Fido", "Fodi"), ("ab", "bca"), ("abcd", "badc"),
    ("", "ab"), ("Rex", "Fido"),
  ])
  func `is neither an equal word nor two or more edits`(name: String, other: String) {
    #expect(!isOneSlip(from: name, to: other))
    #expect(!isOneSlip(from: other, to: name))
  }

  @Test(arguments: [
    ("lsit", "list"), ("lis", "list"), ("delte", "delete"), ("dleet", "delete"), ("dgos", "dogs"),
    ("ad", nil), ("add", "add"), ("ADD", "add"), ("adn", "add"), ("x", nil), ("", nil),
    ("zzzzz", nil),
    ("dog", "dogs"), ("deletion", nil), ("hlep", "help"), ("hepl", "help"), ("tist", "list"),
  ])
  func `leads to the nearest word, unless it is too far away`(word: String, nearestWord: String?) {
    #expect(nearest(to: word, among: ["add", "list", "delete", "dogs", "help"]) == nearestWord)
  }

  @Test func `leads to the first of equally near words, as it is spelt in the list`() {
    #expect(nearest(to: "fida", among: ["Fidi", "FIDO", "Fidu"]) == "Fidi")
    #expect(nearest(to: "fidos", among: ["Fizzs", "FIDO", "Fido"]) == "FIDO")
  }

  @Test func `is recognized in very long names too`() {
    let name = String(repeating: "wau", count: 5_000)
    #expect(isOneSlip(from: name, to: name + "!"))
    #expect(!isOneSlip(from: name, to: "!" + name + "!"))
  }

  // The textbook algorithm, which fills every cell of the table.
  @Test func `is counted as the textbook algorithm counts it`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let (name, other) = (randomWord(using: &random), randomWord(using: &random))
      let distance = textbookDistance(Array(name), Array(other))
      #expect(isOneSlip(from: name, to: other) == (distance == 1), "\(name) \(other) \(seed)")
      let isNear = distance <= 2 && 2 * distance < name.count
      let isFound = nearest(to: name, among: [other]) != nil
      #expect(isFound == isNear, "\(name) \(other) seed \(seed)")
    }
  }

  private func randomWord(using random: inout some RandomNumberGenerator) -> String {
    String(
      (0..<Int.random(in: 0...7, using: &random)).map { _ in
        "abc".randomElement(using: &random) ?? "a"
      })
  }

  private func textbookDistance(_ source: [Character], _ target: [Character]) -> Int {
    var table = (0...source.count).map { row in
      (0...target.count).map { place in row == 0 ? place : row }
    }
    for row in 0..<source.count {
      for place in 0..<target.count {
        var distance = min(table[row][place + 1], table[row + 1][place]) + 1
        distance = min(distance, table[row][place] + (source[row] == target[place] ? 0 : 1))
        if row > 0, place > 0, source[row] == target[place - 1], source[row - 1] == target[place] {
          distance = min(distance, table[row - 1][place - 1] + 1)
        }
        table[row + 1][place + 1] = distance
      }
    }
    return table[source.count][target.count]
  }
}
