import Foundation
import ManagedObjects
import ModelCompiler
import TestSupport
import Testing

/// A store of `../shared/fixtures`, written by Apple's framework, and the model it was made from.
struct AppleStore: CustomTestStringConvertible, Sendable {
  let store: String
  let version: String

  var testDescription: String { store }
  var original: URL { URL.fixtures.appending(path: store) }
  var modelURL: URL { URL.fixtures.appending(path: version) }

  static let all = [
    AppleStore(
      store: "bookmarks/Bookmarks_V1.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel.xcdatamodel"),
    AppleStore(
      store: "bookmarks/Bookmarks_V2.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 2.xcdatamodel"),
    AppleStore(
      store: "bookmarks/Bookmarks_V3.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 3.xcdatamodel"),
    AppleStore(
      store: "bookmarks/Bookmarks_V5.sqlite",
      version: "bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 5.xcdatamodel"),
    AppleStore(
      store: "loop/Model.sqlite", version: "loop/Model.xcdatamodeld/Model.xcdatamodel"),
    AppleStore(
      store: "moody/Moody.moody", version: "moody/Moody.xcdatamodeld/Moody.xcdatamodel"),
    AppleStore(
      store: "sample/SampleModel_V1.sqlite",
      version: "sample/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"),
    AppleStore(
      store: "testmodel/TestModel.sqlite",
      version: "testmodel/Sample.xcdatamodeld/TestModel.xcdatamodel"),
  ]

  /// Those whose models can be stored: no many-to-many, nothing transformable.
  static let supported = all.filter {
    [
      "bookmarks/Bookmarks_V1.sqlite", "bookmarks/Bookmarks_V2.sqlite",
      "bookmarks/Bookmarks_V3.sqlite", "loop/Model.sqlite",
    ].contains($0.store)
  }

  static var areThere: Bool {
    FileManager.default.fileExists(atPath: URL.fixtures.path)
  }

  /// Copies it, with its log, to a folder's store.
  func copy(to folder: StoreFolder) throws {
    for suffix in ["", "-wal"] {
      let source = original.path + suffix
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: folder.store.path + suffix)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder.store.path + suffix)
    }
  }

  /// The model, compiled now.
  func model() throws -> ManagedObjectModel {
    try CompiledModel(contentsOf: modelURL).currentVersion.model
  }
}
