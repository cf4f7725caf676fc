import DataFormats
public import DataModel
public import SystemLibraries

/// A model and its versions, read from an Xcode model, a compiled model, or an app.
///
///     let model = try VersionedModel(contentsOf: URL(filePath: "Kennel.momd"))
///     model.versions.map(\.name)   // ["Kennel", "Kennel 2"]
///
/// Accepts an `.xcdatamodeld` or `.xcdatamodel` folder, a `.momd` folder or a `.mom` file, and any
/// other folder, such as an app, which is searched for compiled models. The model in a store is
/// read by `PersistentStoreCoordinator.cachedModel(at:)`, so that programs which only read models
/// do not depend on SQLite.
public struct VersionedModel: Sendable {
  /// A version of the model.
  public struct Version: Sendable {
    /// The name of the version's file or folder without its extension: `Kennel 2`.
    public let name: String
    /// The version's model, with the version hashes of its entities.
    public let model: ManagedObjectModel
  }

  /// The name of the file or folder without its extension.
  public let name: String
  /// The versions in numeric order.
  public let versions: [Version]
  /// The version for new stores.
  public let currentVersion: Version
  /// The warnings, which do not prevent the model's use.
  public let warnings: [Diagnostic]

  /// Reads a model.
  ///
  /// - Throws: ``InvalidModel`` with all errors found.
  public init(contentsOf url: URL) throws(InvalidModel) {
    switch url.pathExtension {
    case "xcdatamodeld", "xcdatamodel": self.init(try CompiledModel(contentsOf: url))
    case "momd": try self.init(momd: url)
    default:
      if url.hasDirectoryPath || url.isFolder {
        try self.init(inFolder: url)
      } else {
        self.init([try Version(mom: url)], named: url.nameWithoutExtension)
      }
    }
  }

  /// Creates a model with a single version.
  public init(_ model: ManagedObjectModel, named name: String) {
    self.init([Version(name: name, model: model)], named: name)
  }

  private init(_ compiled: CompiledModel) {
    name = compiled.name
    versions = compiled.versions.map { Version(name: $0.name, model: $0.model) }
    currentVersion = Version(
      name: compiled.currentVersion.name, model: compiled.currentVersion.model)
    warnings = compiled.warnings
  }

  /// - Precondition: There is at least one version.
  private init(_ versions: [Version], named name: String, current: String? = nil) {
    self.name = name
    self.versions = versions
    currentVersion = versions.first { $0.name == current } ?? versions[versions.count - 1]
    warnings = []
  }

  /// Reads a folder of compiled versions, with a property list that names the current one.
  private init(momd url: URL) throws(InvalidModel) {
    let files = url.entries.filter { $0.pathExtension == "mom" }
      .sorted { $0.nameWithoutExtension.precedesByNumber($1.nameWithoutExtension) }
    var versions: [Version] = []
    for file in files { versions.append(try Version(mom: file)) }
    if versions.isEmpty { throw url.invalid("there is no version (.mom) in this folder") }
    let list = url.appendingPathComponent("VersionInfo.plist").contents
      .flatMap { try? PropertyList(contents: $0) }
    var current: String?
    if case .dictionary(let entries)? = list,
      case .string(let name)? = entries["NSManagedObjectModel_CurrentVersionName"]
    {
      current = name
    }
    self.init(versions, named: url.nameWithoutExtension, current: current)
  }

  /// Reads the compiled models in an app, a framework or a plug-in.
  ///
  /// If there are several models, their versions are named `Kennel/Kennel 2`; the current version
  /// is then all of their current versions merged, as in an app that merges its models, if they can
  /// be merged.
  private init(inFolder url: URL) throws(InvalidModel) {
    var models: [VersionedModel] = []
    for file in url.compiledModels { models.append(try VersionedModel(contentsOf: file)) }
    if models.isEmpty { throw url.invalid("there is no model (.momd or .mom) in this folder") }
    if models.count == 1 {
      self = models[0]
      return
    }
    var versions = models.flatMap { model in
      model.versions.map { Version(name: "\(model.name)/\($0.name)", model: $0.model) }
    }
    let current = models.map(\.currentVersion.model)
    if let merged = try? ManagedObjectModel(byMerging: current) {
      versions.append(Version(name: url.nameWithoutExtension, model: merged))
    }
    self.init(versions, named: url.nameWithoutExtension)
  }
}

