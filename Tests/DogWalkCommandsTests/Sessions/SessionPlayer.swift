import Foundation

/// Runs a transcript's commands in one shell, in a fresh home, and notes what they answer.
///
/// The shell is one, so that variables and `cd` last from command to command. The commands see the
/// environment given, HOME and PATH, and nothing else; they have nothing to read.
struct SessionPlayer {
  enum Errors {
    /// Standard error stands below standard output, each line behind `! `.
    case marked
    /// As on a terminal: both streams in one, as they came.
    case mixed
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let environment: [String: String]
  let errors: Errors

  /// The transcript with the answers that come now.
  ///
  /// - Throws: ``Failure`` where a command cannot be read by the shell or ends it.
  func play(_ transcript: Transcript) throws -> Transcript {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "dogwalk-session-\(UUID().uuidString)")
    let home = folder.appending(path: "home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let complaint = try run(script(transcript, in: folder), home: home)
    var played = transcript
    for index in played.steps.indices {
      played.steps[index].answer = try answer(index, in: folder, home: home, complaint: complaint)
    }
    // An answer that reads as a command or a comment would be taken for one the next time.
    guard Transcript(lines: played.lines) == played else {
      throw Failure(description: "an answer reads as a command: give it to sed in the session")
    }
    return played
  }

  /// What the shell is given: each command with its output going to files of its own.
  private func script(_ transcript: Transcript, in folder: URL) -> String {
    transcript.steps.enumerated().map { index, step in
      let file = "'\(folder.path)/\(index)"
      let streams = errors == .mixed ? ">\(file).out' 2>&1" : ">\(file).out' 2>\(file).err'"
      return "{\n\(step.command)\n} \(streams) </dev/null\necho $? >\(file).code'\n"
    }
    .joined()
  }

  /// Runs the script, and returns what the shell itself complained of.
  private func run(_ script: String, home: URL) throws -> String {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script]
    shell.currentDirectoryURL = home
    shell.environment = environment.merging(
      [
        "HOME": home.path,
        "PATH": "\(TestedPackage.programs.path):/usr/local/bin:/usr/bin:/bin",
      ], uniquingKeysWith: { $1 })
    // Where coverage is counted, the program's counts belong to it.
    if let profile = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] {
      shell.environment?["LLVM_PROFILE_FILE"] = profile
    }
    let complaints = Pipe()
    shell.standardInput = FileHandle.nullDevice
    shell.standardOutput = complaints
    shell.standardError = complaints
    try shell.run()
    let data = try complaints.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// The lines that a step answered.
  private func answer(
    _ index: Int, in folder: URL, home: URL, complaint: String
  ) throws -> [String] {
    func lines(_ ending: String) -> [String] {
      let data = try? Data(contentsOf: folder.appending(path: "\(index).\(ending)"))
      let text = String(decoding: data ?? Data(), as: UTF8.self)
        .replacingOccurrences(of: home.path, with: "~")
      guard !text.isEmpty else { return [] }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      // A last line that was not ended says so, as some shells do.
      return lines.last == "" ? lines.dropLast() : lines + ["%"]
    }

    guard let code = lines("code").first else {
      throw Failure(description: "the session ended in command \(index + 1). \(complaint)")
    }
    return lines("out") + lines("err").map { "! \($0)" } + (code == "0" ? [] : ["[\(code)]"])
  }
}
