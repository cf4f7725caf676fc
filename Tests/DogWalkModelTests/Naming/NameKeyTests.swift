import DogWalkModel
import Foundation
import ManagedObjects
import TestSupport
import Testing

@Suite("The key of a name")
struct NameKeyTests {
  @Test(arguments: [
    ["fido", "Fido", "FIDO", "fIdO"],
    ["Straße", "STRASSE", "straSSe", "STRAẞE"],
    ["Zoë", "ZOË", "Zoe\u{308}", "ZOE\u{308}"],
    ["Ångström", "A\u{30a}NGSTRO\u{308}M", "\u{212b}ngström"],
    ["Σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφοσ"],
    ["ﬁdo", "FIDO", "ﬁDO"],
    ["\u{3b0}", "\u{3ab}\u{301}", "\u{3c5}\u{308}\u{301}"],
    ["ǆoni", "ǅoni", "ǄONI"],
    ["հայ", "ՀԱՅ"],
    ["և", "եւ", "ԵՒ"],
    ["ᏣᎳᎩ", "ꮳꮃꭹ"],
    ["ბიმ", "ᲑᲘᲛ"],
    ["가\u{11a8}", "각", "\u{1100}\u{1161}\u{11a8}"],
    ["K9", "\u{212a}9", "k9"],
    // Marks in either order, and one that becomes a letter when folded.
    ["ᾳ\u{301}", "α\u{345}\u{301}", "α\u{301}\u{345}", "ΆΙ"],
    ["α\u{300}\u{301}\u{345}", "Α\u{300}\u{301}\u{345}"],
    ["q\u{323}\u{307}", "Q\u{307}\u{323}"],
  ])
  func `is the same for all spellings`(spellings: [String]) {
    #expect(Set(spellings.map { Array(NameKey.of($0).utf8) }).count == 1)
  }

  @Test(arguments: [
    ["Fido", "Fidó"], ["Fido", " Fido"], ["Fido", "Fido "], ["Rex", "Rexx"], ["ß", "s"],
    // A dotless i is a letter of its own; a dotted capital I is an i with an additional dot.
    ["Işık", "ışık"], ["İ", "i"], ["Café", "Cafe"], ["犬", "狗"], ["①", "1"],
  ])
  func `differs for different names`(names: [String]) {
    #expect(NameKey.of(names[0]) != NameKey.of(names[1]))
  }

  @Test(arguments: [
    ("Fido", "fido"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("Zoe\u{308}", "zo\u{eb}"),
    ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("ﬃ", "ffi"), ("İ", "i\u{307}"), ("ı", "ı"), ("ŉ", "ʼn"),
    ("ẖ", "\u{1e96}"), ("ͅ", "ι"), ("ꭰ", "Ꭰ"), ("ᏸ", "Ᏸ"), ("µ", "μ"), ("ſ", "s"), ("ᾼ", "αι"),
    ("🐕", "🐕"), ("", ""), ("\u{110}uka", "đuka"), ("𐐀", "𐐨"),
  ])
  func `is the folded name, in NFC`(name: String, key: String) {
    #expect(Array(NameKey.of(name).utf8) == Array(key.utf8))
  }

  @Test func `of every single scalar's key is that key`() {
    for value in 0...0x10ffff as ClosedRange<UInt32> {
      guard
        let scalar = Unicode.Scalar(value),
        ![.unassigned, .privateUse].contains(scalar.properties.generalCategory)
      else { continue }
      let key = NameKey.of(String(scalar))
      if NameKey.of(key).utf8.elementsEqual(key.utf8) { continue }
      Issue.record("the key of U+\(String(value, radix: 16)) has another key")
    }
  }

  @Test func `of any text's key is that key, and ignores case and normalization`() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let text = String(String.UnicodeScalarView(randomScalars(using: &random)))
      let key = Array(NameKey.of(text).utf8)
      #expect(Array(NameKey.of(NameKey.of(text)).utf8) == key, "seed \(seed)")
      for form in [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
      ] {
        #expect(Array(NameKey.of(form).utf8) == key, "seed \(seed), \(text.unicodeScalars)")
      }
    }
  }

  // Scalars that this Python does not know yet, or folds in another version of Unicode, are left
  // out.
  @Test(.enabled(if: Python.isInstalled, "there is no python3"))
  func `of every scalar is as in Python`() throws {
    let lines = try Python.run(
      """
      import unicodedata
      for value in range(0x110000):
          text = chr(value)
          if unicodedata.category(text) in ("Cs", "Cn", "Co"):
              continue
          folded = unicodedata.normalize("NFD", text).casefold()
          folded = unicodedata.normalize("NFC", folded)
          print(value, *map(ord, folded))
      """
    ).lines
    #expect(lines.count > 100_000)
    for line in lines {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      let scalars = numbers.compactMap(Unicode.Scalar.init)
      let (name, key) = (String(scalars[0]), String(String.UnicodeScalarView(scalars.dropFirst())))
      if NameKey.of(name).utf8.elementsEqual(key.utf8) { continue }
      Issue.record("the key of U+\(String(numbers[0], radix: 16)) is not Python's")
    }
  }

  /// Letters and marks with many forms, so that they coincide.
  private func randomScalars(
    using random: inout some RandomNumberGenerator
  ) -> [Unicode.Scalar] {
    let ranges: [ClosedRange<UInt32>] = [
      0x41...0x7a, 0xc0...0x24f, 0x300...0x345, 0x370...0x3ff, 0x1e00...0x1fff, 0xac00...0xac80,
      0x1100...0x11ff, 0x1ab0...0x1abe, 0x13a0...0x13fd, 0xab70...0xabbf, 0x400...0x5ff,
    ]
    return (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in
      let range = Bool.random(using: &random) ? ranges[2] : ranges.randomElement(using: &random)
      return Unicode.Scalar(UInt32.random(in: range ?? 0...0, using: &random))
    }
  }

  @Test func `A tag named like new ones is found in any spelling`() throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
    try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
    let tag = try Tag.findOrCreate(named: "UNNAMED", in: context)
    #expect(tag.name == "UNNAMED")
    try context.save()
    #expect(try Tag.findOrCreate(named: "unnamed", in: context) === tag && tag.name == "UNNAMED")
  }
}
