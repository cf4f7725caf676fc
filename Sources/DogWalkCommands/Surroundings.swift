import CommandLineKit
import SystemLibraries

/// Everything around the program that it reads from and writes to.
///
///     let surroundings = Surroundings(
///       environment: Environment(["DOGWALK_NOW": "2026-11-21T09:00:00Z"]), zone: .fixed(0),
///       output: .memory(), errors: .memory())
///
/// Making one reads nothing: not the time, not the zone, not the terminal.
struct Surroundings {
  /// The environment variables.
  let environment: Environment
  /// The local zone.
  let zone: LocalZone
  /// Standard output.
  let output: OutputSink
  /// Standard error.
  let errors: OutputSink
  /// Finds out what standard output leads to.
  let terminal: (Terminal.ColorChoice) -> Terminal
  /// Finds out how wide the terminal is that standard error leads to; `nil` where it is none.
  let errorColumns: () -> Int?
  /// Reads the line that a person answers to a question; `nil` where nobody is there to be asked.
  let readAnswer: (() -> String?)?

  /// Whether the process ends with the command, so that nothing in memory need be taken down.
  let endsWithCommand: Bool

  /// Surroundings of the caller's.
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

  /// Those of this process.
  ///
  /// From then on a closed pipe is an error and no end, and descriptors 0 to 2 are never those of
  /// another file.
  static var process: Surroundings {
    StandardStreams.prepare()
    // Asked on standard error, since standard output may well be in a pipe.
    let isAnswered = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    return Surroundings(
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
extension Surroundings: Sendable {}
