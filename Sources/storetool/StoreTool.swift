import CSVStores
import CommandLineKit
import ManagedObjects
import SystemLibraries

/// The command-line tool for Core Data stores: `storetool inspect Kennel.sqlite --model …`.
@main
struct StoreTool {
  private let environment = Environment.process
  private let output = OutputSink(descriptor: STDOUT_FILENO)
  private let errors = OutputSink(descriptor: STDERR_FILENO)

  static func main() {
    StandardStreams.prepare()
    CSVStore.register()
    exit(
      StoreTool().run(DebugOutput.removingRequests(from: Array(CommandLine.words.dropFirst()))))
  }

  /// Runs the command; everything is written when this returns the exit code.
  private func run(_ words: [String]) -> Int32 {
    let code: ExitCode
    do {
      try perform(words)
      try output.flush()
      code = .success
    } catch {
      let complaint = Complaint(about: error)
      // Output before the error is shown before it.
      try? output.flush()
      if let message = complaint.message {
        try? errors.writeSentence("storetool: \(message)", columns: nil)
      }
      code = complaint.exitCode
    }
    // If the error message cannot be written either, only the exit code remains.
    try? errors.flush()
    return code.rawValue
  }

  private func perform(_ words: [String]) throws {
    switch try Invocation(words: words, commands: .storetool) {
    case .version: try output.writeLine("storetool \(PackageVersion.text)")
    case .help(let path):
      let terminal = Terminal(descriptor: STDOUT_FILENO, environment: environment, color: .never)
      try output.write(HelpText(for: path, columns: terminal.columns).text)
    case .manual:
      try output.write(ManualPage(for: .storetool, version: PackageVersion.text).text)
    case .run(let path, let values):
      let run = ToolRun(
        values: values, output: output, errors: errors,
        terminal: Terminal(
          descriptor: STDOUT_FILENO, environment: environment,
          color: values[.color].flatMap(Terminal.ColorChoice.init) ?? .auto))
      switch path.names {
      case ["inspect"]: try Inspection(run).perform()
      case ["create"]: try Creation(run).perform()
      case ["model"]: try ModelListing(run).perform()
      case ["diff"]: try ModelDiff(run).perform()
      case ["history"]: try HistoryListing(run).perform()
      case ["migrate"]: try Migration(run).perform()
      case ["convert"]: try Conversion(run).perform()
      default: throw ValidationError("no command is given", hint: "See storetool --help.")
      }
    }
  }
}

@available(*, unavailable) extension StoreTool: Sendable {}
