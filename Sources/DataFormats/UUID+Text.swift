package import SystemLibraries

extension UUID {
  /// Parses a UUID's 36 characters, like `init(uuidString:)`; nil for anything else.
  package init?(text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isUUID = withUnsafeMutableBytes(of: &bytes) { bytes in
      var index = 0
      for byteIndex in bytes.indices {
        if Self.hasHyphen(before: byteIndex) {
          guard text[index] == UInt8(ascii: "-") else { return false }
          index += 1
        }
        guard let high = text[index].hexadecimalDigit, let low = text[index + 1].hexadecimalDigit
        else { return false }
        bytes[byteIndex] = high << 4 | low
        index += 2
      }
      return true
    }
    guard isUUID else { return nil }
    self.init(uuid: bytes)
  }

  /// Parses a UUID; `init(uuidString:)` uses C's `sscanf`, which takes ten times as long.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }

  /// Whether a hyphen precedes one of the 16 bytes.
  fileprivate static func hasHyphen(before byteIndex: Int) -> Bool {
    byteIndex == 4 || byteIndex == 6 || byteIndex == 8 || byteIndex == 10
  }
}

extension [UInt8] {
  /// Appends a UUID's 36 characters, as in `uuidString`.
  package mutating func append(_ uuid: UUID) {
    Swift.withUnsafeBytes(of: uuid.uuid) { bytes in
      for (byteIndex, byte) in bytes.enumerated() {
        if UUID.hasHyphen(before: byteIndex) { append(ascii: "-") }
        append(hexadecimalDigit: byte >> 4)
        append(hexadecimalDigit: byte & 15)
      }
    }
  }

  private mutating func append(hexadecimalDigit digit: UInt8) {
    append(digit < 10 ? 0x30 + digit : 0x37 + digit)
  }
}
