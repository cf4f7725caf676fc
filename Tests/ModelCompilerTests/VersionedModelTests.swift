import DataModel
import Foundation
import ModelCompiler
import TestSupport
import Testing

@Suite struct `A model of any kind` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func model(_ name: String) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: name, properties: [.attribute(AttributeDescription(name: "name", type: .string))])
    ])
  }

  @discardableResult
  private func write(_ model: ManagedObjectModel, to path: String) throws -> URL {
    try folder.write(Data(model.archive), to: path)
  }

  @Test(.enabled(if: URL.fixtures.hasSample, "there are no fixtures"))
  func `hashes the same from Xcode's folder and from the compiled one`() throws {
    let source = try VersionedModel(
      contentsOf: .fixtures.appending(path: "sample/SampleModel.xcdatamodeld"))
    let compiled = try VersionedModel(
      contentsOf: .fixtures.appending(path: "sample/SampleModel.momd"))
    #expect(compiled.versions.map(\.name) == source.versions.map(\.name))
    #expect(compiled.currentVersion.name == source.currentVersion.name)
    for (one, other) in zip(compiled.versions, source.versions) {
      #expect(one.model.entityVersionHashesByName == other.model.entityVersionHashesByName)
    }
  }

  @Test(.enabled(if: URL.fixtures.hasSample, "there are no fixtures"), arguments: URL.xcodeModels)
  func `has the hashes recorded when its versions were compiled`(url: URL) throws {
    for version in try VersionedModel(contentsOf: url).versions {
      let hashes = version.model.entityVersionHashesByName
      let file = try write(version.model, to: "\(version.name).mom")
      #expect(try ManagedObjectModel(contentsOf: file).entityVersionHashesByName == hashes)
      let stored = try ManagedObjectModel(modelCache: version.model.modelCache)
      #expect(stored.entityVersionHashesByName == hashes)
    }
  }

  @Test func `is found in a file, and in a folder of versions`() throws {
    let file = try write(model("Dog"), to: "Kennel.momd/Kennel.mom")
    try write(model("Cat"), to: "Kennel.momd/Kennel 10.mom")
    try write(model("Cow"), to: "Kennel.momd/Kennel 9.mom")
    #expect(try ManagedObjectModel(contentsOf: file).entities.map(\.name) == ["Dog"])

    let folder = file.deletingLastPathComponent()
    var kennel = try VersionedModel(contentsOf: folder)
    #expect(kennel.name == "Kennel")
    #expect(kennel.versions.map(\.name) == ["Kennel", "Kennel 9", "Kennel 10"])
    #expect(kennel.currentVersion.name == "Kennel 10")

    let info = """
      <plist version="1.0"><dict>
      <key>NSManagedObjectModel_CurrentVersionName</key><string>Kennel 9</string>
      </dict></plist>
      """
    try self.folder.write(Data(info.utf8), to: "Kennel.momd/VersionInfo.plist")
    kennel = try VersionedModel(contentsOf: folder)
    #expect(kennel.currentVersion.name == "Kennel 9")
  }

  @Test(arguments: [
    "", "Contents/Resources/", "Frameworks/Kit.framework/", "Kennel_Data.bundle/",
    "Contents/Resources/Kennel_Data.bundle/Contents/Resources/",
    "PlugIns/Widget.appex/Kennel_Data.bundle/",
  ])
  func `is found in an app`(place: String) throws {
    try write(model("Dog"), to: "Kennel.app/\(place)Kennel.momd/Kennel.mom")
    let app = folder.url.appending(path: "Kennel.app")
    #expect(try VersionedModel(contentsOf: app).versions.map(\.name) == ["Kennel"])
  }

  @Test func `is found once where a bundle contains a link to its app`() throws {
    try write(model("Dog"), to: "Kennel.app/Kit.bundle/Kennel.mom")
    let bundle = folder.url.appending(path: "Kennel.app/Kit.bundle")
    for name in ["A.bundle", "B.bundle"] {
      try FileManager.default.createSymbolicLink(
        at: bundle.appending(path: name), withDestinationURL: bundle)
    }
    let app = folder.url.appending(path: "Kennel.app")
    #expect(try VersionedModel(contentsOf: app).versions.map(\.name) == ["Kennel"])
  }

  @Test func `is refused in a store, with a hint at the other reader`() throws {
    let url = try folder.write(Data("SQLite format 3\0".utf8), to: "Kennel.sqlite")
    let error = #expect(throws: InvalidModel.self) { try ManagedObjectModel(contentsOf: url) }
    #expect(error?.diagnostics.first?.message.contains("cachedModel(at:)") == true)
  }

  @Test func `is merged from several where an app has them`() throws {
    try write(model("Dog"), to: "Kennel.app/Dogs.momd/Dogs.mom")
    try write(model("Cat"), to: "Kennel.app/Cats.mom")
    let app = folder.url.appending(path: "Kennel.app")

    let kennel = try VersionedModel(contentsOf: app)
    #expect(kennel.versions.map(\.name) == ["Cats/Cats", "Dogs/Dogs", "Kennel"])
    #expect(kennel.currentVersion.model.entitiesByName.keys.sorted() == ["Cat", "Dog"])
    let merged = try ManagedObjectModel(byMergingModelsIn: app)
    #expect(merged.entitiesByName.keys.sorted() == ["Cat", "Dog"])
  }

  @Test func `cannot be merged from models that contradict each other`() throws {
    try write(model("Dog"), to: "Kennel.app/A.mom")
    var other = EntityDescription(name: "Dog")
    other.isAbstract = true
    try write(ManagedObjectModel(entities: [other]), to: "Kennel.app/B.mom")
    let app = folder.url.appending(path: "Kennel.app")
    #expect(throws: ModelMergeError.differentEntities(name: "Dog")) {
      try ManagedObjectModel(byMergingModelsIn: app)
    }
    #expect(try VersionedModel(contentsOf: app).versions.map(\.name) == ["A/A", "B/B"])
  }

  @Test(arguments: ["None.mom", "None.momd", "None.xcdatamodeld", "Empty", "Bad.mom", "Bad.momd"])
  func `is refused where there is none`(name: String) throws {
    try folder.write(Data("bplist00".utf8), to: "Bad.mom")
    try folder.write(Data("no model".utf8), to: "Bad.momd/Bad.mom")
    try folder.write(Data(), to: "Empty/notes.txt")
    let url = folder.url.appending(path: name)
    let error = #expect(throws: InvalidModel.self) { try ManagedObjectModel(contentsOf: url) }
    #expect(error?.diagnostics.first?.path.contains(name) == true)
  }
}

extension URL {
  fileprivate var hasSample: Bool {
    FileManager.default.fileExists(atPath: appending(path: "sample").path)
  }

  /// The `.xcdatamodeld` folders of the fixtures, and the program's own.
  fileprivate static let xcodeModels: [URL] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: URL.fixtures.path)) ?? []
    return [.dogWalkModel]
      + paths.filter { $0.hasSuffix(".xcdatamodeld") }.sorted().map { fixtures.appending(path: $0) }
  }()
}
