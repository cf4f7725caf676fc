import Foundation
import Testing

/// The checker of stores that knows nothing of this project's code.
enum StoreChecker {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let tool = root.appending(path: "../shared/tools/check_store.py")
  private static let model = root.appending(
    path: "Models/DogWalk.xcdatamodeld/DogWalk 2.xcdatamodel")

  /// Whether the checker and Python are on this machine.
  static var isAvailable: Bool {
    FileManager.default.fileExists(atPath: tool.path)
      && (try? run("python3", ["--version"]).status) == 0
  }

  /// What the checker says of a DogWalk store: "0 differences, 2 entities" when all holds.
  static func check(_ store: URL) throws -> String {
    try run("python3", [tool.path, store.path, model.path]).output
  }

  /// Runs the `sqlite3`-like question through Python, which is there wherever the checker runs.
  static func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
