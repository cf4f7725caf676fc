extension JSONReader {
  /// A position in the text.
  package struct Position: Sendable {
    /// The line, from 1.
    package let line: Int
    let lineStart: Int
    /// The offset in bytes.
    package let offset: Int

    init(line: Int, lineStart: Int, offset: Int) {
      (self.line, self.lineStart, self.offset) = (line, lineStart, offset)
    }

    /// The line and the character in it, both from 1.
    package func lineAndColumn(in bytes: [UInt8]) -> (line: Int, column: Int) {
      (line, bytes[lineStart..<offset].characterCount + 1)
    }
  }
}

extension ArraySlice<UInt8> {
  /// The number of characters in UTF-8: all bytes except continuation bytes.
  var characterCount: Int { count { $0 & 0xC0 != 0x80 } }
}
