import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import Testing

@testable import storetool

@Suite struct `A stored value in JSON` {
  @Test(
    arguments: [
      (.boolean, .integer(1), "true"), (.boolean, .integer(0), "false"),
      (.boolean, .real(0.5), "true"), (.boolean, .text(""), "false"),
      (.boolean, .bytes([]), "false"),
      (.date, .integer(7), "7"), (.date, .real(0.5), "0.5"), (.double, .real(3), "3"),
      (.double, .real(.infinity), "1e999"), (.double, .real(-.infinity), "-1e999"),
      (.integer64, .integer(.max), "9223372036854775807"), (.string, .text("a\"b"), #""a\"b""#),
      (.uuid, .bytes(Array(0..<16)), #""00010203-0405-0607-0809-0A0B0C0D0E0F""#),
      (.uuid, .bytes([1]), #""AQ==""#), (.binaryData, .bytes([1, 2, 3]), #""AQID""#),
      (.binaryData, .text("abc"), #""YWJj""#), (.transformable, .bytes([]), #""""#),
      (.integer16, nil, "null"),
    ] as [(AttributeDescription.AttributeType, StoredValue?, String)])
  func `has the form of its attribute's type`(
    type: AttributeDescription.AttributeType, stored: StoredValue?, expected: String
  ) {
    #expect(json(stored, AttributeDescription(name: "a", type: type)) == expected)
  }

  @Test func `has no prefix where large values may be in files`() {
    let photo = AttributeDescription(
      name: "photo", type: .binaryData, allowsExternalBinaryDataStorage: true)
    let uuid = "8B2DA586-9CBF-4995-94A9-984DD6A5AC26"
    #expect(json(.bytes([1, 0x61, 0x62, 0x63]), photo) == #""YWJj""#)
    #expect(json(.bytes([2] + Array(uuid.utf8) + [0]), photo) == #"{"external": "\#(uuid)"}"#)
  }

  private func json(_ stored: StoredValue?, _ attribute: AttributeDescription) -> String {
    var json = JSONWriter()
    json.value(stored, of: attribute)
    return json.text
  }
}
