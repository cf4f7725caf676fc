import Foundation

/// The Swift compiler, as far as it says whether a text is right: for Swift that momc wrote.
enum SwiftChecker {
  /// Where the modules of this build are.
  private static let modules = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "Modules", directoryHint: .isDirectory)

  private static let compiler: URL? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { URL(filePath: String($0)).appending(path: "swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  /// Whether there is a compiler, and modules of ours that it can read.
  static var isThere: Bool {
    let module = modules.appending(path: "ManagedObjects.swiftmodule")
    return compiler != nil && FileManager.default.fileExists(atPath: module.path)
  }

  /// What the compiler says about a module of these files; "" where it has nothing to say.
  ///
  /// The settings are those of this package, and warnings are errors.
  static func complaints(about sources: [String]) throws -> String {
    let folder = try TemporaryFolder()
    let files = try sources.enumerated().map { index, source in
      try folder.write(Data(source.utf8), to: "File\(index).swift").path
    }
    let output = folder.url.appending(path: "complaints.txt")
    try Data().write(to: output)
    let features = [
      "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
      "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ]
    let process = Process()
    process.executableURL = compiler
    process.arguments =
      ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Written"]
      + features.flatMap { ["-enable-upcoming-feature", $0] }
      + ["-I", modules.path, "-I", URL.projectFolder.appending(path: "Sources/CSQLite").path]
      + files
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    return text.isEmpty && process.terminationStatus != 0 ? "swiftc failed" : text
  }
}
