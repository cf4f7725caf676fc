import DataModel
import Foundation
import ModelCompiler
import TestSupport
import Testing

/// Models that Xcode wrote, compared with the stores that Core Data made from them.
@Suite(.enabled(if: AppleModel.areThere, "../shared/fixtures or python3 is missing"))
struct `Apple's models` {
  @Test(arguments: AppleModel.all)
  func `hash as in the stores made from them`(_ apple: AppleModel) throws {
    let model = try CompiledModel(contentsOf: apple.model).currentVersion.model

    let hashes = model.entityVersionHashesByName.mapValues(\.description)

    #expect(try hashes == apple.hashesInStore())
  }

  @Test(arguments: AppleModel.folders)
  func `compile without an error, every version of them`(folder: URL) throws {
    let compiled = try CompiledModel(contentsOf: folder)

    #expect(compiled.versions.contains { $0.name == compiled.currentVersion.name })
    #expect(compiled.versions.allSatisfy { !$0.model.entities.isEmpty })
  }

  @Test(.enabled(if: SwiftChecker.exists, "there is no swiftc"), arguments: AppleModel.folders)
  func `produce Swift that compiles without a warning`(folder: URL) throws {
    let compiled = try CompiledModel(contentsOf: folder)

    #expect(try SwiftChecker.complaints(about: [compiled.swiftSource]) == "")
  }
}

/// A store of `../shared/fixtures` and the model version it was made from.
struct AppleModel: CustomTestStringConvertible {
  var store: String
  var version: String

  /// The stores that have an Xcode model.
  static let all = [
    AppleModel(
      store: "bookmarks/Bookmarks_V1.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel.xcdatamodel"),
    AppleModel(
      store: "bookmarks/Bookmarks_V2.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 2.xcdatamodel"),
    AppleModel(
      store: "bookmarks/Bookmarks_V3.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 3.xcdatamodel"),
    AppleModel(
      store: "bookmarks/Bookmarks_V4.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 4.xcdatamodel"),
    AppleModel(
      store: "bookmarks/Bookmarks_V5.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 5.xcdatamodel"),
    AppleModel(
      store: "loop/Model.sqlite",
      version: "loop/Model.xcdatamodeld/Model.xcdatamodel"),
    AppleModel(
      store: "moody/Moody.moody",
      version: "moody/Moody.xcdatamodeld/Moody.xcdatamodel"),
    AppleModel(
      store: "moody/Moody 2.moody",
      version: "moody/Moody.xcdatamodeld/Moody 2.xcdatamodel"),
    AppleModel(
      store: "moody/Moody 3.moody",
      version: "moody/Moody.xcdatamodeld/Moody 3.xcdatamodel"),
    AppleModel(
      store: "moody/Moody 4.moody",
      version: "moody/Moody.xcdatamodeld/Moody 4.xcdatamodel"),
    AppleModel(
      store: "moody/Moody 5.moody",
      version: "moody/Moody.xcdatamodeld/Moody 5.xcdatamodel"),
    AppleModel(
      store: "sample/SampleModel_V1.sqlite",
      version: "sample/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"),
    AppleModel(
      store: "sample/SampleModel_V2.sqlite",
      version: "sample/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel"),
    AppleModel(
      store: "testmodel/TestModel.sqlite",
      version: "testmodel/Sample.xcdatamodeld/TestModel.xcdatamodel"),
  ]

  /// Every model, with all its versions.
  static let folders: [URL] = {
    let manager = FileManager.default
    let paths = (try? manager.subpathsOfDirectory(atPath: URL.fixtures.path)) ?? []
    return paths.filter { $0.hasSuffix(".xcdatamodeld") }.sorted().map {
      URL.fixtures.appending(path: $0)
    }
  }()

  /// Whether the stores, and the tools that read them, are on this machine.
  static var areThere: Bool { Python.hasTools }

  var testDescription: String { store }

  var model: URL { URL.fixtures.appending(path: version) }

  /// The version hashes in the store's metadata, read by an independent program.
  func hashesInStore() throws -> [String: String] {
    // A store and its -wal are copied first: SQLite writes even where it only reads.
    let script = """
      import json, os, plistlib, shutil, sqlite3, sys, tempfile
      with tempfile.TemporaryDirectory() as folder:
          for suffix in ("", "-wal"):
              if os.path.exists(sys.argv[1] + suffix):
                  shutil.copy(sys.argv[1] + suffix, folder + "/store" + suffix)
          store = sqlite3.connect(folder + "/store")
          row = store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
          store.close()
      hashes = plistlib.loads(row[0])["NSStoreModelVersionHashes"]
      print(json.dumps({name: value.hex() for name, value in hashes.items()}))
      """
    let json = try Python.run(script, [URL.fixtures.appending(path: store).path]).output
    return try JSONDecoder().decode([String: String].self, from: json)
  }
}
