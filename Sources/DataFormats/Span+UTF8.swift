extension Span<UInt8> {
  /// Whether the bytes are valid UTF-8; checks eight at once as long as they are ASCII.
  package var isUTF8: Bool {
    withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      while index < bytes.count, bytes[index] < 0x80 { index += 1 }
      return index == bytes.count
        || String(validating: bytes[index...], as: UTF8.self) != nil
    }
  }
}
