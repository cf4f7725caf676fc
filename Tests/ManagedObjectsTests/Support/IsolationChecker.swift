import Foundation

/// The Swift compiler, as far as it knows what may leave an isolation.
enum IsolationChecker {
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
    let module = modules.appending(path: "DogWalkModel.swiftmodule")
    return compiler != nil && FileManager.default.fileExists(atPath: module.path)
  }

  /// What the compiler says about a text that uses dogs and walks; "" where it has nothing to say.
  ///
  /// Only `-emit-sil` looks at regions; `-typecheck` lets everything pass.
  static func complaints(about source: String) throws -> String {
    let folder = try StoreFolder()
    let file = folder.url.appending(path: "Written.swift")
    try Data("import DogWalkModel\nimport ManagedObjects\n\(source)\n".utf8).write(to: file)
    let output = folder.url.appending(path: "complaints.txt")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = compiler
    process.arguments = [
      "-emit-sil", "-swift-version", "6", "-module-name", "Written", "-parse-as-library",
      "-o", folder.url.appending(path: "Written.sil").path, "-I", modules.path,
      "-I", StoreChecker.root.appending(path: "Sources/CSQLite").path, file.path,
    ]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    return text.isEmpty && process.terminationStatus != 0 ? "swiftc failed" : text
  }
}