extension VersionedModel.Version {
  /// Reads a compiled version.
  fileprivate init(mom url: URL) throws(InvalidModel) {
    guard let content = url.contents else { throw url.invalid("this file cannot be read") }
    if content.starts(with: "SQLite format 3\0".utf8) {
      throw url.invalid(
        "this is a store; PersistentStoreCoordinator.cachedModel(at:) reads the model that it holds"
      )
    }
    do throws(ModelArchiveError) {
      self.init(
        name: url.nameWithoutExtension, model: try ManagedObjectModel(archive: content))
    } catch {
      throw url.invalid("this is not a compiled model (.mom), or is damaged")
    }
  }
}

extension ManagedObjectModel {
  /// Reads the current version of a model.
  ///
  ///     let model = try ManagedObjectModel(contentsOf: URL(filePath: "Kennel.momd"))
  ///
  /// See ``VersionedModel`` for the accepted files. Follows Core Data's `init(contentsOf:)`.
  ///
  /// - Throws: ``InvalidModel`` with all errors found.
  public init(contentsOf url: URL) throws(InvalidModel) {
    self = try VersionedModel(contentsOf: url).currentVersion.model
  }

  /// Creates a model by merging the current versions of all models in a folder, such as an app.
  ///
  ///     let model = try ManagedObjectModel(byMergingModelsIn: URL(filePath: "Kennel.app"))
  ///
  /// Follows Core Data's `mergedModel(from:)`.
  ///
  /// - Throws: ``InvalidModel`` if a model cannot be read, ``ModelMergeError`` if two of them
  ///   contain different entities with the same name.
  public init(byMergingModelsIn folder: URL) throws {
    var models: [ManagedObjectModel] = []
    for file in folder.compiledModels { models.append(try ManagedObjectModel(contentsOf: file)) }
    if models.isEmpty { throw folder.invalid("there is no model (.momd or .mom) in this folder") }
    try self.init(byMerging: models)
  }
}

extension URL {
  fileprivate var nameWithoutExtension: String { deletingPathExtension().lastPathComponent }

  fileprivate var contents: [UInt8]? {
    try? InputFile.bytes(of: path, atMost: ModelFolder.mostBytes)
  }

  fileprivate var isFolder: Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// The contents of a folder, sorted by name.
  fileprivate var entries: [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { appendingPathComponent($0) }
  }

  /// The compiled models in a folder and in its bundles.
  fileprivate var compiledModels: [URL] {
    var visited: Set<String> = []
    return compiledModels(&visited)
  }

  /// - Parameter visited: the bundles that were searched, since a link may lead back to one.
  private func compiledModels(_ visited: inout Set<String>) -> [URL] {
    guard visited.insert(resolvingSymlinksInPath().path).inserted else { return [] }
    var found: [URL] = []
    for subfolder in ["", "Resources", "Contents/Resources"] {
      let folder = subfolder.isEmpty ? self : appendingPathComponent(subfolder)
      found += folder.entries.filter { ["momd", "mom"].contains($0.pathExtension) }
    }
    // Resources of a Swift package are in a bundle next to an app's own resources.
    for subfolder in [
      "", "Frameworks", "PlugIns", "Contents/Frameworks", "Contents/PlugIns", "Contents/Resources",
    ] {
      let folder = subfolder.isEmpty ? self : appendingPathComponent(subfolder)
      for bundle in folder.entries
      where ["framework", "appex", "bundle"].contains(bundle.pathExtension) {
        found += bundle.compiledModels(&visited)
      }
    }
    return found
  }

  fileprivate func invalid(_ message: String) -> InvalidModel {
    InvalidModel(diagnostics: [Diagnostic(.error, message, at: SourceLocation(path: path))])
  }
}
