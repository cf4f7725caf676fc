import CommandLineKit
import SystemLibraries

/// The program that shows long text screen by screen: `$PAGER`, or `less`.
final class Pager {
  private let command: String
  private var stream: UnsafeMutablePointer<FILE>?
  private var input: OutputSink?

  /// The pager that an environment names; `nil` where there is none to be had, or none is wanted.
  ///
  /// An empty `PAGER`, and `cat`, mean none; so does a terminal that cannot move its cursor.
  init?(environment: Environment) {
    let command = environment["PAGER"] ?? "less"
    guard !command.isEmpty, command != "cat", environment["TERM"] != "dumb" else { return nil }
    // More than one word is the shell's to understand, and to complain about.
    guard command.contains(" ") || Self.isProgram(command, environment) else { return nil }
    self.command = command
  }

  private static func isProgram(_ name: String, _ environment: Environment) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Starts it; `false` where that does not go.
  func start() -> Bool {
    // As git does: less leaves a text that fits, shows colours, and leaves the screen as it is.
    setenv("LESS", "FRX", 0)
    // The pager is a program like any other: a closed pipe ends it.
    signal(SIGPIPE, SIG_DFL)
    stream = popen(command, "w")
    OutputSink.ignoreBrokenPipeSignals()
    guard let stream else { return false }
    // Control-C is for the pager, which stays; this program ends when it does.
    signal(SIGINT, SIG_IGN)
    input = OutputSink(descriptor: fileno(stream))
    return true
  }

  /// Writes a line to it.
  ///
  /// - Precondition: It was started.
  /// - Throws: `OutputError.closedPipe` where the person has left it.
  func writeLine(_ line: String) throws(OutputError) {
    guard let input else { fatalError("the pager was not started") }
    try input.writeLine(line)
  }

  /// Writes what is left and waits for its end.
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
