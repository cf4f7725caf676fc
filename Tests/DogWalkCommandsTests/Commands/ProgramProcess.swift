import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program as a process of its own, in a prompt's folder and with its variables.
final class ProgramProcess {
  private let process = Process()
  private let output: URL
  private let errors: URL

  /// Starts a command, which has no input.
  convenience init(_ words: [String], in prompt: Prompt) throws {
    try self.init(URL.builtFolder.appending(path: "dogwalk").path, words, in: prompt)
  }

  /// Starts a shell script that finds the program as `dogwalk`.
  convenience init(script: String, in prompt: Prompt) throws {
    try self.init("/bin/sh", ["-c", script], in: prompt)
  }

  /// Starts any program; the tested ones come first in its PATH.
  init(_ program: String, _ words: [String], in prompt: Prompt) throws {
    let name = UUID().uuidString
    output = prompt.file("\(name).out")
    errors = prompt.file("\(name).err")
    for file in [output, errors] { try Data().write(to: file) }
    process.executableURL = URL(filePath: program)
    process.arguments = words
    process.currentDirectoryURL = prompt.home
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = prompt.variables.merging([
      "TZ": "UTC", "PATH": "\(URL.builtFolder.path):\(folders)",
    ]) { $1 }
    .merging(ProcessInfo.toolVariables) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  /// Kills it with SIGKILL, unless it has ended.
  func kill() {
    if process.isRunning { _ = sendSignal(process.processIdentifier, SIGKILL) }
  }

  /// Waits for its end, and returns its answer.
  func answer() -> Prompt.Answer {
    process.waitUntilExit()
    return Prompt.Answer(
      output: text(output), errors: text(errors), code: process.terminationStatus)
  }

  private func text(_ file: URL) -> String {
    String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
  }
}

// In the type's own scope this name is another function's.
private let sendSignal = kill
