import TestSupport

/// Random regular expressions, and short texts of the same letters.
struct RandomPattern {
  var random: SeededGenerator

  mutating func text() -> String {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in pick(Self.letters) }.joined()
  }

  mutating func pattern(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 5), using: &random) {
    case 0, 1: return pick(Self.letters) + pick(Self.letters)
    case 2: return pick(["\\d", "\\w", "\\S", ".", "\\p{Lu}", "\\P{Ll}", "\\p{L}", "[[:upper:]]"])
    case 3: return set(depth: 2)
    case 4: return pick(Self.letters) + pick(["+", "*", "?", "{2}", "{1,2}?"])
    case 5, 6: return pattern(depth: depth - 1) + pattern(depth: depth - 1)
    case 7: return "(\(pattern(depth: depth - 1))|\(pattern(depth: depth - 1)))"
    case 8: return "(?i:\(pattern(depth: depth - 1)))"
    case 9:
      return pick(["^", "$", "\\b", "(?-i)", "(?i)", "\\Qa-b\\E"]) + pattern(depth: depth - 1)
    default: return "(?:\(pattern(depth: depth - 1)))" + pick(["*", "+", "?", "{0,2}", "??"])
    }
  }

  private mutating func set(depth: Int) -> String {
    var text = "[" + pick(["", "", "^"])
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
      case 0, 1, 2: text += pick(Self.letters)
      case 3: text += pick(["a-c", "A-Z", "a-z", "\\-", "]-a"])
      case 4: text += pick(["\\d", "\\W", "\\p{Lu}", "\\P{L}", "[:alpha:]", "[:^lower:]"])
      case 5: text += pick(["-", "&"])
      case 6: text += pick(["--", "&&"])
      default: text += set(depth: depth - 1)
      }
    }
    return text + "]"
  }

  private mutating func pick(_ values: [String]) -> String { values.randomElement(using: &random)! }

  private static let letters = [
    "a", "b", "c", "A", "B", "s", "S", "ß", "ẞ", "i", "I", "ı", "k", "K", "\u{212A}", "\u{17F}",
    "é",
    "É", "1", "_", "-", "&", " ", "\n",
  ]
}
