import Foundation
import Testing

@testable import DataFormats

@Suite struct `JSON` {
  @Test func `has a line for each element, and null for unknown values`() {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", 1)
      json.member("walks") { json in
        json.lines([("Fido", 35.0), ("Rex", nil)]) { json, walk in
          json.object { json in
            json.member("dog", walk.0)
            json.member("minutes", walk.1)
            json.member("overdue", false)
          }
        }
      }
    }
    json.endLine()
    #expect(
      json.text == """
        {"schema": 1, "walks": [
          {"dog": "Fido", "minutes": 35, "overdue": false},
          {"dog": "Rex", "minutes": null, "overdue": false}
        ]}

        """)
  }

  @Test func `has empty arrays and objects on one line`() {
    var json = JSONWriter()
    json.object { json in
      json.member("walks") { $0.lines([Int]()) { $0.value($1) } }
      json.member("plain") { json in
        json.array { json in
          json.value(1)
          json.null()
          json.value(true)
        }
      }
      json.member("none") { $0.object { _ in } }
    }
    #expect(json.text == #"{"walks": [], "plain": [1, null, true], "none": {}}"#)
  }

  @Test(arguments: [
    ("a\"b\\c/", #""a\"b\\c/""#), ("\t\n\r\u{8}\u{C}", #""\t\n\r\b\f""#),
    ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\\u007f\""), ("Zoë 🐶 犬", "\"Zoë 🐶 犬\""),
  ])
  func `escapes only what it must`(text: String, expected: String) {
    var json = JSONWriter()
    json.value(text)
    #expect(json.text == expected)
  }

  @Test(arguments: [
    (35.0, "35"), (1.5, "1.5"), (-0.0, "0"), (0.25, "0.25"), (1e300, "1e+300"),
    (.infinity, "null"), (.nan, "null"), (2414.016, "2414.016"),
  ])
  func `has numbers without unnecessary decimals`(number: Double, expected: String) {
    var json = JSONWriter()
    json.value(number)
    #expect(json.text == expected)
  }

  @Test func `can be drained piece by piece`() {
    var pieces: [String] = []
    var json = JSONWriter()
    json.lines(1...3) { json, number in
      json.value(number)
      json.drain { pieces.append(String(decoding: $0, as: UTF8.self)) }
    }
    json.drain { pieces.append(String(decoding: $0, as: UTF8.self)) }
    #expect(pieces == ["[\n  1", ",\n  2", ",\n  3", "\n]"])
    #expect(json.bytes.isEmpty)
  }

  @Test(arguments: 0..<8)
  func `writes bytes as Foundation's base64 does`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 77) }
    var json = JSONWriter()
    json.value(base64: bytes)
    #expect(json.text == "\"\(Data(bytes).base64EncodedString())\"")
  }

  @Test func `starts lines for elements that arrive one by one`() {
    var json = JSONWriter()
    json.array { json in
      for number in 1...2 {
        json.startLine()
        json.value(number)
      }
    }
    #expect(json.text == "[\n  1,\n  2]")
  }
}
