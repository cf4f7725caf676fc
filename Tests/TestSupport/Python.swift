import Foundation

/// The machine's python3: a second opinion on what we read and write.
package enum Python {
  /// Whether there is one.
  package static let isInstalled: Bool = (try? run("print(1)").lines) == ["1"]

  /// Whether it, the real stores and the tools that check stores are on this machine.
  package static let hasTools =
    isInstalled
    && FileManager.default.fileExists(atPath: URL.tools.appending(path: "dump_store.py").path)

  /// The error of a script that failed.
  package struct Failure: Error {
    /// Its exit code.
    package let exitCode: Int32
    /// Its traceback.
    package let errors: String
  }

  /// Runs a script over lines of input.
  ///
  /// - Throws: ``Failure`` if the script does not end with 0.
  package static func run(
    _ script: String, _ words: [String] = [], lines: [String] = []
  ) throws -> Answer {
    let input = Data(lines.map { $0 + "\n" }.joined().utf8)
    let answer = try Answer(of: "python3", ["-c", script] + words, input: input)
    guard answer.exitCode == 0 else {
      throw Failure(exitCode: answer.exitCode, errors: answer.errors)
    }
    return answer
  }

  /// Runs one of the tools that check stores: `try Python.runTool("dump_store.py", path)`.
  package static func runTool(_ name: String, _ words: [String]) throws -> Answer {
    try Answer(of: "python3", [URL.tools.appending(path: name).path] + words)
  }
}
