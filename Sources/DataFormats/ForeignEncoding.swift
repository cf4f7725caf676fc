/// The encoding of a text that is not UTF-8, by its name in `iconv`.
package enum ForeignEncoding: String, Hashable, Sendable {
  /// Four bytes per character, in the order given by a byte order mark.
  case utf32 = "UTF-32"
  /// Mostly two bytes per character, in the order given by a byte order mark.
  case utf16 = "UTF-16"
  /// UTF-16 without a mark, low byte first.
  case utf16LittleEndian = "UTF-16LE"
  /// UTF-16 without a mark, high byte first.
  case utf16BigEndian = "UTF-16BE"
  /// One byte per character: the encoding of most text that is neither UTF-8 nor UTF-16.
  case windows1252 = "WINDOWS-1252"

  /// The encoding of a text whose first bytes show that it is UTF-16 or UTF-32; nil otherwise.
  ///
  /// They show it by a byte order mark, or by a NUL in every second byte, as in ASCII text.
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
