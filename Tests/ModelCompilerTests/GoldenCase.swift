import Foundation
import TestSupport
import Testing

@testable import ModelCompiler

/// A folder of `Golden`: a model, and what the compiler makes of it.
///
/// `Expected.swift` is the Swift; `Expected.txt` holds the diagnostics, one per line, with paths
/// relative to the folder. `Sources.swift` is a developer's code. A case has either or both, and a
/// new one needs no code. `RECORD=1 swift test` writes what is expected anew.
struct GoldenCase: CustomTestStringConvertible {
  static let folder = URL.projectFolder
    .appending(path: "Tests/ModelCompilerTests/Golden", directoryHint: .isDirectory)

  /// Every case, by name.
  static let all: [GoldenCase] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map(GoldenCase.init)
  }()

  var name: String

  var testDescription: String { name }

  private var folder: URL {
    Self.folder.appending(path: name, directoryHint: .isDirectory)
  }

  /// The model in the folder.
  var model: URL {
    get throws {
      let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let models = entries.filter { $0.contains(".xcdatamodel") }
      guard models.count == 1 else { throw NotOneModel(folder: name, models: models) }
      return folder.appending(path: models[0])
    }
  }

  /// What the compiler makes of the model: Swift where there are no errors, and diagnostics.
  func compile() throws -> (swift: String?, diagnostics: String?) {
    var swift: String?
    var diagnostics: [Diagnostic]
    do {
      let compiled = try CompiledModel(
        contentsOf: model, forSwift: true, handwritten: HandwrittenClasses(in: sources))
      swift = compiled.swiftSource
      diagnostics = compiled.warnings
    } catch let invalid as InvalidModel {
      diagnostics = invalid.diagnostics
    }
    let lines = diagnostics.map {
      "\($0)\n".replacing(folder.path(percentEncoded: false), with: "")
    }
    return (swift, lines.isEmpty ? nil : lines.joined())
  }

  /// The Swift beside the model, where a developer has written some.
  var sources: [String] { expected("Sources.swift").map { [$0] } ?? [] }

  /// The text of an expected file, nil if there is none.
  func expected(_ file: String) -> String? {
    try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  /// Makes a text the expected one; nil removes the file.
  func record(_ text: String?, as file: String) throws {
    let url = folder.appending(path: file)
    if let text {
      try text.write(to: url, atomically: true, encoding: .utf8)
    } else if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
  }

  /// A malformed case.
  struct NotOneModel: Error {
    var folder: String
    var models: [String]
  }
}
