import DataFormats
import TestSupport
import Testing

@Suite struct CSVCursorTests {
  /// All fields, line by line.
  private func fields(_ text: String) throws -> [[String]] {
    var csv = CSVCursor(Array(text.utf8))
    var found: [[String]] = []
    while csv.nextRecord() {
      var line: [String] = []
      while let field = try csv.nextField() {
        line.append(String(decoding: csv[field], as: UTF8.self))
      }
      found.append(line)
    }
    return found
  }

  /// The first field of every line; the others are skipped.
  private func firstFields(_ text: String) throws -> [String] {
    var csv = CSVCursor(Array(text.utf8))
    var found: [String] = []
    while csv.nextRecord() {
      guard let field = try csv.nextField() else { continue }
      found.append(String(decoding: csv[field], as: UTF8.self))
      try csv.skipFields()
    }
    return found
  }

  @Test func `fields lose their quotes, and doubled quotes become one`() throws {
    #expect(
      try fields("a,\"b, \"\"c\"\"\"\r\n\"\"\"\",\"\"\n,\"x\ny\"")
        == [["a", "b, \"c\""], ["\"", ""], ["", "x\ny"]])
  }

  @Test(arguments: [
    "a,b,c\n1,2,3\n\n4,\"x\ny\",6\n7", "a\r\n1,\"\"\"\r\n\",3\r\n2,\"b\"\r\n", "a\rb,\"c\rd\"\re",
    "a,b\n1,2\r3,\"4\"\r5,6\n7,8\r", "a\n1,x\"y\n2,\"z\"", "\u{FEFF}a;b\n1;2", "",
  ])
  func `skipping finds the same fields as reading`(text: String) throws {
    #expect(try firstFields(text) == fields(text).map { $0[0] })
  }

  @Test func `random lines are skipped as they would be read`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let pieces = [
        "a", "1", ",", ",", "\n", "\n", "\r", "\r\n", "\"b\"", "\"\"", "\"c\n,\"\"d\"", "",
      ]
      let text = (0..<Int.random(in: 0...20, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let expected = Result { try fields(text).map { $0[0] } }
      let found = Result { try firstFields(text) }
      #expect((try? expected.get()) == (try? found.get()), "\(text.debugDescription), SEED=\(seed)")
    }
  }

  @Test(arguments: ["a\n1,\"x", "a\n1,\"x\"y\n2"])
  func `an error in a skipped field is reported`(text: String) throws {
    #expect(throws: DataError.self) { try firstFields(text) }
  }
}
