import CommandLineKit
import DataFormats
import Testing

@testable import DogWalkCommands

@Suite struct `A typed text` {
  @Test(arguments: [
    "\u{200B}", "Fido\u{200B}", "\u{2060}Fido", "Fi\u{AD}do", "\u{3164}", "\u{2800}", "\u{FEFF}",
    "Fi\u{200D}do", "Fido\u{FE0F}", "Fi\u{202E}do", "Fi\u{7}do",
  ])
  func `has no invisible characters in a name`(name: String) {
    let error = #expect(throws: ValidationError.self) { try TypedText.name(name, of: "a dog") }
    #expect(error?.message.hasPrefix("the name ") == true)
  }

  @Test(arguments: ["Ümit", "ポチ", "🐶", "👩‍👧", "❤️", "می‌خواهم", "Old Yeller"])
  func `may be a name in any script`(name: String) throws {
    #expect(try TypedText.name(name, of: "a dog") == name)
  }

  @Test func `keeps its lines and tabs in a note`() throws {
    #expect(try TypedText.note("wet\r\ncold\tdark\n") == "wet\ncold\tdark\n")
  }

  @Test(arguments: ["a\u{2028}b", "\u{202E}a", "a\u{2029}", "\u{FFFD}", "\u{200B}a"])
  func `keeps everything but control characters in a note`(note: String) throws {
    #expect(try TypedText.note(note) == note)
  }

  @Test(arguments: ["a\rb", "a\u{B}b", "a\u{9B}b", "a\n\rb", "a\u{0}", String(systemBytes: [0xFF])])
  func `has no other control characters in a note`(note: String) {
    #expect(throws: ValidationError.self) { try TypedText.note(note) }
  }
}
