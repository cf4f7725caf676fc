import Foundation
import TestSupport
import Testing

@testable import TextMatching

@Suite struct TextFoldingTests {
  /// Every combination of options that ignore something.
  static let allOptions: [TextOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    .normalized,
  ]

  static func order(_ one: String, _ other: String, _ options: TextOptions) -> Int {
    withBytes(one) { first in withBytes(other) { compareTexts(first, $0, options) } }.signum()
  }

  static func withBytes<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    Array(text.utf8).withUnsafeBytes(body)
  }

  @Test(arguments: [
    ("fido", "FIDO", "c", true), ("fido", "FIDO", "", false),
    ("Straße", "STRASSE", "c", true), ("Σίσυφος", "σίσυφοσ", "c", true),
    ("é", "e\u{301}", "", false), ("é", "e\u{301}", "n", true),
    ("é", "E\u{301}", "c", true), ("é", "e", "c", false),
    ("é", "e", "d", true), ("É", "e", "d", false),
    ("ÉCOLE", "école", "cd", true),
    ("İstanbul", "istanbul", "cd", true),
    ("e", "e\u{301}", "d", true), ("ё", "е", "d", true),
    // In other scripts vowels and voicing are marks, which make different words.
    ("が", "か", "d", false), ("कि", "क", "d", false),
    ("각", "\u{1100}\u{1161}\u{11a8}", "n", true), ("豈", "\u{f900}", "n", true),
    // With `n`, case and marks are significant.
    ("FIDO", "fido", "nc", false),
    ("q\u{323}\u{307}", "Q\u{307}\u{323}", "c", true),
    ("\u{344}", "\u{308}\u{301}", "n", true), ("ø", "o", "d", false),
    ("", "", "c", true), ("", "\u{301}", "d", false),
    ("K", "\u{212a}", "c", true), ("ﬃ", "FFI", "c", true),
    ("ᾳ\u{301}", "ΆΙ", "c", true),
  ])
  func `texts are equal, or not`(
    one: String, other: String, options letters: String, areSame: Bool
  ) {
    let options = TextOptions(letters)
    #expect((Self.order(one, other, options) == 0) == areSame)
    #expect((Self.order(other, one, options) == 0) == areSame)
    #expect(Self.withBytes(other) { FoldedText(one, options).isEqual(to: $0) } == areSame)
  }

  @Test(arguments: [
    ("Fi", "fido", "c", true, false, true),
    ("DO", "fido", "c", false, true, true),
    ("ID", "fido", "c", false, false, true),
    ("ID", "fido", "", false, false, false), ("", "fido", "", true, true, true),
    ("", "é", "c", true, true, true),
    ("e", "é", "c", false, false, false),
    ("e", "é", "d", true, true, true), ("é", "CAFÉ", "", false, false, false),
    ("É", "cafe\u{301}", "c", false, true, true),
    ("caf", "cafe\u{301}", "c", true, false, true),
    ("cafe", "cafe\u{301}s cafe", "c", false, true, true),
    ("ss", "Straße", "c", false, false, true),
    ("fidos", "fido", "", false, false, false),
  ])
  func `a text begins with, ends with and contains another`(
    needle: String, text: String, options letters: String, begins: Bool, ends: Bool, contains: Bool
  ) {
    let options = TextOptions(letters)
    let folded = FoldedText(needle, options)
    Self.withBytes(text) {
      #expect(folded.isPrefix(of: $0) == begins)
      #expect(folded.isSuffix(of: $0) == ends)
      #expect(folded.isContained(in: $0) == contains)
    }
  }

  @Test func `two texts compare as their folded bytes do`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let texts = (Self.text(using: &random), Self.text(using: &random))
      for options in Self.allOptions {
        let folded = FoldedText(texts.0, options)
        let order = FoldedText(texts.0, options).bytes.withUnsafeBytes { first in
          FoldedText(texts.1, options).bytes.withUnsafeBytes { compareBytes(first, $0).signum() }
        }
        #expect(Self.order(texts.0, texts.1, options) == order, "\(texts), seed \(seed)")
        #expect(
          Self.withBytes(texts.1) { folded.compare(to: $0).signum() } == order,
          "\(texts), seed \(seed)")
      }
    }
  }

  @Test func `a folded text folds to itself`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let text = Self.text(using: &random)
      for options in Self.allOptions {
        let folded = FoldedText(text, options)
        let again = FoldedText(String(decoding: folded.bytes, as: UTF8.self), options)
        #expect(again.bytes == folded.bytes, "\(text), seed \(seed)")
      }
    }
  }

  @Test func `invalid bytes are read as U+FFFD, and never beyond the end`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        [0x41, 0x80, 0xC3, 0xA9, 0xE2, 0xED, 0xF0, 0x9F, 0xFF].randomElement(using: &random)!
      }
      bytes.withUnsafeBytes {
        for options in Self.allOptions {
          let folded = TextFolding.fold($0, options)
          let isUnread = options.isEmpty
          #expect(isUnread || String(validating: folded, as: UTF8.self) != nil, "seed \(seed)")
        }
      }
    }
  }

  @Test func `a case-folded text is composed, and folding it again changes nothing`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let text = Self.text(using: &random)
      let folded = TextFolding.caseFolded(text)
      let composed = folded.precomposedStringWithCanonicalMapping
      #expect(folded.utf8.elementsEqual(composed.utf8), "\(text), seed \(seed)")
      #expect(TextFolding.caseFolded(folded).utf8.elementsEqual(folded.utf8), "seed \(seed)")
      let isSame = Self.order(text, folded, .caseInsensitive) == 0
      #expect(isSame, "\(text), seed \(seed)")
    }
  }

  // Letters newer than the tables are left out.
  @Test(.enabled(if: Python.isInstalled, "there is no python3"))
  func `every scalar decomposes and folds as in Python`() throws {
    let script = """
      import unicodedata as u
      for value in range(0x110000):
          text = chr(value)
          if u.category(text) in ("Cs", "Cn", "Co"): continue
          nfd = u.normalize("NFD", text)
          folded = u.normalize("NFD", nfd.casefold())
          plain = nfd
          if ord(nfd[0]) < 0x510 and u.category(nfd[0]) != "Mn":
              plain = nfd[0] + "".join(c for c in nfd[1:] if u.category(c) not in ("Mn", "Me"))
          if nfd == text == folded == plain: continue
          print(value, *(".".join(str(ord(c)) for c in t) for t in (nfd, folded, plain)))
      print(u.unidata_version)
      """
    var lines = try Python.run(script).lines
    let isSameVersion = lines.removeLast() == UnicodeTables.unicodeVersion.description
    var expected: [UInt32: [String]] = [:]
    for line in lines {
      let fields = line.split(separator: " ").map(String.init)
      expected[try #require(UInt32(fields[0]))] = Array(fields.dropFirst())
    }
    #expect(expected.count > 14_000)
    // Nothing is assigned between plane 3 and plane 15.
    for value in Array(0...0x3ffff) + Array(0xe0000...0xe01ff) as [UInt32] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let results = [TextOptions.normalized, .caseInsensitive, .diacriticInsensitive].map {
        String(decoding: FoldedText(String(scalar), $0).bytes, as: UTF8.self).unicodeScalars
          .map { String($0.value) }.joined(separator: ".")
      }
      let unchanged = Array(repeating: String(value), count: 3)
      if results == expected[value] ?? unchanged { continue }
      if !isSameVersion, results == unchanged { continue }
      Issue.record("U+\(String(value, radix: 16)): \(results), not \(expected[value] ?? [])")
    }
  }

  @Test(.enabled(if: Python.isInstalled, "there is no python3"))
  func `marks come in the order that Python reports`() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let texts = (0..<3_000).map { _ in Self.text(using: &random) }
    let script = """
      import unicodedata, sys
      for word in sys.argv[1].split():
          text = "".join(chr(int(c)) for c in word.split("."))
          print(".".join(str(ord(c)) for c in unicodedata.normalize("NFD", text)))
      """
    func numbers(_ text: String) -> String {
      text.unicodeScalars.map { String($0.value) }.joined(separator: ".")
    }
    let words = texts.filter { !$0.isEmpty }.map(numbers).joined(separator: " ")
    let lines = try Python.run(script, [words]).lines
    for (text, line) in zip(texts.filter { !$0.isEmpty }, lines) {
      let folded = String(decoding: FoldedText(text, .normalized).bytes, as: UTF8.self)
      #expect(numbers(folded) == line, "seed \(seed)")
    }
    #expect(lines.count > 2_000)
  }

  /// Letters and marks with many forms, so that they coincide, mixed with ASCII.
  static func text(using random: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7e, 0x41...0x7a, 0xc0...0x24f, 0x300...0x345, 0x370...0x3ff, 0x1e00...0x1fff,
      0xac00...0xac80, 0x1ab0...0x1abe, 0x400...0x52f, 0x3040...0x309a, 0x660...0x669,
      0x2010...0x2030,
    ]
    let length = Int.random(in: 0...6, using: &random)
    let scalars = (0..<length).compactMap { _ -> Unicode.Scalar? in
      let choice = Int.random(in: 0...3, using: &random)
      let range =
        choice == 0 ? ranges[3] : choice == 1 ? ranges[0] : ranges.randomElement(using: &random)!
      return Unicode.Scalar(UInt32.random(in: range, using: &random))
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension TextOptions {
  /// The options that the letters in brackets stand for: `cd`.
  init(_ letters: String) {
    self = []
    if letters.contains("c") { insert(.caseInsensitive) }
    if letters.contains("d") { insert(.diacriticInsensitive) }
    if letters.contains("n") { insert(.normalized) }
  }
}
