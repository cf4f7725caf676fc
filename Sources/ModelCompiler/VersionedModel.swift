import DataFormats
public import DataModel
public import SystemLibraries

/// A model and its versions, read from whatever it lies in: Xcode's folder, a compiled model, an
/// app.
///
///     let model = try VersionedModel(contentsOf: URL(filePath: "Kennel.momd"))
///     model.versions.map(\.name)   // ["Kennel", "Kennel 2"]
///
/// Takes an `.xcdatamodeld` or `.xcdatamodel` folder, a `.momd` folder or a `.mom` file, and any
/// other folder, an app among them, whose compiled models it looks for. The model that a store
/// holds is read by `PersistentStoreCoordinator.cachedModel(at:)`, so that a program which reads
/// models need not have SQLite.
public struct VersionedModel: Sendable {
  /// One version of the model.
  public struct Version: Sendable {
    /// The name of the version's file or folder without its extension: `Kennel 2`.
    public let name: String
    /// The version's entities, with their version hashes.
    public let model: ManagedObjectModel
  }

  /// The name of the file or folder without its extension.
  public let name: String
  /// The versions, in the order a person counts.
  public let versions: [Version]
  /// The version that new stores are made with.
  public let currentVersion: Version
  /// What is doubtful about the model, but no obstacle.
  public let warnings: [Diagnostic]

  /// Reads a model.
  ///
  /// - Throws: ``InvalidModel`` with every error that was found.
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

  /// Creates a model of one version.
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

  /// - Precondition: There is a version.
  private init(_ versions: [Version], named name: String, current: String? = nil) {
    self.name = name
    self.versions = versions
    currentVersion = versions.first { $0.name == current } ?? versions[versions.count - 1]
    warnings = []
  }

  /// Reads a folder of compiled versions; beside them a property list names the current one.
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

  /// Looks for compiled models where an app, a framework or a plug-in has them.
  ///
  /// Of several models the versions are named `Kennel/Kennel 2`; then the current version is all of
  /// their current ones in one model, as an app has them that merges its models, where they can be.
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
      throw url.invalid("this is no compiled model (.mom), or a damaged one")
    }
  }
}

extension ManagedObjectModel {
  /// Reads a model from whatever it lies in: its current version.
  ///
  ///     let model = try ManagedObjectModel(contentsOf: URL(filePath: "Kennel.momd"))
  ///
  /// See ``VersionedModel`` for what is taken. Follows Core Data's `init(contentsOf:)`.
  ///
  /// - Throws: ``InvalidModel`` with every error that was found.
  public init(contentsOf url: URL) throws(InvalidModel) {
    self = try VersionedModel(contentsOf: url).currentVersion.model
  }

  /// Creates one model of the current versions of all that lie in a folder, an app among them.
  ///
  ///     let model = try ManagedObjectModel(byMergingModelsIn: URL(filePath: "Kennel.app"))
  ///
  /// Follows Core Data's `mergedModel(from:)`.
  ///
  /// - Throws: ``InvalidModel`` where one of them cannot be read, ``ModelMergeError`` where two of
  ///   them have different entities of one name.
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

  /// What lies in a folder, sorted by name.
  fileprivate var entries: [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { appendingPathComponent($0) }
  }

  /// The compiled models in a folder, and where bundles have theirs.
  fileprivate var compiledModels: [URL] {
    var visited: Set<String> = []
    return compiledModels(&visited)
  }

  /// - Parameter visited: the bundles that were looked through; a link may lead back to one.
  private func compiledModels(_ visited: inout Set<String>) -> [URL] {
    guard visited.insert(resolvingSymlinksInPath().path).inserted else { return [] }
    var found: [URL] = []
    for subfolder in ["", "Resources", "Contents/Resources"] {
      let folder = subfolder.isEmpty ? self : appendingPathComponent(subfolder)
      found += folder.entries.filter { ["momd", "mom"].contains($0.pathExtension) }
    }
    // Resources of a Swift package lie in a bundle beside an app's own.
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
