import Foundation
import TestSupport
import Testing

@testable import DataFormats

@Suite struct `A property list in XML` {
  private func read(_ content: String) throws -> PropertyList {
    try PropertyList(
      xml: Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">\(content)</plist>
        """.utf8))
  }

  @Test func `has values of every kind`() throws {
    let list = try read(
      """

      <dict>
        <key>a&amp;b</key> <string> Fido &lt;<![CDATA[<&]]> </string>
        <key>list</key> <array><true/><false></false><array/></array>
        <key>numbers</key>
        <array><integer> -7 </integer><integer>0xFF</integer><integer>18446744073709551615</integer>
        <real>1.5</real><real>-infinity</real></array>
        <key>data</key> <data>
          aG
          k=
        </data>
        <key>date</key> <date>2026-11-21T09:00:00Z</date>
        <!-- nothing -->
        <key>object</key> <dict><key>CF$UID</key><integer>3</integer></dict>
      </dict>

      """)
    #expect(
      list
        == .dictionary([
          "a&b": .string(" Fido <<& "),
          "list": .array([.boolean(true), .boolean(false), .array([])]),
          "numbers": .array([
            .integer(-7), .integer(255), .unsignedInteger(.max), .real(1.5), .real(-.infinity),
          ]),
          "data": .data(Data("hi".utf8)),
          "date": .date(Date(timeIntervalSinceReferenceDate: 816_944_400)),
          "object": .uid(3),
        ]))
  }

  @Test(arguments: [
    ("<integer>1.5</integer>", "the text of <integer> is not a valid value"),
    ("<integer/>", "the text of <integer> is not a valid value"),
    ("<integer>0x+1</integer>", "the text of <integer> is not a valid value"),
    ("<integer>-18446744073709551615</integer>", "the text of <integer> is not a valid value"),
    ("<real>one</real>", "the text of <real> is not a valid value"),
    ("<date>2026-13-01T00:00:00Z</date>", "the text of <date> is not a valid value"),
    ("<date>2026-11-21</date>", "the text of <date> is not a valid value"),
    ("<data>a</data>", "the text of <data> is not a valid value"),
    ("<dict><string/></dict>", "<string> is in <dict> without a key"),
    ("<dict><key>a</key></dict>", "the key 'a' has no value"),
    ("<dict><key>a</key><key>b</key><true/></dict>", "the key 'a' has no value"),
    (
      "<dict><key>a</key><true/><key>a</key><true/></dict>", "the key 'a' occurs twice"
    ),
    ("<string><b/></string>", "<string> has an element <b> in it"),
    ("<set/>", "property lists have no element <set>"),
    ("text", "there is text in <plist>, outside its elements"),
    ("", "the property list is empty"),
    ("<true/><true/>", "the property list has more than one value"),
    ("<true>1</true>", "<true> has text in it"),
  ])
  func `is refused with the reason where it is invalid`(content: String, reason: String) {
    #expect(throws: DataError(line: 3, reason)) { try read(content) }
  }

  @Test func `nests at most 128 levels deep`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    }
    _ = try read(nested(128))
    #expect(throws: DataError.self) { try read(nested(10_000)) }
  }

  @Test func `is read in whichever format it has`() throws {
    let list = PropertyList.dictionary(["name": .string("Fido")])
    let text = "<plist><dict><key>name</key><string>Fido</string></dict></plist>"
    #expect(try PropertyList(contents: list.binary) == list)
    #expect(try PropertyList(contents: Array(text.utf8)) == list)
    #expect(throws: DataError(line: 1, "The property list is damaged at byte 9")) {
      try PropertyList(contents: Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 33))
    }
    #expect(throws: DataError(line: 1, "there is text outside the root element")) {
      try PropertyList(contents: Array("{ name = Fido; }".utf8))
    }
    #expect(
      throws: DataError(line: 1, "this is not a property list: its element is not <plist>")
    ) {
      try PropertyList(contents: Array("<list/>".utf8))
    }
  }

  @Test(.enabled(if: Python.isInstalled, "python3 is missing"))
  func `holds what Python's reader finds in it`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let lists = (0..<300).map { _ in PropertyList.random(using: &random) }
    // Lists with control characters or UIDs cannot be written as XML.
    let script = """
      import base64, plistlib, sys
      for line in sys.stdin:
          try:
              xml = plistlib.dumps(plistlib.loads(base64.b64decode(line)), fmt=plistlib.FMT_XML)
          except (TypeError, ValueError, OverflowError):
              continue
          read = plistlib.dumps(plistlib.loads(xml), fmt=plistlib.FMT_BINARY)
          print(base64.b64encode(xml).decode() + " " + base64.b64encode(read).decode())
      """
    let answers = try Python.run(
      script, lines: lists.map { Data($0.binary).base64EncodedString() }
    ).lines
    #expect(answers.count > 50)
    for answer in answers {
      let both = answer.split(separator: " ").compactMap { Data(base64Encoded: String($0)) }
      #expect(
        try PropertyList(xml: Array(both[0])) == PropertyList(binary: both[1]), "seed \(seed)")
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `writes dates outside the calendar`(seconds: Double) {
    var text: [UInt8] = []
    PropertyList.date(Date(timeIntervalSinceReferenceDate: seconds))
      .appendXML(to: &text, indentation: 0)
    #expect(String(decoding: text, as: UTF8.self).contains("Z</date>"))
  }
}
