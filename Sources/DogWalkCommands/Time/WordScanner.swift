/// Reads a word from left to right, by ASCII characters.
///
/// A method that does not find what it looks for consumes nothing, and returns false or nil.
struct WordScanner {
  private var rest: Substring.UTF8View

  /// Creates a scanner at the beginning of a word.
  init(_ word: some StringProtocol) {
    rest = Substring(word).utf8
  }

  /// Returns whether a word consists of ASCII digits.
  static func isNumber(_ word: Substring) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy(isDigit)
  }

  /// Returns whether a byte is an ASCII digit.
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether everything has been read.
  var isAtEnd: Bool { rest.isEmpty }

  /// A number as typed.
  struct Digits: Hashable, Sendable {
    /// The value, limited to a thousand million.
    let value: Int
    /// The number of digits typed.
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

  /// Reads the given character.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads as many lower-case letters as there are.
  mutating func letters() -> Substring {
    let word = rest.prefix { (0x61...0x7A).contains($0) }
    rest = rest[word.endIndex...]
    return Substring(word)
  }

  /// Reads as many spaces as there are.
  mutating func spaces() {
    while take(" ") {}
  }
}
