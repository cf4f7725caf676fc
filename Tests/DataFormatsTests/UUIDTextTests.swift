import DataFormats
import Foundation
import Testing

@Suite struct `A UUID as text` {
  @Test(arguments: [
    "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
    "00000000-0000-0000-0000-000000000000", "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF",
  ])
  func `is read as Foundation reads it`(text: String) {
    #expect(UUID(text: text) != nil && UUID(text: text) == UUID(uuidString: text))
  }

  @Test func `is read back as it was written`() throws {
    for _ in 0..<1_000 {
      let uuid = UUID()
      var text: [UInt8] = []
      text.append(uuid)
      #expect(String(decoding: text, as: UTF8.self) == uuid.uuidString)
      #expect(UUID(text: uuid.uuidString) == uuid)
    }
  }

  @Test(arguments: [
    "", "6F9619FF8B86D011B42D00CF4FC964FF", "{6F9619FF-8B86-D011-B42D-00CF4FC964FF}",
    "6F9619FF-8B86-D011-B42D-00CF4FC964F", "6F9619FF-8B86-D011-B42D-00CF4FC964FF0",
    "6F9619FF-8B86-D011-B42D-00CF4FC964FG", "6F9619FF-8B86-D011-B42D 00CF4FC964FF",
    "6F9619F-F8B86-D011-B42D-00CF4FC964FF", " F9619FF-8B86-D011-B42D-00CF4FC964FF",
    "0xF619FF-8B86-D011-B42D-00CF4FC964FF", "ßF9619FF-8B86-D011-B42D-00CF4FC964F",
  ])
  func `refuses anything else`(text: String) { #expect(UUID(text: text) == nil) }
}
