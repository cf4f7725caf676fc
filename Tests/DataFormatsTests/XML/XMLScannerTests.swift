import TestSupport
import Testing

@testable import DataFormats

@Suite struct `Scanning XML` {
  private func pieces(_ text: String) throws -> [XMLScanner.Piece] {
    var xml = XMLScanner(Array(text.utf8))
    var pieces: [XMLScanner.Piece] = []
    while let piece = try xml.next() { pieces.append(piece) }
    return pieces
  }

  @Test func `returns elements, attributes and texts`() throws {
    let text = """
      <?xml version="1.0"?><!-- a > b --><g:a x='1' y="&lt;&#65;&#x42;"><b/>t&amp;<![CDATA[<c>]]></g:a>
      """
    #expect(
      try pieces(text) == [
        .start("a", attributes: [.init(name: "x", value: "1"), .init(name: "y", value: "<AB")]),
        .start("b", attributes: []), .end("b"), .text("t&"), .text("<c>"), .end("a"),
      ])
  }

  @Test func `reports the line where each piece begins`() throws {
    let text =
      "<?xml version='1.0'\n?>\r\n<!-- \r -->\n<a\n b='1'\n>\n text<c\n/>\n<![CDATA[\n]]></a>\n"
    var xml = XMLScanner(Array(text.utf8))
    var lines: [String] = []
    while let piece = try xml.next() {
      switch piece {
      case .start(let name, _): lines.append("\(xml.line) <\(name)>")
      case .end(let name): lines.append("\(xml.line) </\(name)>")
      case .text: lines.append("\(xml.line) text")
      }
    }
    #expect(
      lines == [
        "5 <a>", "7 text", "8 <c>", "8 </c>", "9 text", "10 text", "11 </a>",
      ])
  }

  @Test func `normalizes line ends to one character, and those in attributes to spaces`() throws {
    #expect(
      try pieces("<a b=' x\ty\r\nz\r&#10;&#13;'>1\r\n2\r3\n&#13;4</a>") == [
        .start("a", attributes: [.init(name: "b", value: " x y z \n\r")]),
        .text("1\n2\n3\n\r4"), .end("a"),
      ])
  }

  @Test func `accepts names and texts of every script`() throws {
    #expect(
      try pieces("<狗:犬 名·='Фидо 🐕'/>") == [
        .start("犬", attributes: [.init(name: "名·", value: "Фидо 🐕")]), .end("犬"),
      ])
  }

  @Test(arguments: [
    "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM \"file:///[>'.dtd\"><a/>",
    "<!DOCTYPE a PUBLIC '-//\">' 'x' [ <!ELEMENT a (#PCDATA)> %e; ] ><a/>",
    "<!DOCTYPE a [<!-- ]> ' --><?pi ]> '?><!ENTITY e \"]>'\"><!ATTLIST a b CDATA '>'>]><a/>",
    "<!-- --><!DOCTYPE a []>\n<a/><!-- --><?pi?>\n",
  ])
  func `skips the document type declaration`(text: String) throws {
    #expect(try pieces(text) == [.start("a", attributes: []), .end("a")])
  }

  /// What is not a document, the line where that is noticed, and the error.
  private static let refused: [(text: String, line: Int, reason: String)] = [
    ("", 1, "there is no element"),
    ("\n\ntext", 3, "there is text outside the root element"),
    ("<!-- --> <?pi x?>\n", 2, "there is no element"),
    ("<a>\n<b>\n", 3, "the text ends inside <b> of line 2"),
    ("<a>\n<b>\n</a>", 3, "</a> does not match <b> of line 2"),
    ("<p:a></q:a>", 1, "</q:a> does not match <p:a> of line 1"),
    ("<a/>\n<b/>", 2, "there is a second root element"),
    ("<a/>\n</a>", 2, "</a> closes no element"),
    ("</a>", 1, "</a> closes no element"),
    ("<a/>text", 1, "there is text outside the root element"),
    ("<a/>&amp;", 1, "there is text outside the root element"),
    ("<a/><![CDATA[x]]>", 1, "there is text outside the root element"),
    ("<a x=1/>", 1, "the attribute x of <a> has no quoted value"),
    ("<a x/>", 1, "the attribute x of <a> has no quoted value"),
    ("<a\nx='1/>", 2, "the value of the attribute x of <a> has no closing quote"),
    ("<a x='<'/>", 1, "the attribute x of <a> has a < in its value"),
    ("<a x='1'y='2'/>", 1, "the tag <a> is malformed"),
    ("<a x='1'\nx='2'/>", 2, "the tag <a> has the attribute x twice"),
    ("<a &=''/>", 1, "the tag <a> has an attribute without a name"),
    ("< a/>", 1, "a tag has no name"),
    ("<1/>", 1, "a tag has no name"),
    ("<a><-/></a>", 1, "a tag has no name"),
    ("<a", 1, "the text ends inside the tag <a>"),
    ("<a /", 1, "the tag <a> has an attribute without a name"),
    ("<", 1, "a tag has no name"),
    ("<a></", 1, "a closing tag has no name"),
    ("<a></a", 1, "the text ends inside the closing tag </a>"),
    ("<a></a x='1'>", 1, "the closing tag </a> has no >"),
    ("<a>\n]]></a>", 2, "]]> is not allowed in text"),
    ("<a>&b;</a>", 1, "unknown entity &b;"),
    ("<a b='\n&nbsp;'/>", 2, "unknown entity &nbsp;"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 1, "unknown entity &b;"),
    ("<a>& </a>", 1, "an & does not begin a reference"),
    ("<a>&lt</a>", 1, "an & does not begin a reference"),
    ("<a>&#xG;</a>", 1, "a character reference is malformed"),
    ("<a>&#;</a>", 1, "a character reference is malformed"),
    ("<a>&#65</a>", 1, "a character reference is malformed"),
    ("<a>&#xD800;</a>", 1, "unpaired surrogate &#xD800;"),
    ("<a>&#xD83D;&#xDC15;</a>", 1, "unpaired surrogate &#xD83D;"),
    ("<a>&#0;</a>", 1, "&#0; is not a character that XML allows"),
    ("<a>&#x110000;</a>", 1, "&#x110000; is not a character that XML allows"),
    (
      "<a>&#99999999999999999999;</a>", 1, "&#999999999999999999 is not a character that XML allows"
    ),
    ("<a>\n\u{1}</a>", 2, "the character U+0001 is not allowed in XML"),
    ("<a>\u{FFFF}</a>", 1, "the character U+FFFF is not allowed in XML"),
    ("<a><!-- </a>", 1, "a comment has no end"),
    ("<a><!-- -- --></a>", 1, "-- is not allowed in a comment"),
    ("<a><!-- \n---></a>", 2, "-- is not allowed in a comment"),
    ("<a>\n<![CDATA[ </a>", 2, "a CDATA section has no end"),
    ("<a><?pi </a>", 1, "the processing instruction pi has no end"),
    ("<a><?pi!?></a>", 1, "the processing instruction pi is malformed"),
    ("<a><??></a>", 1, "a processing instruction has no name"),
    ("\n<?xml version='1.0'?><a/>", 2, "an XML declaration is only allowed at the beginning"),
    ("<a/><?XML x?>", 1, "an XML declaration is only allowed at the beginning"),
    ("<?xml encoding='UTF-8'?><a/>", 1, "the XML declaration is malformed"),
    ("<?xml version='2.0'?><a/>", 1, "the XML declaration is malformed"),
    ("<?xml version='1.0' standalone='maybe'?><a/>", 1, "the XML declaration is malformed"),
    ("<?xml version='1.0'encoding='UTF-8'?><a/>", 1, "the XML declaration is malformed"),
    (
      "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", 1,
      "the XML declaration is malformed"
    ),
    ("<a/><!DOCTYPE a>", 1, "a document type follows another one, or an element"),
    (
      "<!DOCTYPE a><!DOCTYPE a><a/>", 1,
      "a document type follows another one, or an element"
    ),
    ("<!DOCTYPE a [<a/>", 1, "the document type is malformed"),
    ("<!DOCTYPE a [<!ENTITY b '>]><a/>", 1, "the document type has no end"),
    ("<!DOCTYPE a '><a/>", 1, "the document type is malformed"),
    ("<!DOCTYPE a='2'b><a/>", 1, "the document type is malformed"),
    ("<!DOCTYPE a PUBLIC 'b'><a/>", 1, "the document type is malformed"),
    ("<!DOCTYPE><a/>", 1, "the document type has no name"),
    ("<!DOCTYPE a <b>><a/>", 1, "the document type is malformed"),
    ("<!doctype a><a/>", 1, "there is text outside the root element"),
  ]

  @Test(arguments: refused)
  func `refuses malformed documents with the reason`(text: String, line: Int, reason: String) {
    #expect(throws: DataError(line: line, reason)) { try pieces(text) }
  }

  @Test func `keeps reporting the error`() {
    var xml = XMLScanner(Array("<a>&b;</a>".utf8))
    _ = try? xml.next()
    #expect(throws: DataError(line: 1, "unknown entity &b;")) { try xml.next() }
    #expect(throws: DataError(line: 1, "unknown entity &b;")) { try xml.next() }
  }

  @Test func `refuses documents nested deeper than allowed`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)).utf8)
    }
    func read(_ bytes: [UInt8], depth: Int) throws {
      var xml = XMLScanner(bytes, maximumDepth: depth)
      while try xml.next() != nil {}
    }
    try read(nested(10), depth: 10)
    #expect(throws: DataError(line: 1, "the elements are nested deeper than 10")) {
      try read(nested(11), depth: 10)
    }
    #expect(throws: DataError(line: 1, "the elements are nested deeper than 64")) {
      try read(nested(100_000), depth: 64)
    }
  }

  @Test func `refuses a tag with too many attributes`() throws {
    func tag(_ count: Int) -> String { "<a" + (0..<count).map { " b\($0)=''" }.joined() + "/>" }
    #expect(try pieces(tag(256)).count == 2)
    #expect(throws: DataError(line: 1, "the tag <a> has more than 256 attributes")) {
      try pieces(tag(257))
    }
  }

  @Test func `survives damaged documents`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let whole = Array(
      "<?xml version='1.0'?><gpx a='b'><trkpt lat=\"1\" lon=\"2\"><time>x&amp;</time></trkpt></gpx>"
        .utf8)
    for _ in 0..<3_000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      var xml = XMLScanner(bytes)
      var count = 0
      while (try? xml.next()) != nil { count += 1 }
      #expect(count < bytes.count, "seed \(seed)")
    }
  }
}
