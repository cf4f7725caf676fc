/// An encoding that a text is in instead of UTF-8, by the name that `iconv` has for it.
package enum ForeignEncoding: String, Hashable, Sendable {
  /// Four bytes a character, in the order that a byte order mark tells.
  case utf32 = "UTF-32"
  /// Mostly two bytes a character, in the order that a byte order mark tells.
  case utf16 = "UTF-16"
  /// The same without a mark, the low byte first.
  case utf16LittleEndian = "UTF-16LE"
  /// The same without a mark, the high byte first.
  case utf16BigEndian = "UTF-16BE"
  /// One byte a character: what most text is in that is neither UTF-8 nor UTF-16.
  case windows1252 = "WINDOWS-1252"

  /// The encoding of a text that begins with some bytes, where they show that it is UTF-16 or
  /// UTF-32: by a byte order mark, or by a NUL in every second byte, as ASCII has them there; nil
  /// for any other.
  ///
  ///     ForeignEncoding(utf16: [0xFF, 0xFE, 0x64, 0x00])   // .utf16
  ///     ForeignEncoding(utf16: [0x64, 0x00, 0x6F, 0x00])   // .utf16LittleEndian
  package init?(utf16 start: [UInt8]) {
    guard !start.starts(with: [0xFF, 0xFE, 0, 0]), !start.starts(with: [0, 0, 0xFE, 0xFF]) else {
      self = .utf32
      return
    }
    guard !start.starts(with: [0xFF, 0xFE]), !start.starts(with: [0xFE, 0xFF]) else {
      self = .utf16
      return
    }
    let pairs = stride(from: 0, to: start.count - 1, by: 2).map { (start[$0], start[$0 + 1]) }
    guard pairs.count > 1 else { return nil }
    if pairs.allSatisfy({ $0.0 != 0 && $0.1 == 0 }) {
      self = .utf16LittleEndian
    } else if pairs.allSatisfy({ $0.0 == 0 && $0.1 != 0 }) {
      self = .utf16BigEndian
    } else {
      return nil
    }
  }
}
