import Foundation

/// The program as it was built beside the tests, and the reference it is held against.
enum StoreToolProgram {
  struct Answer {
    let exitCode: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The project's own model.
  static let dogWalkModel = root.appending(path: "Models/DogWalk.xcdatamodeld")
  /// Real stores that Apple's framework wrote, with their models.
  static let fixtures = root.appending(path: "../shared/fixtures").standardizedFileURL
  private static let tools = root.appending(path: "../shared/tools").standardizedFileURL

  private static let program: URL = {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent().appending(path: "storetool")
    #else
      return Bundle.main.bundleURL.appending(path: "storetool")
    #endif
  }()

  /// Whether the stores, the reference and Python are on this machine.
  static let hasReference: Bool =
    FileManager.default.fileExists(atPath: tools.appending(path: "dump_store.py").path)
    && (try? run(URL(filePath: "/usr/bin/env"), ["python3", "--version"]).exitCode) == 0

  /// What storetool answers.
  static func run(_ words: String...) throws -> Answer { try run(program, words) }

  /// What a tool of the reference answers.
  static func reference(_ tool: String, _ words: String...) throws -> Answer {
    try run(
      URL(filePath: "/usr/bin/env"), ["python3", tools.appending(path: tool).path] + words)
  }

  private static func run(_ program: URL, _ words: [String]) throws -> Answer {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    let folder = try TemporaryFolder()
    // Into files: two pipes that fill up would wait for each other.
    let (output, errors) = (folder.url.appending(path: "out"), folder.url.appending(path: "err"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Answer(
      exitCode: process.terminationStatus, output: try Data(contentsOf: output),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }
}

/// A folder that goes with its last reference.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "storetool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
