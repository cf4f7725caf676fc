/// Reads a word from left to right, by ASCII characters.
///
/// A method that finds something else than it looks for takes nothing and says so.
struct WordScanner {
  private var rest: Substring.UTF8View

  /// A scanner at the beginning of a word.
  init(_ word: some StringProtocol) {
    rest = Substring(word).utf8
  }

  /// Whether a word is nothing but digits.
  static func isNumber(_ word: Substring) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy(isDigit)
  }

  /// Whether a byte is an ASCII digit.
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether everything has been read.
  var isAtEnd: Bool { rest.isEmpty }

  /// A number as typed.
  struct Digits: Hashable, Sendable {
    /// Its value; very long numbers stand at a thousand million.
    let value: Int
    /// How many digits it was typed with.
    let count: Int
  }

  /// Reads digits.
  mutating func digits() -> Digits? {
    var value = 0
    var count = 0
    while let byte = rest.first, Self.isDigit(byte) {
      value = min(value * 10 + Int(byte - 0x30), 1_000_000_000)
      count += 1
      rest.removeFirst()
    }
    return count > 0 ? Digits(value: value, count: count) : nil
  }

  /// Reads one certain character.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads lower-case letters, as many as there are.
  mutating func letters() -> Substring {
    let word = rest.prefix { (0x61...0x7A).contains($0) }
    rest = rest[word.endIndex...]
    return Substring(word)
  }

  /// Reads spaces, as many as there are.
  mutating func spaces() {
    while take(" ") {}
  }
}
