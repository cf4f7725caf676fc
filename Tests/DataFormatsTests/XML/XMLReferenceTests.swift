import Foundation
import TestSupport
import Testing

@testable import DataFormats

/// Randomly valid or invalid documents, compared with Expat's answers.
@Suite(.enabled(if: Python.isInstalled, "python3 is missing"))
struct `Reading XML` {
  /// Reads documents in base64, one per line, and answers with their content, or "-".
  private static let reader = """
    import base64, sys, xml.parsers.expat
    for line in sys.stdin:
        events = []
        def text(data):
            if events and events[-1].startswith("t"): events[-1] += data
            else: events.append("t" + data)
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler = lambda name, attributes: events.append(
            "s" + name + "".join(" " + key + "=" + attributes[key] for key in sorted(attributes)))
        parser.EndElementHandler = lambda name: events.append("e" + name)
        parser.CharacterDataHandler = text
        try:
            parser.Parse(base64.b64decode(line), True)
            print(base64.b64encode("\\0".join(events).encode()).decode())
        except xml.parsers.expat.ExpatError:
            print("-")
    """

  private static let pieces = [
    "<a>", "</a>", "<b x='1'", " y=\"&lt;'\"", "/>", ">", "<", "&amp;", "&#65;", "&#x1F415;", "&",
    ";",
    "<!--", "-->", "--", "-", "<![CDATA[", "]]>", "]]", "<?p i?>", "<?", "?>", "text\n", "\r\n",
    "\t",
    "'", "\"", "=", "é", "—", " ", "<b>", "</b>", "<b\n/>", "\u{1}", "&x;", "<?xml version='1.0'?>",
    "<!DOCTYPE a>", "x='2'", ".", "1",
  ]

  private static let whole = [
    "<a><b x='1' y=\"&lt;'\"/>text<b>&amp;</b><!-- c --><?p i?></a>",
    "<a><![CDATA[ <b> ]]>\r\n<b x='\t\r\n&#10;'>é</b>]</a> <!-- end -->",
    "<!DOCTYPE a><a b='c'><a/></a>",
  ]

  @Test func `accepts and refuses the same documents as Expat`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let documents = (0..<4_000).map { _ in Self.document(using: &random) }

    let answers = try Python.run(
      Self.reader, lines: documents.map { Data($0).base64EncodedString() }
    ).lines

    #expect(answers.count == documents.count)
    var (accepted, refused) = (0, 0)
    for (document, answer) in zip(documents, answers) {
      let expected = answer == "-" ? nil : Data(base64Encoded: answer)
      let found = Self.events(of: document)
      let text = String(decoding: document, as: UTF8.self)
      #expect(found.map { Data($0.utf8) } == expected, "seed \(seed): \(text.debugDescription)")
      if found == nil { refused += 1 } else { accepted += 1 }
    }
    // Otherwise nothing was compared.
    #expect(accepted > 400 && refused > 400, "\(accepted) \(refused)")
  }

  private static func document(using random: inout SeededGenerator) -> [UInt8] {
    guard let base = whole.randomElement(using: &random) else { return [] }
    // Expat accepts any text as a version, so this stays unchanged.
    let declaration = Bool.random(using: &random) ? "<?xml version='1.0'?>\n" : ""
    var bytes = Array(base.utf8)
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...3, using: &random))
      let piece = Bool.random(using: &random) ? pieces.randomElement(using: &random) ?? "" : ""
      bytes.replaceSubrange(start..<end, with: piece.utf8)
    }
    return declaration.utf8 + bytes
  }

  /// What our reader finds; nil if it refuses the document.
  private static func events(of document: [UInt8]) -> String? {
    var xml = XMLScanner(document)
    var events: [String] = []
    do {
      while let piece = try xml.next() {
        switch piece {
        case .start(let name, let attributes):
          let sorted = attributes.sorted { $0.name < $1.name }
          events.append("s" + name + sorted.map { " \($0.name)=\($0.value)" }.joined())
        case .end(let name): events.append("e" + name)
        case .text(let text):
          guard !text.isEmpty else { continue }
          if let last = events.last, last.hasPrefix("t") {
            events[events.count - 1] += text
          } else {
            events.append("t" + text)
          }
        }
      }
    } catch {
      return nil
    }
    return events.joined(separator: "\0")
  }
}
