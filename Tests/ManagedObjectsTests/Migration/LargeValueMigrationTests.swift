import Foundation
import TestSupport
import Testing

@testable import ManagedObjects

/// Migrations of large values, which have files of their own beside the store.
struct LargeValueMigrationTests {
  @Test func `large values get files of their own, and are moved back from them`() throws {
    func model(isExternal: Bool) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Photo",
          properties: [
            .attribute(
              .init(
                name: "data", type: .binaryData, isOptional: true,
                allowsExternalBinaryDataStorage: isExternal))
          ])
      ])
    }
    let folder = try StoreFolder()
    let values = [Data([1, 2, 3]), Data(repeating: 7, count: 200_000), Data()]
    try folder.fill(model(isExternal: false)) { context in
      for value in values { ManagedObject("Photo", in: context).setValue(value, forKey: "data") }
    }
    let before = try folder.snapshot(model(isExternal: false))
    let support = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA").path
    try folder.migrate(to: model(isExternal: true))
    #expect(try folder.snapshot(model(isExternal: true)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: support).count == 1)
    try folder.migrate(to: model(isExternal: false))
    #expect(try folder.snapshot(model(isExternal: false)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: support) == [])
  }

  @Test func `files of large values are removed with their attribute, but not when that fails`()
    throws
  {
    let photo = AttributeDescription(
      name: "data", type: .binaryData, isOptional: true, allowsExternalBinaryDataStorage: true)
    let old = ManagedObjectModel(entities: [
      EntityDescription(name: "Photo", properties: [.attribute(photo), .value("name", .string)])
    ])
    let folder = try StoreFolder()
    try folder.fill(old) { context in
      for _ in 0..<2 {
        ManagedObject("Photo", in: context)
          .setValuesForKeys(["data": Data(repeating: 7, count: 200_000), "name": "same"])
      }
    }
    let before = try folder.allBytes()
    let unique = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo", properties: [.value("name", .string)], uniquenessConstraints: [["name"]])
    ])
    #expect(
      throws: MigrationError.duplicateValues(
        entity: "Photo", properties: ["name"], primaryKeys: [1, 2])
    ) {
      try folder.migrate(to: unique)
    }
    #expect(try folder.allBytes() == before)
    try folder.migrate(
      to: ManagedObjectModel(entities: [
        EntityDescription(name: "Photo", properties: [.value("name", .string)])
      ]))
    let support = folder.url.appending(path: ".DogWalk_SUPPORT/_EXTERNAL_DATA").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: support) == [])
  }

  /// Stores whose names differ only in their extensions have the files of large values in one
  /// folder.
  @Test func `a failed migration keeps the large values of stores beside its backup`() throws {
    let old = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo", properties: [.externalData("data"), .value("name", .string)])
    ])
    let unique = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo", properties: [.externalData("data"), .value("name", .string)],
        uniquenessConstraints: [["name"]])
    ])
    let folder = try StoreFolder()
    let neighbour = try StoreFolder(at: folder.url, named: "Old.db")
    for store in [folder, neighbour] {
      try store.fill(old) { context in
        for _ in 0..<2 {
          ManagedObject("Photo", in: context)
            .setValuesForKeys(["data": Data(repeating: 7, count: 200_000), "name": "same"])
        }
      }
    }
    let backup = folder.url.appending(path: "Old.sqlite")
    #expect(throws: MigrationError.self) {
      try folder.migrate(to: unique) { $0.migrationBackupURL = backup }
    }
    #expect(!FileManager.default.fileExists(atPath: backup.path))
    let files = folder.url.appending(path: ".Old_SUPPORT/_EXTERNAL_DATA").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 2)
    // A backup that would have the store's own files is refused before anything is done.
    let longer = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Photo",
        properties: [.externalData("data"), .value("name", .string), .value("place", .string)])
    ])
    let own = folder.url.appending(path: "DogWalk.old")
    #expect(throws: PersistentStoreError.self) {
      try folder.migrate(to: longer) { $0.migrationBackupURL = own }
    }
    for store in [folder, neighbour] {
      #expect(
        try PersistentStoreCoordinator.problems(ofStoreAt: store.store, model: old).isEmpty)
    }
  }
}
