import Testing

@testable import DataFormats

/// The test vectors published with the hash.
@Suite struct FNV1aTests {
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func `the hash of a text is the published number`(text: String, number: UInt64) {
    #expect(FNV1a(text).value == number)
    var pieces = FNV1a()
    for byte in text.utf8 { pieces.add(byte) }
    #expect(pieces.value == number)
  }
}
