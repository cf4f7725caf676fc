import Foundation

/// The machine's python3: a second opinion for what we read and write.
enum Python {
  static let isInstalled: Bool = (try? run("print(1)", lines: [])) == ["1"]

  struct Failure: Error {
    let status: Int32
  }

  /// Runs a script over lines of input; returns the lines it prints.
  static func run(_ script: String, lines: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("python-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files, not pipes: neither side can then wait for the other for ever.
    let (input, output) = (
      folder.appendingPathComponent("input"), folder.appendingPathComponent("output")
    )
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}
