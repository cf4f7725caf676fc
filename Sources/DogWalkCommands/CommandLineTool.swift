import CommandLineKit
import ManagedObjects

/// The program: words in, text and an exit code out.
///
///     exit(CommandLineTool.process.run())
///
/// The one place where words become the run of a command, and where any error becomes a message and
/// an exit code. It touches nothing but its surroundings.
package struct CommandLineTool {
  /// The version, as `--version` shows it.
  static let version = PackageVersion.text

  private let surroundings: Surroundings

  /// The program in this process, with its streams, its environment and its clock.
  package static var process: CommandLineTool { CommandLineTool(in: .process) }

  /// The program in surroundings of the caller's.
  init(in surroundings: Surroundings) {
    self.surroundings = surroundings
  }

  /// Runs the command that the process was called with.
  package func run() -> Int32 {
    run(DebugOutput.removingRequests(from: Array(CommandLine.words.dropFirst())))
  }

  /// Runs the command that the words call, the program's own name left out.
  ///
  /// When this returns, everything that was said has been written. Gives the exit code.
  package func run(_ words: [String]) -> Int32 {
    let code: ExitCode
    do {
      try perform(words)
      code = .success
    } catch {
      let complaint = Complaint(about: error)
      // What came before the error is shown before it.
      try? surroundings.output.flush()
      if let message = complaint.message {
        try? surroundings.errors.writeSentence(
          "dogwalk: \(message)", columns: surroundings.errorColumns())
      }
      code = complaint.exitCode
    }
    // Where even the complaint cannot be written, the code is all there is to give.
    try? surroundings.errors.flush()
    return code.rawValue
  }

  private func perform(_ words: [String]) throws {
    switch try Invocation(words: words, commands: Command.dogwalk.specification) {
    case .version:
      try surroundings.output.writeLine("dogwalk \(Self.version)")
      try surroundings.output.flush()
    case .help(let path):
      try surroundings.output.write(HelpText(for: path).text)
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
      // The system takes memory down faster; only the store has to be closed.
      if surroundings.endsWithCommand { _ = Unmanaged.passRetained(run) }
      defer { if surroundings.endsWithCommand { run.closeAtExit() } }
      do {
        // `config` puts right what cannot be read, and so goes by none of it.
        let isConfig = path.names.first == "config"
        if !isConfig {
          try run.handOver(isNeeded: path.names.first != "completions")
          try run.takeSettings()
        }
        let style = try isConfig ? ReadingStyle() : run.readingStyle()
        try ReadingStyle.$current.withValue(style) { try command.perform(run) }
        try run.checkEverythingRead()
        try surroundings.output.flush()
      } catch  where run.hasSaved {
        throw Complaint(savedBut: error, call: run.call)
      } catch {
        throw Complaint(about: error, call: run.call)
      }
    }
  }
}

@available(*, unavailable)
extension CommandLineTool: Sendable {}
