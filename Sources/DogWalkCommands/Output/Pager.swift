import CommandLineKit
import SystemLibraries

/// The program that shows long text screen by screen: `$PAGER`, or `less`.
final class Pager {
  private let command: String
  private var stream: UnsafeMutablePointer<FILE>?
  private var input: OutputSink?

  /// Creates the pager that an environment names; `nil` if it is not installed or not wanted.
  ///
  /// An empty `PAGER` and `cat` mean none, and so does a terminal that cannot move its cursor.
  init?(environment: Environment) {
    let command = environment["PAGER"] ?? "less"
    guard !command.isEmpty, command != "cat", environment["TERM"] != "dumb" else { return nil }
    // A command of several words is left to the shell, including its error messages.
    guard command.contains(" ") || Self.isProgram(command, environment) else { return nil }
    self.command = command
  }

  private static func isProgram(_ name: String, _ environment: Environment) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Starts the pager; returns `false` if that fails.
  func start() -> Bool {
    // As in git: less quits if the text fits the screen, shows colours, and does not clear the
    // screen.
    setenv("LESS", "FRX", 0)
    // In the pager, as in any other program, a closed pipe ends the process.
    signal(SIGPIPE, SIG_DFL)
    stream = popen(command, "w")
    OutputSink.ignoreWriteSignals()
    guard let stream else { return false }
    // Control-C is for the pager, which keeps running; this program ends after it.
    signal(SIGINT, SIG_IGN)
    input = OutputSink(descriptor: fileno(stream))
    return true
  }

  /// Writes a line to the pager.
  ///
  /// - Precondition: It was started.
  /// - Throws: `OutputError.closedPipe` if the person has quit it.
  func writeLine(_ line: String) throws(OutputError) {
    guard let input else { fatalError("the pager was not started") }
    try input.writeLine(line)
  }

  /// Writes the rest and waits for the pager to end.
  func end() throws(OutputError) {
    defer { close() }
    try input?.flush()
  }

  private func close() {
    if let stream { pclose(stream) }
    stream = nil
    signal(SIGINT, SIG_DFL)
  }

  deinit {
    if let stream { pclose(stream) }
  }
}

@available(*, unavailable)
extension Pager: Sendable {}
