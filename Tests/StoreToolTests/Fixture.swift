import Foundation
import TestSupport
import Testing

/// A real store, with the Xcode model it was made from.
struct Fixture: CustomTestStringConvertible {
  let store: URL
  let model: URL

  var testDescription: String { store.lastPathComponent }

  /// Every store whose folder has an Xcode model with its version.
  static let all: [Fixture] = models.flatMap { model in
    files(in: model.deletingLastPathComponent())
      .filter { ["sqlite", "moody"].contains($0.pathExtension) }
      // Their models are not among Xcode's: one is only in the store, one was only left compiled.
      .filter {
        !["SampleModel2_V2.sqlite", "SampleModel3_V1.sqlite"].contains($0.lastPathComponent)
      }
      .map { Fixture(store: $0, model: model) }
  }

  /// Every store, including those without an Xcode model.
  static let stores: [URL] = files(in: URL.fixtures).flatMap(files)
    .filter { ["sqlite", "moody"].contains($0.pathExtension) }

  /// Every model.
  static let models: [URL] = files(in: URL.fixtures).flatMap(files)
    .filter { $0.pathExtension == "xcdatamodeld" }

  /// Every version of every model, including the project's own.
  static let versions: [URL] = (models + [URL.dogWalkModel]).flatMap(files)
    .filter { $0.pathExtension == "xcdatamodel" }

  /// The store and its other files, copied into a folder; writable, even if the fixtures are not.
  func copy(into folder: TemporaryFolder) throws -> URL {
    let copy = folder.url.appending(path: store.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy.path + suffix)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: copy.path + suffix)
    }
    return copy
  }

  private static func files(in folder: URL) -> [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (found ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
