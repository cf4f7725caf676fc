import Testing

@testable import DataFormats

@Suite struct `Text as bytes` {
  @Test(arguments: [
    (0, 1, "0"), (7, 2, "07"), (-7, 2, "-07"), (35, 2, "35"), (2026, 4, "2026"),
    (12_345, 4, "12345"), (0, 0, "0"), (1, 24, "000000000000000000000001"),
    (Int.max, 1, "9223372036854775807"),
    (Int.min, 1, "-9223372036854775808"),
  ])
  func `whole numbers are padded with zeros`(number: Int, digits: Int, expected: String) {
    var text: [UInt8] = []
    text.append(decimal: number, digits: digits)
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  @Test func `pieces are concatenated in order`() {
    var text: [UInt8] = []
    text.append("Häuschen")
    text.append(ascii: "\t")
    text.append(String("a longer text, of which a part is taken".dropFirst(2)))
    text.append("")
    #expect(
      String(decoding: text, as: UTF8.self) == "Häuschen\tlonger text, of which a part is taken")
  }
}
