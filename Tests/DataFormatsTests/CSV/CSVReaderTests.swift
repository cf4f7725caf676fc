import TestSupport
import Testing

@testable import DataFormats

@Suite struct `Reading CSV` {
  private func records(_ text: String) throws -> [[String]] {
    var csv = CSVReader(Array(text.utf8))
    var records: [[String]] = []
    while let record = try csv.next() { records.append(record.fields) }
    return records
  }

  @Test(arguments: [
    ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    ("a,b\r1,\r", [["a", "b"], ["1", ""]]),
    ("\u{FEFF}a;b\n\"1;\"\"2\"\"\";x\n", [["a", "b"], ["1;\"2\"", "x"]]),
    ("a\n\"1\n2\r\n3\"\n\n\n4\n", [["a"], ["1\n2\r\n3"], ["4"]]), ("", []), ("\n\n", []),
    ("a\tb\n1,2\t3", [["a", "b"], ["1,2", "3"]]),
    ("\"a;\"\"b\n\",c\n", [["a;\"b\n", "c"]]), ("5\",c\n", [["5\"", "c"]]),
    ("\u{FEFF}sep=;\r\na,b;c\r\n1;2", [["a,b", "c"], ["1", "2"]]),
    ("\"sep=,\"\na;b,c\n", [["a;b", "c"]]), ("SEP=\t\na\tb\n", [["a", "b"]]),
    ("sep=|\na,b|c", [["a,b", "c"]]), ("sep=;x\na;b\n", [["sep=", "x"], ["a", "b"]]),
    ("sep=,", [["sep=", ""]]), ("sep,b\n1,2\n", [["sep", "b"], ["1", "2"]]),
  ])
  func `accepts the line endings and separators of every system and spreadsheet`(
    text: String, expected: [[String]]
  ) throws {
    #expect(try records(text) == expected)
  }

  @Test func `reports the line where a record begins, and continues after one it cannot read`()
    throws
  {
    var csv = CSVReader(Array("a,b\n\"x\ny\",1\n\"z\"w,2\n3,4\n\"open\n".utf8))
    #expect(try csv.next()?.line == 1)
    #expect(try csv.next()?.line == 2)
    #expect(throws: DataError(line: 4, "text follows a quoted field")) { try csv.next() }
    #expect(try csv.next() == CSVReader.Record(line: 5, fields: ["3", "4"]))
    #expect(throws: DataError(line: 6, "a quote is not closed")) { try csv.next() }
    #expect(try csv.next() == nil)
  }

  @Test func `reports all lines that an unclosed quote has swallowed`() throws {
    var csv = CSVReader(Array("a,b\n1,\"x\n2,\n3,\"y\"\n4,\"x\ny\"\n5,\"open\n6,\n".utf8))
    #expect(try csv.next() == CSVReader.Record(line: 1, fields: ["a", "b"]))
    let reason = "in line 4 text follows quotes that were opened in line 2"
    #expect(throws: DataError(line: 2, to: 4, reason)) { try csv.next() }
    #expect(try csv.next() == CSVReader.Record(line: 5, to: 6, fields: ["4", "x\ny"]))
    #expect(throws: DataError(line: 7, to: 8, "quotes that were opened in line 7 are not closed")) {
      try csv.next()
    }
    #expect(try csv.next() == nil)
  }

  @Test func `reports the encoding of text that is not UTF-8, and continues`() throws {
    var csv = CSVReader([0x61, 0x0A, 0xFC, 0x0A, 0x62])
    _ = try csv.next()
    let error = #expect(throws: DataError.self) { try csv.next() }
    #expect(error?.line == 2 && error?.encoding == .windows1252)
    #expect(try csv.next()?.fields == ["b"])
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF, 0x00, 0x61], .utf16),
      ([0x61, 0x00, 0x62, 0x00], .utf16LittleEndian), ([0x00, 0x61, 0x00, 0x62], .utf16BigEndian),
      ([], nil), ([0x61, 0x00], nil), ([0x61, 0x62, 0x63, 0x64], nil),
      ([0x00, 0x00, 0x00, 0x00], nil),
    ] as [([UInt8], ForeignEncoding?)])
  func `recognizes UTF-16 by its first bytes`(bytes: [UInt8], expected: ForeignEncoding?) {
    #expect(ForeignEncoding(utf16: bytes) == expected)
  }

  @Test func `counts the line that names the separator`() throws {
    var csv = CSVReader(Array("sep=;\r\na;b\r\n".utf8))
    #expect(try csv.next() == CSVReader.Record(line: 2, fields: ["a", "b"]))
    #expect(csv.separator == UInt8(ascii: ";"))
  }

  @Test func `returns every field as it was written`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", ",", "\"", "\n", "\r\n", " ", "ü", ";", "\t", "🐶", "=", "'", "-"]
    for _ in 0..<500 {
      let fields = (0..<3).map { _ in
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in pieces.randomElement(using: &random)!
        }
        .joined()
      }
      let line = fields.map(\.csvField).joined(separator: ",") + "\r\n"
      let found = try records("first,second,third\r\n" + line).last?.map { String(csvField: $0) }
      #expect(found == fields || fields.allSatisfy(\.isEmpty), "seed \(seed)")
    }
  }

  @Test(arguments: [
    (String(repeating: "x", count: 1 << 21) + "\nb", "a field has more than 1 MiB"),
    (
      "\"" + String(repeating: "x", count: 1 << 21) + "\"\nb",
      "quotes that were opened in line 1 are not closed within 1 MiB"
    ),
    (String(repeating: ",", count: 1_001) + "\nb", "it has more than 1000 columns"),
  ])
  func `refuses a record that is too long, and stops reading`(text: String, reason: String) throws {
    var csv = CSVReader(Array(text.utf8))
    #expect(throws: DataError(line: 1, reason)) { try csv.next() }
    #expect(csv.isBroken)
    #expect(try csv.next() == nil)
  }

  @Test(arguments: [
    ("Fido", "Fido"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
    ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), (" a", "\" a\""),
    ("\"\u{301}", "\"\"\"\u{301}\""), ("a\u{1B}b\rc", #"a\x1bb\rc"#),
    ("a\u{2028}b", "a\u{2028}b"), ("7", "7"), (" ", "\" \""),
  ])
  func `is quoted in CSV where necessary`(text: String, expected: String) {
    #expect(text.csvField == expected)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+49", "'+49"), ("-5", "'-5"), ("@home", "'@home"), ("\ta", "'\ta"),
    ("\na", "\"'\na\""), ("\r\na", "\"'\r\na\""), ("'=1", "''=1"), ("''=1", "'''=1"),
    ("=\"a\"", "\"'=\"\"a\"\"\""), ("＝1", "'＝1"), ("'a", "'a"), ("'", "'"), ("1=1", "1=1"),
  ])
  func `is never a formula in CSV, and is read back unchanged`(text: String, expected: String)
    throws
  {
    #expect(text.csvField == expected)
    var csv = CSVReader(Array("a,b\r\n1,\(expected)\r\n".utf8))
    _ = try csv.next()
    #expect(try csv.next()?.fields.last.map { String(csvField: $0) } == text)
  }
}
