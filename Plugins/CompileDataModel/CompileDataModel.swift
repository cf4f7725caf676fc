import Foundation
import PackagePlugin

/// Compiles Xcode data models to Swift before a target is built.
///
/// The models are all `.xcdatamodeld` folders in the target's folder, or if there are none, in the
/// package's folder `Models`. momc's output becomes part of the target: `DogWalk.xcdatamodeld`
/// becomes `DogWalk+DataModel.swift`. It runs again when a file of the model changes.
@main
struct CompileDataModel: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let shared = context.package.directoryURL.appending(path: "Models", directoryHint: .isDirectory)
    var models = Self.models(in: target.directoryURL)
    if models.isEmpty { models = Self.models(in: shared) }
    guard !models.isEmpty else { throw MissingModel(target: target.name, shared: shared) }

    let momc = try context.tool(named: "momc").url
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url)
    return models.map { model in
      let name = model.deletingPathExtension().lastPathComponent
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+DataModel.swift")
      return .buildCommand(
        displayName: "Compiling \(model.lastPathComponent)",
        executable: momc,
        // momc generates no class that a file of the target declares.
        arguments: [model.path, output.path] + sources.map(\.path),
        inputFiles: Self.inputs(of: model) + sources,
        outputFiles: [output])
    }
  }

  /// Returns the models in a folder and its subfolders, but not those nested in other models.
  private static func models(in folder: URL) -> [URL] {
    let found = FileManager.default.enumerator(
      // An enumeration does not follow links, not even the folder itself.
      at: folder.resolvingSymlinksInPath(), includingPropertiesForKeys: nil,
      options: [.skipsHiddenFiles])
    var models: [URL] = []
    while let url = found?.nextObject() as? URL {
      guard url.pathExtension == "xcdatamodeld" else { continue }
      models.append(url)
      found?.skipDescendants()
    }
    return models.sorted { $0.path < $1.path }
  }

  /// Returns momc's input files.
  ///
  /// These are the folder, since versions may be added or removed; the versions; and
  /// `.xccurrentversion`, which a model with a single version does not have.
  private static func inputs(of model: URL) -> [URL] {
    let current = model.appending(path: ".xccurrentversion")
    let entries = try? FileManager.default.contentsOfDirectory(
      at: model, includingPropertiesForKeys: nil)
    let versions = (entries ?? []).filter { $0.pathExtension == "xcdatamodel" }
      .map { $0.appending(path: "contents") }
    return [model]
      + ([current] + versions.sorted { $0.path < $1.path }).filter {
        FileManager.default.fileExists(atPath: $0.path)
      }
  }
}

/// An error for a target that uses the plugin without a model to compile.
struct MissingModel: Error, CustomStringConvertible {
  var target: String
  var shared: URL

  var description: String {
    "The target '\(target)' uses CompileDataModel, but there is no .xcdatamodeld in its folder, "
      + "nor in \(shared.path)."
  }
}
