import Foundation

/// The Swift compiler, as far as it says whether a text is right.
package enum SwiftChecker {
  /// How far it reads a text.
  package enum Depth: String {
    /// Names and types.
    case types = "-typecheck"
    /// Also what may leave an isolation: only this looks at regions.
    case isolation = "-emit-sil"
  }

  /// Whether there is a compiler, and modules of ours that it can read.
  package static let isThere: Bool =
    (try? Answer(of: "swiftc", ["--version"]).exitCode) == 0
    && FileManager.default.fileExists(
      atPath: modules.appending(path: "ManagedObjects.swiftmodule").path)

  private static let modules = URL.builtFolder.appending(path: "Modules")

  /// What the compiler says about a module of these files; "" where it has nothing to say.
  ///
  /// The settings are those of this package, and warnings are errors.
  package static func complaints(
    about sources: [String], depth: Depth = .types
  ) throws -> String {
    let folder = try TemporaryFolder()
    let files = try sources.enumerated().map { index, source in
      try folder.write(Data(source.utf8), to: "File\(index).swift").path
    }
    let features = [
      "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
      "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ]
    let output = folder.url.appending(path: "Written").path
    let answer = try Answer(
      of: "swiftc",
      [depth.rawValue, "-swift-version", "6", "-warnings-as-errors", "-module-name", "Written"]
        + ["-parse-as-library"] + (depth == .types ? [] : ["-o", output])
        + features.flatMap { ["-enable-upcoming-feature", $0] }
        + ["-I", modules.path, "-I", URL.projectFolder.appending(path: "Sources/CSQLite").path]
        + files)
    let text = answer.text + answer.errors
    return text.isEmpty && answer.exitCode != 0 ? "swiftc failed" : text
  }
}
