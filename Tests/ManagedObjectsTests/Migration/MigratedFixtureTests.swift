import Foundation
import ModelCompiler
import TestSupport
import Testing

@testable import ManagedObjects

/// Stores of real apps, migrated from version to version, compared with what Apple's framework
/// made of them.
@Suite(.enabled(if: AppleStore.areThere, "../shared/fixtures is missing"))
struct MigratedFixtureTests {
  private static func model(_ path: String) throws -> ManagedObjectModel {
    try CompiledModel(contentsOf: URL.fixtures.appending(path: path)).currentVersion.model
  }

  @Test func `a store migrated in place is equal to Apple's result, row by row`() throws {
    let folder = try StoreFolder(
      copyOf: URL.fixtures.appending(path: "sample/SampleModel_V1.sqlite"))
    let apples = try StoreFolder(
      copyOf: URL.fixtures.appending(path: "sample/SampleModel_V2.sqlite"))
    let versions = "sample/SampleModel.xcdatamodeld/"
    let new = try Self.model(versions + "SampleModel2.xcdatamodel")
    try folder.migrate(to: new, from: [Self.model(versions + "SampleModel.xcdatamodel")])
    let (ours, theirs) = (try SQLiteFile(folder.store), try SQLiteFile(apples.store))
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    #expect(try ours.column(tables) == theirs.column(tables))
    for table in try theirs.column(tables) where !table.hasPrefix("Z_M") {
      // A renamed entity keeps its old name here; readers of both accept either.
      let columns =
        table == "Z_PRIMARYKEY"
        ? ["Z_ENT", "Z_SUPER", "Z_MAX"]
        : try theirs.column("SELECT name FROM pragma_table_info('\(table)')")
      if table != "Z_PRIMARYKEY" {
        #expect(try ours.column("SELECT name FROM pragma_table_info('\(table)')") == columns)
      }
      let values = columns.map { "quote(\($0))" }.joined(separator: ", ")
      let rows = "SELECT \(values) FROM \(table) ORDER BY \(columns[0])"
      #expect(try ours.rows(rows) == theirs.rows(rows), "\(table)")
    }
    let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name"
    #expect(try ours.column(indexes) == theirs.column(indexes))
    // Two runs of a program made them, so their UUIDs differ; the checksum was added in iOS 17.
    let own = ["NSStoreUUID", "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey"]
    func metadata(_ folder: StoreFolder) throws -> [String: PropertyList] {
      try PersistentStoreCoordinator.metadata(forPersistentStoreAt: folder.store, type: .sqlite)
        .filter { !own.contains($0.key) }
    }
    #expect(try metadata(folder) == metadata(apples))
  }

  @Test func `a real app's bookmarks are migrated through all of its versions`() throws {
    let versions = "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel"
    let models = try ["", " 2", " 3", " 4", " 5", " 6"].map {
      try Self.model("\(versions)\($0).xcdatamodel")
    }
    for first in 0..<5 {
      let name = "bookmarks/Bookmarks_V\(first + 1).sqlite"
      let folder = try StoreFolder(copyOf: URL.fixtures.appending(path: name))
      var before = try folder.snapshot(models[first])
      for (version, model) in models.enumerated().dropFirst(first + 1) {
        try folder.migrate(to: model, from: [models[version - 1]])
        let after = try folder.snapshot(model)
        #expect(!after.objects.isEmpty && after.objects.keys.count == before.objects.keys.count)
        for (key, values) in before.objects {
          for (name, value) in values {
            let name = version == 3 && name == "favoriteFolder" ? "favoriteFolders" : name
            guard let now = after.objects[key]?[name] else { continue }
            #expect(now == value, "\(first + 1) to \(version + 1): \(key).\(name)")
          }
        }
        before = after
      }
      guard StoreChecker.isAvailable else { continue }
      #expect(
        try StoreChecker.check(
          folder.store, against: URL.fixtures.appending(path: "\(versions) 6.xcdatamodel"))
          == "0 differences, 1 entities\n")
    }
  }
}
