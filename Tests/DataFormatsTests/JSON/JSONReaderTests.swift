import Foundation
import TestSupport
import Testing

@testable import DataFormats

@Suite struct `Reading JSON` {
  private func reads(_ text: String) -> Bool {
    var json = JSONReader(Array(text.utf8))
    do {
      try json.skip()
      try json.end()
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: [
    "{}", "[]", " [ 1 , -0 , 0.5e-3 , true , false , null , \"\" ] ", "{\"a\": {\"b\": [[]]}}", "7",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\ud83d\\udc36\"", "\u{FEFF}[]", "[1E5, 1e+5]",
  ])
  func `accepts everything the grammar allows`(text: String) { #expect(reads(text)) }

  @Test(arguments: [
    "", "{", "[", "[1,]", "{\"a\"}", "{\"a\":}", "{a: 1}", "{\"a\": 1,}", "[01]", "[1.]", "[.5]",
    "[+1]",
    "[1e]", "[tru]", "nul", "[1] 2", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\udc36\"",
    "\"\n\"",
    "[1e999]", "NaN", "'a'", "[1 2]", "//", "\"\\ud83d\\u0041\"",
  ])
  func `refuses anything else`(text: String) { #expect(!reads(text)) }

  @Test func `refuses endless nesting`() {
    #expect(reads(String(repeating: "[", count: 128) + String(repeating: "]", count: 128)))
    #expect(!reads(String(repeating: "[", count: 100_000)))
  }

  @Test func `refuses what is not UTF-8`() {
    var json = JSONReader([0x22, 0xFF, 0x22])
    #expect(throws: DataError.self) { try json.string() }
  }

  @Test func `reports the line and the column of an error`() {
    var json = JSONReader(Array("{\n \"a\": 1,\n \"bé🐕\": x\n}".utf8))
    let error = #expect(throws: DataError.self) { try json.skip() }
    #expect(error?.line == 3 && error?.column == 9)
  }

  @Test func `moves from name to name, and reports the position of each`() throws {
    let bytes = Array("{\"a\": [1, []],\n  \"b\": {},\n  \"c\": 12345678901234567890}".utf8)
    var json = JSONReader(bytes)
    var found: [String] = []
    try json.beginObject()
    while let name = try json.nextName() {
      let position = json.namePosition.lineAndColumn(in: bytes)
      if name == "c" { #expect(try json.numberText() == "12345678901234567890") }
      if name == "a" {
        try json.beginArray()
        var count = 0
        while try json.nextElement() {
          try json.skip()
          count += 1
        }
        #expect(count == 2)
      }
      if name == "b" { try json.skip() }
      found.append("\(name) \(position.line):\(position.column)")
    }
    try json.end()
    #expect(found == ["a 1:2", "b 2:3", "c 3:3"])
  }

  @Test func `returns every text as it was written`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let number = UInt32.random(
          in: 0...(Bool.random(using: &random) ? 0x7F : 0x1FFFF), using: &random)
        if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
      }
      var writer = JSONWriter()
      writer.value(text)
      var json = JSONReader(writer.bytes)
      let read = try json.string()
      #expect(Array(read.utf8) == Array(text.utf8), "seed \(seed)")
    }
  }

  @Test func `agrees with Foundation on random texts`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "1", "-", "0", ".5", "e1", "true", "null", " ",
    ]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 1...8, using: &random))
        .map { _ in pieces.randomElement(using: &random)! }.joined()
      // Foundation accepts a comma after the last value; RFC 8259 does not.
      let bare = text.filter { $0 != " " }
      guard !bare.contains(",]"), !bare.contains(",}") else {
        #expect(!reads(text), "\(text), seed \(seed)")
        continue
      }
      let isJSON =
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
        != nil
      #expect(reads(text) == isJSON, "\(text), seed \(seed)")
    }
  }
}
