import Foundation
import TestSupport
import Testing

@testable import DataModel

/// The models that Core Data left in real stores.
@Suite("The model inside a store", .enabled(if: StoreArchive.areThere, "no fixtures or python3"))
struct ModelArchiveTests {
  @Test(arguments: StoreArchive.all)
  func `hashes as the store notes`(store: StoreArchive) throws {
    let (content, hashes) = try store.read()

    let model = try ManagedObjectModel(modelCache: content)

    #expect(model.entityVersionHashesByName.mapValues(\.description) == hashes)
  }

  @Test func `has what decides how rows are stored`() throws {
    let store = try #require(StoreArchive.all.first { $0.path.hasSuffix("SampleModel2_V2.sqlite") })
    let model = try ManagedObjectModel(modelCache: store.read().content)
    let book = try #require(model.entitiesByName["Book"])
    let novel = try #require(model.entitiesByName["GraphicNovel"])

    #expect(novel.superentityName == "Book")
    // What it inherits is not its own.
    #expect(novel.properties.map(\.name) == ["isBlackAndWhite"])
    #expect(
      book.attributes.first { $0.name == "pagesCount" }?.derivationExpression == "count:(pages)")
    let pages = try #require(book.relationships.first { $0.name == "pages" })
    #expect(pages.maxCount == 10_000)
    #expect(pages.inverseName == "book")
    #expect(pages.destinationEntityName == "Page")
    #expect(!model.configurations.isEmpty)
  }

  @Test(arguments: StoreArchive.all)
  func `damaged, gives an error or a model, never a crash`(store: StoreArchive) throws {
    let content = try store.read().content
    let archive = try #require(Inflate.decompress(content, limit: 1 << 24))
    var generator = SeededGenerator(seed: 7)

    for _ in 0..<20 {
      var (flipped, flippedArchive) = (content, archive)
      for _ in 0..<3 {
        flipped[Int.random(in: flipped.indices, using: &generator)] ^=
          UInt8(1) << UInt8.random(in: 0...7, using: &generator)
        flippedArchive[Int.random(in: flippedArchive.indices, using: &generator)] =
          .random(in: 0...255, using: &generator)
      }
      _ = try? ManagedObjectModel(modelCache: flipped)
      _ = try? ManagedObjectModel(modelCache: flipped.prefix(flipped.count / 2))
      guard let list = try? PropertyList(binary: flippedArchive) else { continue }
      _ = try? ManagedObjectModel(archive: list)
    }
  }

  @Test func `must be there, compressed, a property list and a model`() {
    #expect(throws: ModelArchiveError.empty) { try ManagedObjectModel(modelCache: []) }
    #expect(throws: ModelArchiveError.notCompressed) { try ManagedObjectModel(modelCache: [7]) }
    // A stored block of one byte.
    let byte: [UInt8] = [1, 1, 0, 0xfe, 0xff, 65]
    #expect(throws: ModelArchiveError.notAPropertyList(.notABinaryPropertyList)) {
      try ManagedObjectModel(modelCache: byte)
    }
    #expect(throws: ModelArchiveError.notAModel) {
      try ManagedObjectModel(archive: .dictionary([:]))
    }
  }
}

/// A store of `../shared/fixtures`, for the model and the hashes in it.
struct StoreArchive: Sendable, CustomTestStringConvertible {
  let path: String

  static let areThere = Python.isInstalled && !all.isEmpty

  static let all: [StoreArchive] = {
    let fixtures = URL.fixtures.path
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: fixtures)) ?? []
    return paths.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".moody") }.sorted()
      .map { StoreArchive(path: fixtures + "/" + $0) }
  }()

  var testDescription: String { URL(filePath: path).lastPathComponent }

  /// Reads both with SQLite and a property list reader that are not ours.
  func read() throws -> (content: [UInt8], hashes: [String: String]) {
    // A store and its -wal are copied first: SQLite writes even where it only reads.
    let script = """
      import os, plistlib, shutil, sqlite3, sys, tempfile
      path = sys.stdin.readline().rstrip("\\n")
      with tempfile.TemporaryDirectory() as folder:
          for suffix in ("", "-wal"):
              if os.path.exists(path + suffix):
                  shutil.copy(path + suffix, folder + "/store" + suffix)
          store = sqlite3.connect(folder + "/store")
          print(store.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()[0].hex())
          metadata = plistlib.loads(store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
          store.close()
      for name, hash in metadata["NSStoreModelVersionHashes"].items():
          print(name, hash.hex())
      """
    let lines = try Python.run(script, lines: [path]).lines
    let hashes = lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
    return (
      bytesOf(hex: lines.first ?? ""),
      Dictionary(uniqueKeysWithValues: hashes.map { ($0[0], $0[1]) })
    )
  }
}
