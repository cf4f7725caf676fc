import DataFormats
import SystemLibraries

/// The versions of a model on disk: an `.xcdatamodeld` folder, or a single `.xcdatamodel`.
///
///     let folder = ModelFolder(at: url, &log)
///     folder.versions.map(\.name)   // ["DogWalk", "DogWalk 2", "DogWalk 3"]
struct ModelFolder: Sendable {
  /// The maximum size of a model's file in bytes; large ones have some hundred kilobytes.
  static let mostBytes = 1 << 26

  /// A version: the folder `NAME.xcdatamodel` and its `contents`, or `elements` from before Xcode
  /// 4.
  struct Version: Sendable {
    let name: String
    let contents: URL

    /// Finds the file in a version's folder.
    init(_ folder: URL) {
      name = folder.deletingPathExtension().lastPathComponent
      let files = ["contents", "elements"].map { folder.appendingPathComponent($0) }
      contents = files.first { FileManager.default.fileExists(atPath: $0.path) } ?? files[0]
    }

    /// Whether the file is an archive instead of XML.
    var isArchive: Bool { contents.lastPathComponent == "elements" }

    /// The file's path in diagnostics.
    var path: String { contents.path }

    /// Whether the file exists.
    var exists: Bool { FileManager.default.fileExists(atPath: contents.path) }
  }

  /// The folder's name without its extension.
  let name: String
  /// The location of the folder, for diagnostics about the whole model.
  let location: SourceLocation
  /// The versions in numeric order: `DogWalk 9` before `DogWalk 10`.
  private(set) var versions: [Version] = []
  /// The name of the version for new stores.
  private(set) var currentName = ""

  /// Reads a folder, and logs what is missing.
  init(at url: URL, _ log: inout DiagnosticLog) {
    name = url.deletingPathExtension().lastPathComponent
    location = SourceLocation(path: url.path)
    switch url.pathExtension {
    case "xcdatamodel":
      versions = [Version(url)]
      currentName = name
    case "xcdatamodeld":
      readVersions(in: url, &log)
      readCurrentName(in: url, &log)
    default:
      log.error("this is neither an .xcdatamodeld nor an .xcdatamodel folder", at: location)
    }
  }

  private mutating func readVersions(in url: URL, _ log: inout DiagnosticLog) {
    let entries: [String]
    do {
      entries = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      log.error("this folder is missing or cannot be read", at: location)
      return
    }
    versions = entries.filter { $0.hasSuffix(".xcdatamodel") }
      .map { Version(url.appendingPathComponent($0)) }
      .sorted { $0.name.precedesByNumber($1.name) }
    if versions.isEmpty {
      log.error("there is no version (.xcdatamodel) in this folder", at: location)
    }
  }

  /// Reads the current version from `.xccurrentversion`, which Xcode omits if there is a single
  /// version.
  private mutating func readCurrentName(in url: URL, _ log: inout DiagnosticLog) {
    let file = url.appendingPathComponent(".xccurrentversion")
    let location = SourceLocation(path: file.path)
    let bytes: [UInt8]
    do throws(InputFile.Failure) {
      bytes = try InputFile.bytes(of: file.path, atMost: Self.mostBytes)
    } catch {
      if error != .system(errno: ENOENT) { log.error("this file cannot be read", at: location) }
      assumeCurrentName(&log)
      return
    }
    guard let content = CurrentVersion(bytes) else {
      log.error("this is not a property list that names the current version", at: location)
      return
    }
    guard let entry = content.name else {
      assumeCurrentName(&log)
      return
    }
    guard let version = versions.first(where: { $0.name + ".xcdatamodel" == entry }) else {
      log.error("the current version is '\(entry)', but there is no such folder here", at: location)
      return
    }
    currentName = version.name
  }

  /// Takes the version with the model's name as the current one, else the last.
  private mutating func assumeCurrentName(_ log: inout DiagnosticLog) {
    guard let last = versions.last else { return }
    currentName = versions.contains { $0.name == name } ? name : last.name
    if versions.count > 1 {
      log.warning(
        "there are \(versions.count) versions, and .xccurrentversion is missing or does not say which is current; "
          + "'\(currentName)' is used",
        at: location)
    }
  }
}
