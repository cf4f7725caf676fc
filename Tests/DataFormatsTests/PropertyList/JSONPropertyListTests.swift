import TestSupport
import Testing

@testable import DataFormats

/// Property lists in the form that JSON stores use.
@Suite struct JSONPropertyListTests {
  @Test func `every list round-trips`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let list = PropertyList.random(using: &random)
      var text: [UInt8] = []
      list.appendJSON(to: &text, indentation: 0)
      var json = JSONReader(text)
      let found = try PropertyList(&json)
      try json.end()
      #expect(found.binary == list.binary, "seed \(seed)")
      var again: [UInt8] = []
      found.appendJSON(to: &again, indentation: 0)
      #expect(again == text, "seed \(seed)")
    }
  }

  @Test func `each member has a line of its own`() {
    var text: [UInt8] = []
    PropertyList.dictionary([
      "b": .array([.integer(1), .real(1)]), "a": .dictionary(["date": .boolean(true)]),
    ]).appendJSON(to: &text, indentation: 2)
    #expect(
      String(decoding: text, as: UTF8.self) == """
        {
            "a": { "dictionary": [
              "date",
              true
            ] },
            "b": [
              1,
              1.0
            ]
          }
        """)
  }

  @Test(arguments: [
    "null", "{\"base64\": 1}", "{\"date\": \"today\"}", "{\"uid\": -1}", "{\"real\": \"1\"}",
    "{\"dictionary\": {}}", "{\"a\": 1, \"a\": 2}", "1e999", "{\"dictionary\": [1, 2]}",
  ])
  func `a text that is not a property list is refused`(text: String) {
    var json = JSONReader(Array(text.utf8))
    #expect(throws: DataError.self) { try PropertyList(&json) }
  }
}
