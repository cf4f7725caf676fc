import DataFormats
@testable import DataModel
import Foundation

@testable import ModelCompiler

extension FuzzTarget {
  /// Xcode's models: each produces Swift, or errors with a location.
  static let models = FuzzTarget(name: "models") { bytes in
    // The file beside the versions is read by its own rules.
    _ = CurrentVersion(bytes)
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fuzz-\(ProcessInfo.processInfo.processIdentifier).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appending(path: "contents"))
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(InvalidModel) {
      _ = try CompiledModel(contentsOf: folder).swiftSource
      let handwritten = HandwrittenClasses(in: [String(decoding: bytes, as: UTF8.self)])
      _ = try CompiledModel(contentsOf: folder, forSwift: true, handwritten: handwritten)
        .swiftSource
      return nil
    } catch {
      return error.diagnostics.contains { $0.severity == .error }
        && error.diagnostics.allSatisfy { ($0.line ?? 0) > 0 }
        ? nil : "an error without a line: \(error)"
    }
  }

  /// Binary property lists: what is read is rewritten so that it is read back equal.
  static let propertyLists = FuzzTarget(name: "propertylists") { bytes in
    guard let list = try? PropertyList(binary: bytes) else { return nil }
    let written = list.binary
    do {
      // By their bytes: no NaN is equal to another.
      return try PropertyList(binary: written).binary == written
        ? nil : "\(list) is read as another list when it was written"
    } catch {
      return "\(list) cannot be read when it was written: \(error)"
    }
  }

  /// Keyed archives in property lists: of models, and of a transformable attribute's values.
  static let archives = FuzzTarget(name: "archives") { bytes in
    _ = try? KeyedArchiveReader.value(of: bytes)
    guard let list = try? PropertyList(binary: bytes) else { return nil }
    guard let model = try? ManagedObjectModel(propertyList: list) else { return nil }
    do {
      let again = try ManagedObjectModel(archive: model.archive)
      return again.entityVersionHashesByName == model.entityVersionHashesByName
        ? nil : "a model hashes otherwise when it was written"
    } catch {
      return "a model cannot be read when it was written: \(error)"
    }
  }

  /// The compressed models that stores hold.
  static let modelCaches = FuzzTarget(name: "modelcaches") { bytes in
    _ = try? ManagedObjectModel(modelCache: bytes)
    return nil
  }
}
