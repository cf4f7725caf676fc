import Foundation
import TestSupport
import Testing

@testable import DataFormats

@Suite struct `Numbers and UUIDs read from bytes` {
  @Test(arguments: [
    "0", "-0", "35", "+5", "-1.5", "1000.5", "0.1", "00012.50", "9007199254740993",
    "123456789012345678", "1234567890123456789", "0.000000000000000001", "179.99999999999999",
    "1e-7", "2.5E+3", "1e400", "4.9e-324", "-.5", "5.", ".", "", "+", "-", "1.2.3", "1-2", "--1",
    "e5", "1e", "0x10", "nan", "inf", "Infinity", " 1", "1,5", "é",
  ])
  func `a number equals what Swift reads from its text`(text: String) {
    let isSpelledOut = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    let expected = isSpelledOut ? Double(text) : nil
    let number = Double(digits: Array(text.utf8).span)
    #expect(number?.bitPattern == expected?.bitPattern)
  }

  @Test func `random numbers round-trip to the last bit`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let whole = Int64.random(in: -1 << 40...1 << 40, using: &random) >> Int.random(in: 0...40)
      let decimals = String(UInt64.random(in: 0...UInt64.max, using: &random)).prefix(
        Int.random(in: 1...20, using: &random))
      let text = "\(whole).\(decimals)"
      #expect(Double(digits: Array(text.utf8).span) == Double(text), "\(text), SEED=\(seed)")
    }
  }

  @Test(arguments: [
    "0", "-0", "7", "+7", "007", "32767", "32768", "-32768", "-32769", "99999999999999999999", "",
    "+", "-", "1.0", "1e3", " 1", "é",
  ])
  func `an integer equals what Swift reads from its text, where it fits`(text: String) {
    #expect(Int16(digits: Array(text.utf8).span) == Int16(text))
    #expect(Int64(digits: Array(text.utf8).span) == Int64(text))
  }

  @Test func `the extremes of 64-bit integers are read`() {
    for number in [Int64.min, .max] {
      #expect(Int64(digits: Array("\(number)".utf8).span) == number)
    }
  }

  @Test(arguments: [
    "8C6E0D10-12AB-4F00-9C3D-0123456789AF", "8c6e0d10-12ab-4f00-9c3d-0123456789af",
    "8C6E0D10-12AB-4F00-9C3D-0123456789A", "8C6E0D10-12AB-4F00-9C3D-0123456789AFF",
    "8C6E0D1012AB-4F00-9C3D-0123456789AF-", "8C6E0D10-12AB-4F00-9C3D-0123456789AG",
    "8C6E0D10012AB04F0009C3D00123456789AF", "",
  ])
  func `a UUID is read from its text and written the same`(text: String) {
    let uuid = UUID(text: Array(text.utf8).span)
    #expect(uuid == UUID(uuidString: text))
    guard let uuid else { return }
    var written: [UInt8] = []
    written.append(uuid)
    #expect(String(decoding: written, as: UTF8.self) == uuid.uuidString)
  }

  @Test(
    arguments: [
      [], Array("Fido the dog".utf8), Array("Fido, é, 🐕 and others".utf8), [0xE9],
      Array("12345678".utf8) + [0xE9], Array("1234567890".utf8) + [0xF0, 0x9F, 0x90],
      [0xED, 0xA0, 0x80],
    ] as [[UInt8]])
  func `UTF-8 is validated`(bytes: [UInt8]) {
    #expect(bytes.span.isUTF8 == (String(validating: bytes, as: UTF8.self) != nil))
  }
}
