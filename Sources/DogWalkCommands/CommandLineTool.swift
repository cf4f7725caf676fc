import CommandLineKit
import ManagedObjects

/// The program: takes words, writes text, and returns an exit code.
///
///     exit(CommandLineTool.process.run())
///
/// This is the only code that turns words into the run of a command, and any error into a message
/// and an exit code. It touches nothing but its surroundings.
package struct CommandLineTool {
  /// The version that `--version` prints.
  static let version = PackageVersion.text

  private let surroundings: ProgramEnvironment

  /// The program in this process, with the process's streams, environment and clock.
  package static var process: CommandLineTool { CommandLineTool(in: .process) }

  /// Creates the program with the given surroundings.
  init(in surroundings: ProgramEnvironment) {
    self.surroundings = surroundings
  }

  /// Runs the command that the process was called with, and returns the exit code.
  package func run() -> Int32 {
    run(DebugOutput.removingRequests(from: Array(CommandLine.words.dropFirst())))
  }

  /// Runs the command given by the words, which exclude the program's own name.
  ///
  /// All output has been written when this returns. Returns the exit code.
  package func run(_ words: [String]) -> Int32 {
    let code: ExitCode
    do {
      try perform(words)
      code = .success
    } catch {
      let complaint = Complaint(about: error)
      // Output that precedes the error is shown before it.
      try? surroundings.output.flush()
      if let message = complaint.message {
        try? surroundings.errors.writeSentence(
          "dogwalk: \(message)", columns: surroundings.errorColumns())
      }
      code = complaint.exitCode
    }
    // If the error message cannot be written either, only the exit code remains.
    try? surroundings.errors.flush()
    return code.rawValue
  }

  private func perform(_ words: [String]) throws {
    switch try Invocation(words: words, commands: Command.dogwalk.specification) {
    case .version:
      try surroundings.output.writeLine("dogwalk \(Self.version)")
      try surroundings.output.flush()
    case .help(let path):
      try surroundings.output.write(
        HelpText(for: path, columns: surroundings.terminal(.auto).columns).text)
      try surroundings.output.flush()
    case .manual:
      let page = ManualPage(for: Command.dogwalk.specification, version: Self.version)
      try surroundings.output.write(page.text)
      try surroundings.output.flush()
    case .run(let path, let values):
      let command = Command.dogwalk.subcommand(path.names)
      let run = CommandRun(
        words: words, values: values, options: path.command.options, isReading: command.isReading,
        in: surroundings)
      // The system frees the memory faster; only the store has to be closed.
      if surroundings.endsWithCommand { _ = Unmanaged.passRetained(run) }
      defer { if surroundings.endsWithCommand { run.closeAtExit() } }
      do {
        // `config` can repair settings that cannot be read, so it does not depend on them.
        let isConfig = path.names.first == "config"
        if !isConfig {
          try run.execServerProgram(isNeeded: path.names.first != "completions")
          try run.takeSettings()
        }
        let style = try isConfig ? ReadingStyle() : run.readingStyle()
        try ReadingStyle.$current.withValue(style) { try command.perform(run) }
        try run.checkEverythingRead()
        try surroundings.output.flush()
      } catch  where run.hasSaved {
        throw Complaint(savedBut: error, call: run.call)
      } catch let error as OutputError {
        guard let file = run.writtenFile?.escapingControls else {
          throw Complaint(about: error, call: run.call)
        }
        throw Complaint(printing: error, after: "\(file) is written")
      } catch {
        throw Complaint(about: error, call: run.call)
      }
    }
  }
}

@available(*, unavailable)
extension CommandLineTool: Sendable {}
