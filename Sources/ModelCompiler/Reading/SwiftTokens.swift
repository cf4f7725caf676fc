/// The words and punctuation of a Swift file, without comments and string literals.
///
///     Array(SwiftTokens("final class Dog /* a pet */ {"))   // ["final", "class", "Dog", "{"]
///
/// It only recognises where comments and string literals end, and skips interpolations as part of
/// the literal, with the literals and comments in them.
struct SwiftTokens: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the next word or punctuation character; nil at the end.
  mutating func next() -> String? {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/") where byte(after: 1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where byte(after: 1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "\""): skipText(pounds: 0)
      case UInt8(ascii: "#") where startsText: skipText(pounds: pounds)
      case let byte where byte <= 0x20: index += 1
      case let byte where Self.isOfWord(byte): return takeWord()
      default:
        index += 1
        return String(decoding: bytes[index - 1..<index], as: UTF8.self)
      }
    }
    return nil
  }

  private func byte(after count: Int) -> UInt8? {
    index + count < bytes.count ? bytes[index + count] : nil
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func takeWord() -> String {
    let start = index
    while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
  }

  /// Skips a comment, including nested ones.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if bytes[index] == UInt8(ascii: "/"), byte(after: 1) == UInt8(ascii: "*") {
        depth += 1
        index += 2
      } else if bytes[index] == UInt8(ascii: "*"), byte(after: 1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
      } else {
        index += 1
      }
    } while depth > 0 && index < bytes.count
  }

  /// The number of consecutive `#` at this position.
  private var pounds: Int { bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count }

  private var startsText: Bool { byte(after: pounds) == UInt8(ascii: "\"") }

  /// Skips a string literal of one line or several, with a number of `#` around it.
  private mutating func skipText(pounds: Int) {
    index += pounds
    let quotes = bytes[index...].prefix(3).allSatisfy { $0 == UInt8(ascii: "\"") } ? 3 : 1
    // Two quotes without a third are an empty literal.
    index += Swift.min(quotes, bytes.count - index)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where hasPounds(pounds, at: index + 1):
        index += pounds + 1
        if byte(after: 0) == UInt8(ascii: "(") { skipInterpolation() } else { index += 1 }
      case UInt8(ascii: "\"")
      where bytes[index...].prefix(quotes).count { $0 == UInt8(ascii: "\"") } == quotes
        && hasPounds(pounds, at: index + quotes):
        index += quotes + pounds
        return
      case UInt8(ascii: "\n") where quotes == 1: return
      default: index += 1
      }
    }
  }

  /// Skips an interpolation, from its opening parenthesis.
  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      switch bytes[index] {
      case UInt8(ascii: "\""): skipText(pounds: 0)
      case UInt8(ascii: "#") where startsText: skipText(pounds: pounds)
      case UInt8(ascii: "/") where byte(after: 1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "("):
        depth += 1
        index += 1
      case UInt8(ascii: ")"):
        depth -= 1
        index += 1
      default: index += 1
      }
    } while depth > 0 && index < bytes.count
  }

  private func hasPounds(_ count: Int, at start: Int) -> Bool {
    bytes.dropFirst(start).prefix(count).count { $0 == UInt8(ascii: "#") } == count
  }
}
