extension JSONReader {
  /// A position in the text.
  package struct Position: Sendable {
    /// The line, from 1 on.
    package let line: Int
    let lineStart: Int
    /// How many bytes come before.
    package let offset: Int

    init(line: Int, lineStart: Int, offset: Int) {
      (self.line, self.lineStart, self.offset) = (line, lineStart, offset)
    }

    /// The line, and the character in it, from 1 on.
    package func lineAndColumn(in bytes: [UInt8]) -> (line: Int, column: Int) {
      (line, bytes[lineStart..<offset].characterCount + 1)
    }
  }
}

extension ArraySlice<UInt8> {
  /// How many characters bytes of UTF-8 are: all but those that follow the first of one.
  var characterCount: Int { count { $0 & 0xC0 != 0x80 } }
}
