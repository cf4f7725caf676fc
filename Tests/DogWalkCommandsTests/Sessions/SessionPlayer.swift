import Foundation
import TestSupport

/// Runs a transcript's commands in one shell, in a fresh home, and records their answers.
///
/// It is a single shell, so that variables and `cd` last from command to command. The commands see
/// the given environment, HOME and PATH, an empty LOGNAME, and nothing else; they have no input.
/// Their output is not a terminal, unless a terminal's size is given.
struct SessionPlayer {
  enum Errors {
    /// Standard error comes after standard output, each line after `! `.
    case marked
    /// As on a terminal: both streams interleaved.
    case mixed
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let environment: [String: String]
  let errors: Errors
  /// The size of the terminal that standard output is, as `80x24`; `nil` if it is none.
  var terminalSize: String?

  /// The transcript with the current answers.
  ///
  /// - Throws: ``Failure`` if a command cannot be read by the shell or ends it.
  func play(_ transcript: Transcript) throws -> Transcript {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "dogwalk-session-\(UUID().uuidString)")
    let home = folder.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let terminal = try terminalSize.map { try PseudoTerminal(size: $0) }
    let shell = makeShell(script(transcript, in: folder, terminal: terminal?.path), home: home)
    let complaints = Pipe()
    shell.standardOutput = complaints
    shell.standardError = complaints
    try shell.run()
    // What was on the screen replaces the files that it was not written to.
    let screens = terminal?.parts(transcript.steps.count, until: shell) ?? []
    for (index, screen) in screens.enumerated() {
      try screen.write(to: folder.appending(path: "\(index).out"))
    }
    let complaint = try complaints.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()

    var played = transcript
    for index in played.steps.indices {
      guard let answer = answer(index, in: folder, home: home) else {
        throw Failure(
          description: """
            the session ended in or before: \(transcript.steps[index].command)
            \(String(decoding: complaint, as: UTF8.self))
            """)
      }
      played.steps[index].answer = answer
    }
    // An answer that looks like a command or a comment would be read as one the next time.
    guard Transcript(lines: played.lines) == played else {
      throw Failure(description: "an answer reads as a command: give it to sed in the session")
    }
    return played
  }

  /// The shell's input: each command with its output going to a file of its own.
  private func script(_ transcript: Transcript, in folder: URL, terminal: String?) -> String {
    let mark = "printf '\\\(String(PseudoTerminal.mark, radix: 8))'"
    return transcript.steps.enumerated().map { index, step in
      let file = "'\(folder.path)/\(index)"
      let output = terminal ?? "\(file).out'"
      let streams = errors == .mixed ? ">\(output) 2>&1" : ">\(output) 2>\(file).err'"
      let end = terminal.map { "\(mark) >\($0)\n" } ?? ""
      return "{\n\(step.command)\n} \(streams) </dev/null\necho $? >\(file).code'\n\(end)"
    }
    .joined()
  }

  /// The folder of the programs: those built with the tests, or those in `DOGWALK_PROGRAMS`.
  private static let programs =
    ProcessInfo.processInfo.environment["DOGWALK_PROGRAMS"] ?? URL.builtFolder.path

  /// The shell, ready to run a script.
  private func makeShell(_ script: String, home: URL) -> Process {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script]
    shell.currentDirectoryURL = home
    shell.environment = environment.merging(
      [
        "HOME": home.path,
        // No user name, whoever runs the tests.
        "LOGNAME": "",
        "PATH": "\(Self.programs):/usr/local/bin:/usr/bin:/bin",
      ], uniquingKeysWith: { $1 }
    )
    .merging(ProcessInfo.toolVariables) { $1 }
    shell.standardInput = FileHandle.nullDevice
    return shell
  }

  /// The lines that a step answered; `nil` if it never ended.
  private func answer(_ index: Int, in folder: URL, home: URL) -> [String]? {
    func lines(_ ending: String) -> [String] {
      let data = try? Data(contentsOf: folder.appending(path: "\(index).\(ending)"))
      let text = String(decoding: data ?? Data(), as: UTF8.self)
        .replacingOccurrences(of: home.path, with: "~")
        .replacingOccurrences(of: "\u{1B}", with: "␛")
      guard !text.isEmpty else { return [] }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      // A last line without a line end is marked, as some shells do.
      return lines.last == "" ? lines.dropLast() : lines + ["%"]
    }

    guard let code = lines("code").first else { return nil }
    return lines("out") + lines("err").map { "! \($0)" } + (code == "0" ? [] : ["[\(code)]"])
  }
}
