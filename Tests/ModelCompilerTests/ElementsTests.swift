import DataModel
import Foundation
import TestSupport
import Testing

@testable import ModelCompiler

/// Models from before Xcode 4, in the form that mapping models contain too.
@Suite(.enabled(if: Python.isInstalled && !URL.mappingModels.isEmpty, "no fixtures or python3"))
struct `A model of an old Xcode` {
  /// The archives in a mapping model: the source's and the destination's.
  private func archives(in mapping: URL) throws -> [Data] {
    let script = """
      import re, sys
      text = open(sys.argv[1], encoding="utf-8").read()
      for name in ("sourcemodeldata", "destinationmodeldata"):
          match = re.search('<attribute name="%s" type="binary">(.*?)</attribute>' % name, text, re.S)
          print(re.sub(r"\\s", "", match.group(1)) if match else "")
      """
    return try Python.run(script, [mapping.path]).lines.compactMap { Data(base64Encoded: $0) }
      .filter { $0.starts(with: Data("bplist".utf8)) }
  }

  @Test(arguments: URL.mappingModels)
  func `hashes like a version in XML`(mapping: URL) throws {
    let sources = try FileManager.default.subpathsOfDirectory(
      atPath: mapping.deletingLastPathComponent().deletingLastPathComponent().path)
    let known = try sources.filter { $0.hasSuffix(".xcdatamodel") }.map {
      try ManagedObjectModel(
        contentsOf: mapping.deletingLastPathComponent().deletingLastPathComponent()
          .appending(path: $0)
      ).entityVersionHashesByName
    }
    let archives = try archives(in: mapping)
    #expect(!archives.isEmpty)
    for archive in archives {
      let folder = try TemporaryFolder()
      let file = try folder.write(archive, to: "Old.xcdatamodel/elements")
      let model = try ManagedObjectModel(contentsOf: file.deletingLastPathComponent())
      #expect(known.contains(model.entityVersionHashesByName))
    }
  }

  @Test func `is refused or read when damaged, and never crashes`() throws {
    let archive = try #require(try archives(in: URL.mappingModels[0]).first)
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var bytes = Array(archive)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let model = try? SourceElement(elements: bytes, path: "elements") else { continue }
      #expect(model.name == "model", "seed \(seed)")
    }
  }

  @Test func `is refused where it is not an archive`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Data("no archive".utf8), to: "Old.xcdatamodel/elements")
    let error = #expect(throws: InvalidModel.self) {
      try CompiledModel(contentsOf: file.deletingLastPathComponent())
    }
    #expect(error?.diagnostics.map(\.message) == ["this file is not an archived data model"])
  }
}

extension URL {
  /// The `xcmapping.xml` files of the fixtures.
  fileprivate static let mappingModels: [URL] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: URL.fixtures.path)) ?? []
    return paths.filter { $0.hasSuffix("xcmapping.xml") }.sorted()
      .map { fixtures.appending(path: $0) }
  }()
}
