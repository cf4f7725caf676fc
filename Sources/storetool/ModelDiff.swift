import CommandLineKit
import DataModel
import ModelComparison
import ModelCompiler
import SystemLibraries

/// `storetool diff`: shows the differences between two models.
struct ModelDiff {
  private let run: ToolRun

  init(_ run: ToolRun) {
    self.run = run
  }

  /// Shows the differences; the exit code is 1 if there are any.
  func perform() throws {
    let (old, new) = try sides()
    let difference = Self.difference(old, new)
    let report = DifferenceReport(difference, from: old, to: new, run)
    if run.values.contains(.json) {
      try report.writeJSON()
    } else if run.terminal.isTerminal {
      try report.writeTable()
    } else {
      try report.writeLines()
    }
    if !difference.isEmpty { throw ExitCode.no }
  }

  private static func difference(_ old: DiffSide, _ new: DiffSide) -> ModelDifference {
    let bothWhole = !old.isCompiled && !new.isCompiled
    let models = bothWhole ? (old.model, new.model) : (old.archivedModel, new.archivedModel)
    if let before = models.0, let now = models.1 { return ModelDifference(from: before, to: now) }
    return ModelDifference(from: old.hashes, to: new.hashes)
  }

  private func sides() throws -> (DiffSide, DiffSide) {
    let paths = run.values.operands
    guard paths.count > 1 else { return try versions(of: paths[0]) }
    let first = try side(paths[0], version: .fromVersion)
    let second = try side(paths[1], version: .toVersion)
    var (old, new) = (first.side, second.side)
    old.findModel(in: second.file)
    new.findModel(in: first.file)
    return (old, new)
  }

  private func side(
    _ path: String, version option: Option
  ) throws -> (side: DiffSide, file: ModelFile?) {
    let name = run.values[option]
    if URL(filePath: path).storeFile.isStore {
      guard name == nil else {
        throw ValidationError(
          "\(path.escapingControls) is a store, of one version",
          hint: "Leave out --\(option.name).")
      }
      return (try DiffSide(storeAt: path), nil)
    }
    let file = try ModelFile(at: path, run)
    return (DiffSide(try version(named: name, of: file), of: file), file)
  }

  /// A version; a missing one must not exit with 1, which means that there are differences.
  private func version(
    named name: String?, of file: ModelFile
  ) throws -> VersionedModel.Version {
    try file.version(named: name, missing: .usage)
  }

  /// Two versions of one model: the given ones, or the current one and the one before it.
  private func versions(of path: String) throws -> (DiffSide, DiffSide) {
    if URL(filePath: path).storeFile.isStore {
      throw ValidationError(
        "\(path.escapingControls) is a store, of one version",
        hint: "Name a model to compare it with.")
    }
    let file = try ModelFile(at: path, run)
    let versions = file.model.versions
    let new = try version(named: run.values[.toVersion], of: file)
    if let name = run.values[.fromVersion] {
      return (DiffSide(try version(named: name, of: file), of: file), DiffSide(new, of: file))
    }
    guard let index = versions.firstIndex(where: { $0.name == new.name }), index > 0 else {
      let reason =
        versions.count == 1
        ? "has one version" : "has no version before \(new.name.escapingControls)"
      throw ValidationError(
        "\(file.name.escapingControls) \(reason)",
        hint: "Name another model, or the version to begin with: --version NAME.")
    }
    return (DiffSide(versions[index - 1], of: file), DiffSide(new, of: file))
  }
}

@available(*, unavailable) extension ModelDiff: Sendable {}
