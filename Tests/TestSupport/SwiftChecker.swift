import Foundation

/// The Swift compiler, used to check code.
package enum SwiftChecker {
  /// How far it checks.
  package enum Depth: String {
    /// Names and types.
    case types = "-typecheck"
    /// Also what may leave an isolation: only this checks regions.
    case isolation = "-emit-sil"
  }

  /// Whether there is a compiler, and modules of ours that it can read.
  package static let exists: Bool =
    (try? Answer(of: "swiftc", ["--version"]).exitCode) == 0
    && FileManager.default.fileExists(
      atPath: modules.appending(path: "ManagedObjects.swiftmodule").path)

  private static let modules = URL.builtFolder.appending(path: "Modules")

  /// The upcoming features that this package's targets have on.
  private static let features = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
    "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
  ]

  /// The compiler's messages about a module of these files; "" if it has none.
  ///
  /// The settings are those of this package, and warnings are errors unless they are allowed: then
  /// they are not reported.
  ///
  /// - Parameter isMainActor: whether declarations without an isolation are the main actor's.
  package static func complaints(
    about sources: [String], depth: Depth = .types, isMainActor: Bool = false,
    allowsWarnings: Bool = false
  ) throws -> String {
    let folder = try TemporaryFolder()
    let files = try sources.enumerated().map { index, source in
      try folder.write(Data(source.utf8), to: "File\(index).swift").path
    }
    var words = [depth.rawValue, "-swift-version", "6", "-module-name", "Written", "-wmo"]
    words += ["-parse-as-library", allowsWarnings ? "-suppress-warnings" : "-warnings-as-errors"]
    if depth == .isolation { words += ["-o", folder.url.appending(path: "Written").path] }
    if isMainActor { words += ["-default-isolation", "MainActor"] }
    for feature in features { words += ["-enable-upcoming-feature", feature] }
    var names = ["CSQLite", "CZlib"]
    #if PostgreSQL
      names.append("CPostgreSQL")
      words += ["-Xcc", "-I/usr/include/postgresql"]
    #endif
    let libraries = names.map { URL.projectFolder.appending(path: "Sources/\($0)") }
    for path in ([modules] + libraries).map(\.path) { words += ["-I", path] }
    let answer = try Answer(of: "swiftc", words + files)
    let text = answer.text + answer.errors
    return text.isEmpty && answer.exitCode != 0 ? "swiftc failed" : text
  }
}
