import TestSupport
import Testing

@testable import CommandLineKit

@Suite struct `Scanning XML` {
  private func pieces(_ text: String) throws -> [XMLScanner.Piece] {
    var xml = XMLScanner(Array(text.utf8))
    var pieces: [XMLScanner.Piece] = []
    while let piece = try xml.next() { pieces.append(piece) }
    return pieces
  }

  @Test func `gives elements, attributes and texts`() throws {
    let text = """
      <?xml version="1.0"?><!-- a > b --><g:a x='1' y="&lt;&#65;&#x42;"><b/>t&amp;<![CDATA[<c>]]></g:a>
      """
    #expect(
      try pieces(text) == [
        .start("a", attributes: [.init(name: "x", value: "1"), .init(name: "y", value: "<AB")]),
        .start("b", attributes: []), .end("b"), .text("t&"), .text("<c>"), .end("a"),
      ])
  }

  @Test(arguments: [
    "", "text", "<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<a x='1/>", "<a>&b;</a>", "<a>& </a>",
    "</a>",
    "<!DOCTYPE a><a/>", "<a><!-- </a>", "<a><![CDATA[ </a>", "<a/>text", "<a &=''/>", "< a/>", "<a",
    "<",
  ])
  func `refuses what is no document`(text: String) {
    #expect(throws: DataError.self) { try pieces(text) }
  }

  @Test func `refuses what nests without end`() {
    #expect(throws: DataError.self) {
      try pieces(String(repeating: "<a>", count: 1_000) + String(repeating: "</a>", count: 1_000))
    }
  }

  @Test func `survives damage`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let whole = Array(
      "<?xml version='1.0'?><gpx a='b'><trkpt lat=\"1\" lon=\"2\"><time>x&amp;</time></trkpt></gpx>"
        .utf8)
    for _ in 0..<3_000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...127, using: &random)
      }
      var xml = XMLScanner(bytes)
      var count = 0
      while (try? xml.next()) != nil { count += 1 }
      #expect(count < bytes.count, "seed \(seed)")
    }
  }
}
