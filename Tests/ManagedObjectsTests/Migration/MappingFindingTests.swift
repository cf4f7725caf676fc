@testable import DataModel
import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Finding a mapping model in folders.
struct MappingFindingTests {
  private static func model(_ entity: String, _ names: [String]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: entity, properties: names.map { .value($0, .string) })
    ])
  }

  private let old = model("Dog", ["name"])
  private let new = model("Hound", ["name", "nickname"])
  private let newest = model("Hound", ["name", "nickname", "call"])
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a compiled mapping from `Dog` to `Hound`.
  @discardableResult
  private func write(
    _ name: String, from old: ManagedObjectModel? = nil, to new: ManagedObjectModel? = nil,
    copying attribute: String = "name", isReadable: Bool = true
  ) throws -> URL {
    func hash(_ model: ManagedObjectModel?) -> PropertyList {
      model.flatMap { $0.entityVersionHashesByName.values.first }
        .map { .data(Data($0.bytes)) } ?? .uid(0)
    }
    let bytes = MappingArchive.mapping(
      ["NSSourceEntityVersionHash": hash(old), "NSDestinationEntityVersionHash": hash(new)],
      attributes: [(attribute, { isReadable ? $0.source("name") : $0.variable("destination") })])
    return try folder.write(bytes, to: name)
  }

  private func find(_ new: ManagedObjectModel, in folders: [URL]? = nil) throws -> MappingModel? {
    try MappingModel(
      from: folders ?? [folder.url], forSourceModel: old, destinationModel: new)
  }

  @Test func `a mapping is found by both hashes, and none for others`() throws {
    let url = try write("b.cdm", from: old, to: new)
    try write("a.cdm", from: new, to: newest)
    #expect(try find(new) == MappingModel(contentsOf: url))
    #expect(try find(newest) == nil)
    #expect(try find(old) == nil)
  }

  @Test func `a mapping without hashes is used only where none with hashes fits`() throws {
    let any = try write("a.cdm", copying: "nickname")
    #expect(try find(new) == MappingModel(contentsOf: any))
    let right = try write("b.cdm", from: old, to: new)
    try write("c.cdm", from: old)
    #expect(try find(new) == MappingModel(contentsOf: right))
  }

  @Test func `the first folder has precedence, and a bundle's resources are searched`() throws {
    try write("one/x.cdm", from: old, to: new, copying: "nickname")
    try write("App.app/Contents/Resources/x.cdm", from: old, to: new)
    try write("deep/deeper/x.cdm", from: old, to: new)
    let folders = ["one", "App.app"].map { folder.url.appending(path: $0) }
    let names = try [folders, folders.reversed()].map {
      try find(new, in: $0)?.entityMappings[0].attributeMappings.map(\.name)
    }
    #expect(names == [["nickname"], ["name"]])
    #expect(try find(new, in: [folder.url.appending(path: "deep")]) == nil)
  }

  @Test func `a damaged file is an error only where nothing else fits`() throws {
    let damaged = try folder.write(Data("bplist00".utf8), to: "a.cdm")
    let error = #expect(throws: MappingModelError.self) { try find(new) }
    #expect(error?.url.lastPathComponent == damaged.lastPathComponent)
    try write("b.cdm", from: old, to: new)
    #expect(try find(new) != nil)
  }

  @Test func `unreadable values matter only in the mapping that fits`() throws {
    try write("a.cdm", from: new, to: newest, isReadable: false)
    #expect(try find(new) == nil)
    try write("b.cdm", from: old, to: new)
    #expect(try find(new) != nil)
    try write("b.cdm", from: old, to: new, isReadable: false)
    #expect(throws: MappingModelError.self) { try find(new) }
  }

  @Test func `an empty mapping is not used`() throws {
    try folder.write(
      MappingArchive.expression { $0.object("NSMappingModel", [:]) }, to: "a.cdm")
    #expect(try find(new) == nil)
  }

  @Test func `a missing folder is an error`() throws {
    let url = folder.url.appending(path: "none")
    #expect(throws: MappingModelError(url: url, reason: .unreadable(errno: ENOENT))) {
      try find(new, in: [url])
    }
    let file = try folder.write(Data(), to: "file")
    #expect(throws: MappingModelError(url: file, reason: .unreadable(errno: ENOTDIR))) {
      try find(new, in: [file])
    }
  }
}
