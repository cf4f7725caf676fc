import TestSupport
import Testing

@testable import DataModel

@Suite("Raw DEFLATE")
struct InflateTests {
  // "a" a thousand times, as zlib compresses it: a block with zlib's fixed codes, and copies that
  // reach into themselves.
  private let thousand: [UInt8] = [
    0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60, 0x14, 0x0c, 0x77, 0x00, 0x00,
  ]

  @Test func `expands copies that reach into themselves`() {
    #expect(Inflate.decompress(thousand, limit: 1_000) == Array(repeating: 0x61, count: 1_000))
  }

  @Test func `gives up where more comes out than allowed`() {
    #expect(Inflate.decompress(thousand, limit: 999) == nil)
  }

  @Test func `gives up where it is cut short`() {
    for count in 0..<thousand.count {
      #expect(Inflate.decompress(Array(thousand.prefix(count)), limit: 1_000) == nil)
    }
  }

  @Test func `expands a block that is not compressed`() {
    #expect(Inflate.decompress([1, 2, 0, 0xfd, 0xff, 7, 8], limit: 9) == [7, 8])
    // Its length is not what its complement says.
    #expect(Inflate.decompress([1, 2, 0, 0xfd, 0xfe, 7, 8], limit: 9) == nil)
  }

  @Test(.enabled(if: Python.isInstalled, "there is no python3"))
  func `expands what zlib compresses, at every level`() throws {
    let script = """
      import random, zlib
      random.seed(1)
      words = [bytes(random.choices(range(97, 123), k=random.randint(1, 9))) for _ in range(200)]
      for level in (0, 1, 6, 9):
          for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY):
              for data in (b"", b"x", random.randbytes(20_000), b" ".join(random.choices(words, k=3000))):
                  packer = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
                  packed = packer.compress(data) + packer.flush()
                  print(packed.hex() + " " + (data.hex() or "-"))
      """
    for line in try Python.run(script).lines {
      let parts = line.split(separator: " ").map { bytesOf(hex: String($0)) }
      let isRight = Inflate.decompress(parts[0], limit: 1 << 20) == parts[1]
      #expect(isRight)
    }
  }
}
