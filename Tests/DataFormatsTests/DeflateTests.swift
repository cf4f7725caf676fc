import Foundation
import TestSupport
import Testing

@testable import DataFormats

@Suite struct `Raw DEFLATE` {
  // "a" a thousand times, as zlib compresses it: a block with zlib's fixed codes, and copies that
  // overlap their own output.
  private let thousand: [UInt8] = [
    0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60, 0x14, 0x0c, 0x77, 0x00, 0x00,
  ]

  @Test func `expands copies that overlap their own output`() {
    #expect(Deflate.decompress(thousand, limit: 1_000) == Array(repeating: 0x61, count: 1_000))
  }

  @Test func `fails where the output would be larger than allowed`() {
    #expect(Deflate.decompress(thousand, limit: 999) == nil)
    let large = [UInt8](repeating: 7, count: 5 << 20)
    #expect(Deflate.decompress(Deflate.compress(large), limit: 5 << 20) == large)
    #expect(Deflate.decompress(Deflate.compress(large), limit: 5 << 20 - 1) == nil)
  }

  @Test func `fails where the input is cut short or damaged`() {
    for count in 0..<thousand.count {
      #expect(Deflate.decompress(Array(thousand.prefix(count)), limit: 1_000) == nil)
    }
    // Block type 3 does not exist.
    #expect(Deflate.decompress([7], limit: 9) == nil)
    // A copy from before the start of the output.
    #expect(Deflate.decompress([0x4b, 0x04, 0x12, 0x00], limit: 9) == nil)
  }

  @Test func `expands an uncompressed block`() {
    #expect(Deflate.decompress([1, 2, 0, 0xfd, 0xff, 7, 8], limit: 9) == [7, 8])
    // Its length does not match its complement.
    #expect(Deflate.decompress([1, 2, 0, 0xfd, 0xfe, 7, 8], limit: 9) == nil)
  }

  @Test(arguments: [0, 1, 2, 100, 16_384, 16_385, 1 << 20])
  func `expands what it compressed`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...15, using: &random) }
    let compressed = Deflate.compress(bytes)
    #expect(Deflate.decompress(compressed, limit: count) == bytes)
    // For a few bytes, dynamic codes cost more than they save.
    #expect(count < 16_384 || compressed.count < count * 2 / 3)
  }

  @Test(.enabled("needs python3 and the stores in ../shared/fixtures") { StoreArchive.areThere })
  func `compresses as Core Data does`() throws {
    for store in StoreArchive.all {
      let content = try store.read().content
      let archive = try #require(Deflate.decompress(content, limit: 1 << 24))
      #expect(Deflate.compress(archive) == content, "\(store)")
    }
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
      let isRight = Deflate.decompress(parts[0], limit: 1 << 20) == parts[1]
      #expect(isRight)
    }
  }
}
