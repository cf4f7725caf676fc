import Foundation
import Testing

@testable import DataModel

@Suite("A model and a store's metadata")
struct CompatibilityTests {
  private let model = ManagedObjectModel(
    entities: [.animal, .dog, EntityDescription(name: "Stone")],
    configurations: ["Wild": ["Dog"]])

  private func metadata(
    _ hashes: [String: VersionHash], identifiers: [String] = [""]
  ) -> [String: PropertyList] {
    [
      "NSStoreModelVersionHashes": .dictionary(hashes.mapValues { .data(Data($0.bytes)) }),
      "NSStoreModelVersionIdentifiers": .array(identifiers.map(PropertyList.string)),
    ]
  }

  @Test func `are compatible where the hashes are equal`() {
    let hashes = model.entityVersionHashesByName
    #expect(model.isCompatible(withStoreMetadata: metadata(hashes)))
  }

  @Test func `are incompatible where a hash differs, is missing, or is superfluous`() {
    var hashes = model.entityVersionHashesByName
    hashes["Dog"] = hashes["Animal"]
    #expect(!model.isCompatible(withStoreMetadata: metadata(hashes)))
    hashes["Dog"] = nil
    #expect(!model.isCompatible(withStoreMetadata: metadata(hashes)))
    hashes = model.entityVersionHashesByName
    hashes["Cat"] = hashes["Dog"]
    #expect(!model.isCompatible(withStoreMetadata: metadata(hashes)))
  }

  @Test func `are incompatible where the store records no hashes`() {
    #expect(!model.isCompatible(withStoreMetadata: [:]))
    #expect(
      !model.isCompatible(withStoreMetadata: ["NSStoreModelVersionHashes": .string("none")]))
  }

  @Test func `are compatible for a configuration when the store has only its entities' families`() {
    let wild = metadata(model.entityVersionHashesByName.filter { $0.key != "Stone" })
    #expect(model.isCompatible(withStoreMetadata: wild, configurationName: "Wild"))
    #expect(!model.isCompatible(withStoreMetadata: wild))
    #expect(!model.isCompatible(withStoreMetadata: wild, configurationName: "Tame"))
    let part = metadata(model.entityVersionHashesByName.filter { $0.key == "Dog" })
    #expect(!model.isCompatible(withStoreMetadata: part, configurationName: "Wild"))
  }

  @Test func `are matched among versions by hash, then by identifier`() {
    let other = ManagedObjectModel(entities: [.animal], versionIdentifiers: ["2"])
    let again = ManagedObjectModel(entities: [.animal], versionIdentifiers: ["3"])
    let versions = [model, other, again]
    let hashes = other.entityVersionHashesByName

    let found = versions.first(
      compatibleWithStoreMetadata: metadata(hashes, identifiers: ["3"]))
    #expect(found?.versionIdentifiers == ["3"])
    let first = versions.first(
      compatibleWithStoreMetadata: metadata(hashes, identifiers: ["9"]))
    #expect(first?.versionIdentifiers == ["2"])
    #expect(versions.first(compatibleWithStoreMetadata: metadata([:])) == nil)
  }
}
