import Foundation
import ModelCompiler
import TestSupport
import Testing

@Suite struct `Garbled models` {
  /// A generator whose numbers are determined by its seed.
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      // SplitMix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  /// Pieces that mean something to the compiler, to be inserted where they do not belong.
  private static let pieces = [
    "\"", "<", ">", "/>", "&#0;", "&amp;", "YES", "NO", "", "Dog", "Walk", "name", "-1", "1e999",
    "derived=\"YES\"", "Composite", "Transformable", "Place", "isOptional", "maxCount=\"7\"",
    "<entity name=\"Dog\"/>", "</entity>", "<relationship", "parentEntity=\"Walk\"", "\u{0}", "🐕",
  ]

  private static let models = [
    URL.dogWalkModel.appending(path: "DogWalk 3.xcdatamodel/contents"),
    GoldenCase.folder.appending(path: "all features/Features.xcdatamodel/contents"),
  ]

  @Test(arguments: models, 1...20)
  func `produce a model or errors with a location, never a crash`(
    contents: URL, seed: UInt64
  ) throws {
    let original = try Data(contentsOf: contents)
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(state: seed)

    for _ in 0..<25 {
      var garbled = original
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let start = Int.random(in: 0..<garbled.count, using: &generator)
        let end = min(start + Int.random(in: 0...40, using: &generator), garbled.count)
        let piece = Self.pieces.randomElement(using: &generator) ?? ""
        garbled.replaceSubrange(start..<end, with: Data(piece.utf8))
      }
      let file = try folder.write(garbled, to: "Garbled.xcdatamodel/contents")

      do {
        let compiled = try CompiledModel(contentsOf: file.deletingLastPathComponent())
        #expect(!compiled.swiftSource.isEmpty, "seed \(seed)")
      } catch {
        #expect(error.diagnostics.contains { $0.severity == .error }, "seed \(seed)")
        #expect(error.diagnostics.allSatisfy { ($0.line ?? 0) > 0 }, "seed \(seed)")
      }
    }
  }

  /// Documents designed to exhaust a reader's time, memory or stack.
  private static let hostile: [(name: String, text: String)] = [
    ("deep", String(repeating: "<model>", count: 100_000)),
    ("wide", "<model>" + String(repeating: "<entity/>", count: 20_000) + "</model>"),
    (
      "entities",
      """
      <!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <model userDefinedModelVersionIdentifier="&b;"/>
      """
    ),
    ("undeclared entity", "<model><entity name='&lol;'/></model>"),
    ("external entity", "<!DOCTYPE m [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><model a='&x;'/>"),
    (
      "long line of parents",
      "<model>" + (0..<3_000).map { "<entity name='E\($0)' parentEntity='E\($0 + 1)'/>" }.joined()
        + "<entity name='E3000'/></model>"
    ),
    (
      "composites in composites",
      "<model><entity name='E'><attribute name='c' attributeType='Composite' t='C0'/></entity>"
        + (0..<60).map { number in
          "<composite name='C\(number)'>"
            + (0..<20).map {
              "<attribute name='a\($0)' attributeType='Composite' t='C\(number + 1)'/>"
            }.joined() + "</composite>"
        }.joined() + "</model>"
    ),
    ("UTF-16", "<?xml version='1.0' encoding='UTF-16'?><model/>"),
  ]

  @Test(arguments: hostile.map(\.name))
  func `made in bad faith produce an error`(name: String) throws {
    let text = try #require(Self.hostile.first { $0.name == name }?.text)
    let folder = try TemporaryFolder()
    let file = try folder.write(Data(text.utf8), to: "Hostile.xcdatamodel/contents")

    #expect(throws: InvalidModel.self) {
      try CompiledModel(contentsOf: file.deletingLastPathComponent())
    }
  }

  @Test func `in UTF-16 are read, with the lines of their errors`() throws {
    let folder = try TemporaryFolder()
    let text = "<model>\n<entity name='狗'/>\n<entity name='a b'/></model>"
    let bytes = Data([0xff, 0xfe]) + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let file = try folder.write(bytes, to: "Wide.xcdatamodel/contents")

    let error = #expect(throws: InvalidModel.self) {
      try CompiledModel(contentsOf: file.deletingLastPathComponent())
    }

    #expect(error?.diagnostics.map(\.line) == [3])
  }

  @Test(arguments: [
    Data("bplist00".utf8) + Data(repeating: 0xff, count: 40),
    Data(("<plist>" + String(repeating: "<array>", count: 50_000)).utf8),
    Data(repeating: 0, count: 100), Data(),
  ])
  func `name the file if the current version cannot be read`(content: Data) throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("<model/>".utf8), to: "Many.xcdatamodeld/One.xcdatamodel/contents")
    try folder.write(content, to: "Many.xcdatamodeld/.xccurrentversion")

    let error = #expect(throws: InvalidModel.self) {
      try CompiledModel(contentsOf: folder.url.appending(path: "Many.xcdatamodeld"))
    }

    #expect(error?.diagnostics.first?.path.hasSuffix(".xccurrentversion") == true)
  }
}
