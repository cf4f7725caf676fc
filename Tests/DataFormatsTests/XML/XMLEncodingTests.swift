import Testing

@testable import DataFormats

@Suite struct `The encoding of XML` {
  private func text(_ bytes: [UInt8]) throws -> String {
    var xml = XMLScanner(bytes)
    var text = ""
    while let piece = try xml.next() { if case .text(let part) = piece { text += part } }
    return text
  }

  private func utf16(_ text: String, isLittleEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isLittleEndian ? bytes : bytes.reversed()
    }
  }

  private static let sample = "<?xml version='1.0'?><a>Fido 狗 🐕\r\n</a>"

  @Test func `is UTF-8, with or without a byte order mark`() throws {
    let bytes = Array(Self.sample.utf8)
    #expect(try text(bytes) == "Fido 狗 🐕\n")
    #expect(try text([0xEF, 0xBB, 0xBF] + bytes) == "Fido 狗 🐕\n")
  }

  @Test(arguments: ["UTF-8", "utf-8", "US-ASCII"])
  func `may be declared`(name: String) throws {
    #expect(try text(Array("<?xml version='1.0' encoding='\(name)'?><a>x</a>".utf8)) == "x")
  }

  @Test(arguments: [true, false], ["", " encoding=\"UTF-16\""])
  func `is UTF-16 with its byte order mark`(isLittleEndian: Bool, declaration: String) throws {
    let mark: [UInt8] = isLittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
    let document = Self.sample.replacing("?>", with: declaration + "?>")
    #expect(
      try text(mark + utf16(document, isLittleEndian: isLittleEndian)) == "Fido 狗 🐕\n")
  }

  private static let refused: [(bytes: [UInt8], line: Int, reason: String)] = [
    (Array("<a>\n\u{7F}".utf8) + [0xC3, 0x28], 2, "this is not UTF-8 text"),
    (Array("<a>".utf8) + [0xED, 0xA0, 0x80], 1, "this is not UTF-8 text"),
    (Array("<a>".utf8) + [0xC0, 0x80], 1, "this is not UTF-8 text"),
    (Array("<a>\r\n\r".utf8) + [0xE2, 0x82], 3, "this is not UTF-8 text"),
    (
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9], 1,
      "the declared encoding is ISO-8859-1; only UTF-8 and UTF-16 are supported"
    ),
    (
      Array("<?xml version='1.0' encoding='UTF-16'?><a/>".utf8), 1,
      "the declared encoding is UTF-16, but the file has another one"
    ),
    (
      [0x3C, 0, 0x61, 0], 1,
      "UTF-16 without a byte order mark is not supported; only UTF-8 and UTF-16 are"
    ),
    (
      [0, 0x3C, 0, 0x61], 1,
      "UTF-16 without a byte order mark is not supported; only UTF-8 and UTF-16 are"
    ),
    ([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0], 1, "UTF-32 is not supported; only UTF-8 and UTF-16 are"),
    ([0x4C, 0x6F, 0xA7, 0x94], 1, "EBCDIC is not supported; only UTF-8 and UTF-16 are"),
    ([0xFE, 0xFF, 0, 0x3C, 0, 0x61, 0, 0x0A, 0xD8, 0x3D, 0, 0x3C], 2, "unpaired surrogate U+D83D"),
    ([0xFE, 0xFF, 0, 0x3C, 0xDC, 0x15], 1, "unpaired surrogate U+DC15"),
    ([0xFE, 0xFF, 0, 0x3C, 0xD8, 0x3D], 1, "unpaired surrogate U+D83D"),
    ([0xFE, 0xFF, 0, 0x3C, 0], 1, "the text ends in the middle of a character"),
    ([0xFE, 0xFF, 0, 0x3C, 0, 0x0B], 1, "the character U+000B is not allowed in XML"),
  ]

  @Test(arguments: refused)
  func `is refused where it is another one, or invalid`(
    bytes: [UInt8], line: Int, reason: String
  ) {
    #expect(throws: DataError(line: line, reason)) { try text(bytes) }
  }

  @Test func `is refused where UTF-16 is declared as UTF-8`() {
    let document = "<?xml version='1.0' encoding='UTF-8'?><a/>"
    #expect(
      throws: DataError(line: 1, "the declared encoding is UTF-8, but the file has another one")
    ) {
      try text([0xFF, 0xFE] + utf16(document, isLittleEndian: true))
    }
  }
}
