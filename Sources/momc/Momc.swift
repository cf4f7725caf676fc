import ModelCompiler
import SystemLibraries

/// The model compiler as a command: `momc MODEL.xcdatamodeld OUTPUT.swift`.
@main
struct Momc {
  static func main() {
    let command = CompileCommand(
      standardOutput: { write($0, to: STDOUT_FILENO) },
      standardError: { write($0, to: STDERR_FILENO) })
    exit(command.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Writes a text; an error cannot be reported and is ignored.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
    }
  }
}

// Inside the type, `write` would be the method.
private let writeBytes = write
