import DataFormats
public import DataModel
public import SystemLibraries

/// An Xcode data model, read from its folder and checked: every version, and the Swift for it.
///
///     let compiled = try CompiledModel(contentsOf: URL(filePath: "Models/DogWalk.xcdatamodeld"))
///     compiled.currentVersion.model.entitiesByName["Dog"]
///     try Data(compiled.swiftSource.utf8).write(to: output)
///
/// momc uses it when a package is built; a program may use it at run time, for a model that it does
/// not know beforehand. The stages: the folder, its XML, the elements' meaning, the checks, the
/// values, the Swift.
public struct CompiledModel: Sendable {
  /// One version of the model.
  public struct Version: Sendable {
    /// The name of the version's folder without its extension: `DogWalk 2`.
    public let name: String
    /// The version's entities, with their version hashes.
    public let model: ManagedObjectModel
    /// What Xcode notes for the Swift to be written, which the model itself does not keep.
    let source: SourceModel
  }

  /// The name of the model's folder without its extension.
  public let name: String
  /// The versions, in the order a person counts: `DogWalk 9` before `DogWalk 10`.
  public let versions: [Version]
  /// The version that new stores are made with.
  public let currentVersion: Version
  /// What is doubtful about the model, but no obstacle.
  public let warnings: [Diagnostic]
  /// The name of the model's folder, extension and all.
  let fileName: String

  /// Reads an `.xcdatamodeld` folder with all its versions, or a single `.xcdatamodel`.
  ///
  /// Reads the files named above and nothing else; takes milliseconds for some hundred entities.
  ///
  /// - Throws: ``InvalidModel`` with every error that was found, when there is any. What only
  ///   stands in the way of Swift, such as a property with the name of a type, is none: momc looks
  ///   for it.
  public init(contentsOf url: URL) throws(InvalidModel) {
    try self.init(contentsOf: url, forSwift: false, handwritten: HandwrittenClasses())
  }

  /// Reads a model, and where Swift is to be written of it looks whether that can be done.
  ///
  /// - Parameter handwritten: the classes that the Swift will stand beside.
  init(contentsOf url: URL, forSwift: Bool, handwritten: HandwrittenClasses) throws(InvalidModel) {
    var log = DiagnosticLog()
    let folder = ModelFolder(at: url, &log)
    var sources: [SourceModel] = []
    for version in folder.versions {
      if version.name != folder.currentName, !version.isThere {
        log.warning(
          "the version '\(version.name)' has no file 'contents'; it is left out",
          at: SourceLocation(path: version.path))
        continue
      }
      do {
        sources.append(try Self.read(version, handwritten, &log))
      } catch {
        log.append(error)
      }
    }
    for source in sources {
      ModelChecks.check(source, forSwift: forSwift && source.name == folder.currentName, &log)
    }
    if log.hasErrors { throw InvalidModel(diagnostics: log.sorted) }

    let versions = sources.map { source in
      Version(name: source.name, model: ManagedObjectModel(source), source: source)
    }
    guard let current = versions.first(where: { $0.name == folder.currentName }) else {
      // The folder logs an error wherever it finds no current version.
      fatalError("A model without errors has no current version.")
    }
    name = folder.name
    fileName = url.lastPathComponent
    self.versions = versions
    currentVersion = current
    warnings = log.sorted
  }

  /// The version that a store was made with, by the store's metadata; nil where it is none of
  /// these.
  ///
  ///     compiled.version(compatibleWithStoreMetadata: metadata)?.name   // "DogWalk"
  ///
  /// Of versions with equal hashes the one whose identifiers the store notes, else the first.
  public func version(
    compatibleWithStoreMetadata metadata: [String: PropertyList]
  ) -> Version? {
    let compatible = versions.filter { $0.model.isCompatible(withStoreMetadata: metadata) }
    let model = compatible.map(\.model).first(compatibleWithStoreMetadata: metadata)
    return compatible.first { $0.model.versionIdentifiers == model?.versionIdentifiers }
  }

  /// The Swift file that stands for the model in a program: its versions as values, and the
  /// accessors of the current version's entities.
  ///
  /// Swift that compiles, where no name in the model stands in the way; momc makes sure of that.
  public var swiftSource: String {
    ModelWriter(self).text
  }

  private static func read(
    _ version: ModelFolder.Version, _ handwritten: HandwrittenClasses,
    _ log: inout DiagnosticLog
  ) throws(Diagnostic) -> SourceModel {
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile.bytes(of: version.path, atMost: ModelFolder.mostBytes)
    } catch {
      throw Diagnostic(
        .error, "the version '\(version.name)' has no file 'contents' that can be read",
        at: SourceLocation(path: version.path))
    }
    let element =
      version.isArchive
      ? try SourceElement(elements: bytes, path: version.path)
      : try SourceElementReader.read(bytes, path: version.path)
    ElementRules.check(element, &log)
    return SourceModel(element, name: version.name, handwritten: handwritten, &log)
  }
}
