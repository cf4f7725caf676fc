package import Foundation

/// A program's answer: `try Answer(of: "git", ["status"])`.
package struct Answer {
  /// The program's exit code; the signal's number for one that was killed.
  package let exitCode: Int32
  /// What it wrote to standard output.
  package let output: Data
  /// What it wrote to standard error.
  package let errors: String

  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard output line by line, without empty lines at the ends of lines.
  package var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// Runs a program to its end: one of that name on the PATH, or the one at that path.
  ///
  /// - Throws: What `Process` throws if it cannot be started.
  package init(of program: String, _ words: [String], input: Data = Data()) throws {
    let folder = try TemporaryFolder()
    // Files, not pipes: neither side can then wait for the other for ever.
    let streams = try ["input", "output", "errors"].map { try folder.write(Data(), to: $0) }
    try input.write(to: streams[0])
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + words
    process.standardInput = try FileHandle(forReadingFrom: streams[0])
    process.standardOutput = try FileHandle(forWritingTo: streams[1])
    process.standardError = try FileHandle(forWritingTo: streams[2])
    try process.run()
    process.waitUntilExit()
    exitCode = process.terminationStatus
    output = try Data(contentsOf: streams[1])
    errors = String(decoding: try Data(contentsOf: streams[2]), as: UTF8.self)
  }
}
