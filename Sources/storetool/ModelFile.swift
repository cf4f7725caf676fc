import CommandLineKit
import DataFormats
import DataModel
import ManagedObjects
import ModelCompiler
import SystemLibraries

/// The model that the user named: Xcode's, a compiled one, an app, or a store that embeds one.
struct ModelFile {
  /// The path as it was typed.
  let path: String
  /// The model in it.
  let model: VersionedModel
  /// Whether it was compiled, so that it lacks what archives omit.
  let isCompiled: Bool

  /// Reads the model that `--model` names.
  init(_ run: ToolRun, for purpose: String) throws {
    guard let path = run.values[.model] else {
      throw ValidationError(
        "\(purpose) needs the model of the app",
        hint: "Name its folder with --model X.xcdatamodeld.")
    }
    try self.init(at: path, run)
  }

  /// Reads a model; lists its errors on standard error.
  init(at path: String, _ run: ToolRun) throws {
    self.path = path
    var url = URL(filePath: path)
    if url.lastPathComponent == "contents" { url.deleteLastPathComponent() }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Complaint(
        .noInput, "cannot read the model \(path.escapingControls): there is no such file or folder",
        hint: "Name the app's .xcdatamodeld or .momd folder.")
    }
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw Complaint(
        .noPermission, "cannot read the model \(path.escapingControls): you may not read it",
        hint: "Change its permissions.")
    }
    if let model = try Self.storedModel(at: url.storeFile, path) {
      self.model = VersionedModel(model, named: url.deletingPathExtension().lastPathComponent)
      isCompiled = true
      return
    }
    isCompiled = !["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension)
    do {
      model = try VersionedModel(contentsOf: url)
    } catch {
      for diagnostic in error.diagnostics {
        try run.errors.writeLine(diagnostic.description.escapingControls)
      }
      throw Complaint(
        .badData, "cannot use the model \(path.escapingControls): it has errors, listed above",
        hint: "Correct them, or name another model.")
    }
  }

  /// The model embedded in a store; nil if the file is not a store.
  private static func storedModel(at url: URL, _ path: String) throws -> ManagedObjectModel? {
    if let type = url.documentType {
      throw Complaint(
        .badData,
        "cannot use the model in \(path.escapingControls): it is \(type.described), which holds none",
        hint: "Name the model of the app.")
    }
    guard url.isSQLiteFile else { return nil }
    do {
      if let model = try PersistentStoreCoordinator.cachedModel(at: url) { return model }
    } catch let error as PersistentStoreError {
      throw Complaint(error, reading: path)
    } catch is ModelArchiveError {
      throw Complaint(
        .badData, "cannot use the model in \(path.escapingControls): it is damaged",
        hint: "Name the model of the app.")
    }
    throw Complaint(
      .badData, "cannot use the model in \(path.escapingControls): the store holds none",
      hint: "Name the model of the app.")
  }

  /// The name of the file or folder, including its extension.
  var name: String { URL(filePath: path).lastPathComponent }

  /// The version with a name, or the current one if no name is given.
  ///
  /// - Parameter missing: the exit code if there is no such version.
  func version(
    named name: String?, missing: ExitCode = .no
  ) throws -> VersionedModel.Version {
    guard let name else { return model.currentVersion }
    if let version = model.versions.first(where: { $0.name == name }) { return version }
    let names = model.versions.map(\.name)
    let suggestion = nearest(to: name, among: names).map { "Did you mean \($0)?" }
    throw Complaint(
      missing, "\(self.name.escapingControls) has no version \(ValidationError.quoted(name))",
      hint: suggestion ?? "It has \(Self.list(names)).")
  }

  /// The version that a store was created with, by the version hashes in its metadata.
  ///
  /// - Parameter purpose: what cannot be done with the store if there is none, for the message.
  func version(
    of store: String, metadata: [String: PropertyList], to purpose: String = "read the objects of"
  ) throws -> VersionedModel.Version {
    guard let version = version(compatibleWithStoreMetadata: metadata) else {
      throw mismatch(of: store, metadata: metadata, to: purpose)
    }
    return version
  }

  /// The version that a store was created with; nil if it is none of these.
  ///
  /// Among versions with the same hashes, prefers the one whose identifiers are in the metadata,
  /// then the current one.
  func version(
    compatibleWithStoreMetadata metadata: [String: PropertyList]
  ) -> VersionedModel.Version? {
    let compatible = model.versions.filter { version in
      let names = [nil] + version.model.configurations.map(Optional.some)
      return names.contains {
        version.model.isCompatible(withStoreMetadata: metadata, configurationName: $0)
      }
    }
    var candidates = compatible
    if case .array(let identifiers)? = metadata["NSStoreModelVersionIdentifiers"] {
      let named = compatible.filter {
        $0.model.versionIdentifiers.map(PropertyList.string) == identifiers
      }
      if !named.isEmpty { candidates = named }
    }
    let current = candidates.first { $0.name == model.currentVersion.name }
    return current ?? candidates.first
  }

  /// The complaint that no version matches, with the differences from the nearest one.
  private func mismatch(
    of store: String, metadata: [String: PropertyList], to purpose: String
  ) -> Complaint {
    let start = "cannot \(purpose) \(store.escapingControls): "
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else {
      return Complaint(
        .badData, start + "it does not say which model it was made with",
        hint: "Name a store that Core Data of iOS 3 or later has made.")
    }
    let differences = model.versions.map { version in
      let own = version.model.entityVersionHashesByName
      let names = Set(own.keys).union(hashes.keys).filter { name in
        guard case .data(let bytes)? = hashes[name] else { return true }
        return own[name]?.bytes != Array(bytes)
      }
      return (version: version.name, names: names.sorted())
    }
    // A model without errors has at least one version.
    let nearest = differences.min { $0.names.count < $1.names.count }!
    let isAlien = hashes.keys.allSatisfy(nearest.names.contains)
    let difference =
      isAlien
      ? "" : "; \(nearest.version) comes nearest, but differs in \(Self.list(nearest.names))"
    return Complaint(
      .badData,
      start + "it was not made with a version of \(name.escapingControls)\(difference)",
      hint: "Name the model of the app that made it.")
  }

  /// `A`, `A and B`, `A, B and 3 more`.
  static func list(_ names: [String]) -> String {
    let names = names.map(\.escapingControls)
    switch names.count {
    case 0, 1: return names.joined()
    case 2...4: return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    default:
      return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
    }
  }
}
