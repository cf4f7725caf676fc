import DataFormats
import TestSupport
import Testing

@testable import CommandLineKit

@Suite struct `Words as bytes` {
  @Test(
    arguments: [
      ([0x61, 0xFF], #"a\xff"#), ([0xC3, 0xA9, 0xC3], #"é\xc3"#),
      ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#), ([0xF0, 0x9F, 0x90], #"\xf0\x9f\x90"#),
      ([0xEF, 0xB7, 0x90], #"\xef\xb7\x90"#), ([], ""), ([0xEF, 0xBF, 0xBD], "\u{FFFD}"),
    ] as [([UInt8], String)])
  func `show invalid UTF-8 as escapes`(bytes: [UInt8], shown: String) {
    #expect(String(systemBytes: bytes).escapingControls == shown)
  }

  @Test func `round-trip exactly, and different bytes are different texts`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0x61], [0xFF], [0x80], [0xC3], [0xA9], [0xEF], [0xB7], [0x90], [0xBF], [0xBD], [0xF0, 0x9F],
      Array("é".utf8), Array("🐶".utf8), [0xE2, 0x80],
    ]
    var texts: [String: [UInt8]] = [:]
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0..<6, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random)!
      }
      let text = String(systemBytes: bytes)
      #expect(text.systemBytes == bytes, "seed \(seed)")
      #expect(texts[text, default: bytes] == bytes, "seed \(seed)")
      texts[text] = bytes
    }
  }
}
