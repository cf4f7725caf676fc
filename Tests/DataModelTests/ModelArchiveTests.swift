import Foundation
import TestSupport
import Testing

@testable import DataModel

/// The models that Core Data left in real stores.
@Suite("The model inside a store", .enabled(if: StoreArchive.areThere, "no fixtures or python3"))
struct ModelArchiveTests {
  @Test(arguments: StoreArchive.all)
  func `hashes as the store records`(store: StoreArchive) throws {
    let (content, hashes) = try store.read()

    let model = try ManagedObjectModel(modelCache: content)

    #expect(model.entityVersionHashesByName.mapValues(\.description) == hashes)
  }

  @Test func `has everything that decides how rows are stored`() throws {
    let store = try #require(StoreArchive.all.first { $0.path.hasSuffix("SampleModel2_V2.sqlite") })
    let model = try ManagedObjectModel(modelCache: store.read().content)
    let book = try #require(model.entitiesByName["Book"])
    let novel = try #require(model.entitiesByName["GraphicNovel"])

    #expect(novel.superentityName == "Book")
    // Inherited properties are not its own.
    #expect(novel.properties.map(\.name) == ["isBlackAndWhite"])
    #expect(
      book.attributes.first { $0.name == "pagesCount" }?.derivationExpression == "count:(pages)")
    let pages = try #require(book.relationships.first { $0.name == "pages" })
    #expect(pages.maxCount == 10_000)
    #expect(pages.inverseName == "book")
    #expect(pages.destinationEntityName == "Page")
    #expect(!model.configurations.isEmpty)
  }

  @Test func `has the bounds of values`() throws {
    let store = try #require(StoreArchive.all.first { $0.path.hasSuffix("loop/Model.sqlite") })
    let model = try ManagedObjectModel(modelCache: store.read().content)
    let attributes = model.entities.flatMap(\.attributes)
    let bounded = attributes.filter { $0.minimumValue != nil || $0.maximumValue != nil }
    #expect(bounded.map(\.name) == ["duration"])
    #expect(bounded.first?.minimumValue == .double(0))
    #expect(bounded.first?.maximumValue == nil)
  }

  @Test(arguments: StoreArchive.all)
  func `yields an error or a model when damaged, never a crash`(store: StoreArchive) throws {
    let content = try store.read().content
    let archive = try #require(Deflate.decompress(content, limit: 1 << 24))
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
      _ = try? ManagedObjectModel(propertyList: list)
    }
  }

  @Test func `must exist, compressed, as a property list that is a model`() {
    #expect(throws: ModelArchiveError.empty) { try ManagedObjectModel(modelCache: []) }
    #expect(throws: ModelArchiveError.notCompressed) { try ManagedObjectModel(modelCache: [7]) }
    // A stored block of one byte.
    let byte: [UInt8] = [1, 1, 0, 0xfe, 0xff, 65]
    #expect(throws: ModelArchiveError.notAPropertyList(.notABinaryPropertyList)) {
      try ManagedObjectModel(modelCache: byte)
    }
    #expect(throws: ModelArchiveError.notAModel) {
      try ManagedObjectModel(propertyList: .dictionary([:]))
    }
  }
}
