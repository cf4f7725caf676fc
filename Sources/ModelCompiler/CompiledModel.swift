import DataFormats
public import DataModel
public import SystemLibraries

/// A compiled Xcode data model: all versions, checked, and the Swift generated from it.
///
///     let compiled = try CompiledModel(contentsOf: URL(filePath: "Models/DogWalk.xcdatamodeld"))
///     compiled.currentVersion.model.entitiesByName["Dog"]
///     try Data(compiled.swiftSource.utf8).write(to: output)
///
/// momc uses it when a package is built; a program can use it at run time, for a model that is not
/// known before. The stages are: find the files, parse their XML, interpret the elements, check
/// them, create the model values, generate Swift.
public struct CompiledModel: Sendable {
  /// A version of the model.
  public struct Version: Sendable {
    /// The name of the version's folder without its extension: `DogWalk 2`.
    public let name: String
    /// The version's model, with the version hashes of its entities.
    public let model: ManagedObjectModel
    /// The parsed source, with settings for code generation that the model does not contain.
    let source: SourceModel
  }

  /// The name of the model's folder without its extension.
  public let name: String
  /// The versions in numeric order: `DogWalk 9` before `DogWalk 10`.
  public let versions: [Version]
  /// The version for new stores.
  public let currentVersion: Version
  /// The warnings, which do not prevent the model's use.
  public let warnings: [Diagnostic]
  /// The name of the model's folder with its extension.
  let fileName: String

  /// Reads an `.xcdatamodeld` folder with all its versions, or a single `.xcdatamodel`.
  ///
  /// Reads nothing but these files, which takes milliseconds for some hundred entities.
  ///
  /// - Throws: ``InvalidModel`` with all errors found, if any. Problems that only affect generated
  ///   Swift, such as a property named like a type, are not errors here; momc checks for them.
  public init(contentsOf url: URL) throws(InvalidModel) {
    try self.init(contentsOf: url, forSwift: false, handwritten: HandwrittenClasses())
  }

  /// Reads a model, and optionally checks whether Swift can be generated from it.
  ///
  /// - Parameter handwritten: the classes in the files that the generated Swift is compiled with.
  init(contentsOf url: URL, forSwift: Bool, handwritten: HandwrittenClasses) throws(InvalidModel) {
    var log = DiagnosticLog()
    let folder = ModelFolder(at: url, &log)
    var sources: [SourceModel] = []
    for version in folder.versions {
      if version.name != folder.currentName, !version.exists {
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
      // The folder logs an error if there is no current version.
      fatalError("A model without errors has no current version.")
    }
    name = folder.name
    fileName = url.lastPathComponent
    self.versions = versions
    currentVersion = current
    warnings = log.sorted
  }

  /// Returns the version that a store was created with, from its metadata; nil if it is none of
  /// these.
  ///
  ///     compiled.version(compatibleWithStoreMetadata: metadata)?.name   // "DogWalk"
  ///
  /// Among versions with equal hashes it is the one with the identifiers in the metadata, else the
  /// first.
  public func version(
    compatibleWithStoreMetadata metadata: [String: PropertyList]
  ) -> Version? {
    let compatible = versions.filter { $0.model.isCompatible(withStoreMetadata: metadata) }
    let model = compatible.map(\.model).first(compatibleWithStoreMetadata: metadata)
    return compatible.first { $0.model.versionIdentifiers == model?.versionIdentifiers }
  }

  /// The generated Swift: the versions as values, and accessors for the current version's entities.
  ///
  /// It compiles unless a name in the model conflicts with Swift, which momc checks.
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
