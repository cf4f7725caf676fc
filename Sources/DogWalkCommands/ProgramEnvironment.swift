import CommandLineKit
import SystemLibraries

/// Everything outside the program that it reads from and writes to.
///
///     let surroundings = ProgramEnvironment(
///       environment: Environment(["DOGWALK_NOW": "2026-11-21T09:00:00Z"]), zone: .fixed(0),
///       output: .memory(), errors: .memory())
///
/// Creating one reads neither the time nor the zone nor the terminal.
struct ProgramEnvironment {
  /// The environment variables.
  let environment: Environment
  /// The local zone.
  let zone: LocalZone
  /// Standard output.
  let output: OutputSink
  /// Standard error.
  let errors: OutputSink
  /// Determines what standard output is connected to.
  let terminal: (Terminal.ColorChoice) -> Terminal
  /// Returns the width of the terminal that standard error is connected to; `nil` if it is none.
  let errorColumns: () -> Int?
  /// Reads a person's answer to a question; `nil` if nobody can be asked.
  let readAnswer: (() -> String?)?

  /// Whether the process ends with the command, so that memory need not be freed.
  let endsWithCommand: Bool

  /// Creates surroundings from the given parts.
  init(
    environment: Environment, zone: LocalZone, output: OutputSink, errors: OutputSink,
    terminal: @escaping (Terminal.ColorChoice) -> Terminal = { _ in Terminal(isTerminal: false) },
    errorColumns: @escaping () -> Int? = { nil }, readAnswer: (() -> String?)? = nil,
    endsWithCommand: Bool = false
  ) {
    self.environment = environment
    self.zone = zone
    self.output = output
    self.errors = errors
    self.terminal = terminal
    self.errorColumns = errorColumns
    self.readAnswer = readAnswer
    self.endsWithCommand = endsWithCommand
  }

  /// The surroundings of this process.
  ///
  /// From the first access on, a closed pipe causes an error instead of ending the process, and
  /// descriptors 0 to 2 never belong to another file.
  static var process: ProgramEnvironment {
    StandardStreams.prepare()
    // Questions go to standard error, since standard output may be a pipe.
    let isAnswered = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    return ProgramEnvironment(
      environment: .process, zone: .system,
      output: OutputSink(descriptor: STDOUT_FILENO), errors: OutputSink(descriptor: STDERR_FILENO),
      terminal: { Terminal(descriptor: STDOUT_FILENO, environment: .process, color: $0) },
      errorColumns: {
        let errors = Terminal(descriptor: STDERR_FILENO, environment: .process, color: .never)
        return errors.isTerminal ? errors.columns : nil
      },
      readAnswer: isAnswered ? { readLine() } : nil, endsWithCommand: true)
  }
}

@available(*, unavailable)
extension ProgramEnvironment: Sendable {}
