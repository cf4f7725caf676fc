import DataModel
import DogWalkModel
import Foundation
import ModelCompiler
import TestSupport
import Testing

@Suite struct `DogWalk's model` {
  private let compiled: CompiledModel

  init() throws {
    compiled = try CompiledModel(contentsOf: .dogWalkModel)
  }

  @Test func `has three versions, of which the third is current`() {
    #expect(compiled.name == "DogWalk")
    #expect(compiled.versions.map(\.name) == ["DogWalk", "DogWalk 2", "DogWalk 3"])
    #expect(compiled.currentVersion.name == "DogWalk 3")
    #expect(compiled.currentVersion.model.versionIdentifiers == ["3"])
  }

  @Test func `has no warnings`() {
    #expect(compiled.warnings.isEmpty)
  }

  @Test func `hashes in its first version as in the tutorial's stores`() {
    let hashes = compiled.versions[0].model.entityVersionHashesByName
    #expect(
      hashes["Dog"]?.description
        == "c299d57af0e7c9c09b36c4fc7c5337257f901131dbd6c92d7a15836b7fa1aa4d")
    #expect(
      hashes["Walk"]?.description
        == "15ece72cca3c9f174113eeb1967ee4b40c112375ed11b3ffb62ea344f3604b42")
  }

  @Test func `is the same read at run time as compiled into the program`() {
    #expect(ManagedObjectModel.dogWalkVersions.count == compiled.versions.count)
    for version in compiled.versions {
      let written = ManagedObjectModel.dogWalkVersions[version.name]
      #expect(written?.entities == version.model.entities)
      #expect(written?.versionIdentifiers == version.model.versionIdentifiers)
      #expect(written?.entityVersionHashesByName == version.model.entityVersionHashesByName)
    }
    #expect(ManagedObjectModel.dogWalk.entities == compiled.currentVersion.model.entities)
  }

  @Test func `knows the classes of its current version only`() {
    #expect(ManagedObjectModel.dogWalk.classes["Dog"] == Dog.self)
    #expect(ManagedObjectModel.dogWalk.classes["Walk"] == Walk.self)
    #expect(ManagedObjectModel.dogWalkVersions["DogWalk"]?.classes.isEmpty == true)
  }

  @Test func `recognizes the version that a store was made with`() {
    func metadata(_ model: ManagedObjectModel) -> [String: PropertyList] {
      let hashes = model.entityVersionHashesByName.mapValues {
        PropertyList.data(Data($0.bytes))
      }
      return ["NSStoreModelVersionHashes": .dictionary(hashes)]
    }
    for version in compiled.versions {
      let found = compiled.version(compatibleWithStoreMetadata: metadata(version.model))
      #expect(found?.name == version.name)
    }
    #expect(compiled.version(compatibleWithStoreMetadata: [:]) == nil)
  }

  @Test func `is read as a single version too`() throws {
    let url = URL.dogWalkModel.appending(path: "DogWalk.xcdatamodel")
    let single = try CompiledModel(contentsOf: url)
    #expect(single.versions.map(\.name) == ["DogWalk"])
    #expect(single.currentVersion.model.entities == compiled.versions[0].model.entities)
  }
}
