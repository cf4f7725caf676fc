import ModelCompiler
import SystemLibraries

/// The model compiler at the prompt: `momc MODEL.xcdatamodeld OUTPUT.swift`.
@main
struct Momc {
  static func main() {
    let command = CompileCommand(
      standardOutput: { write($0, to: STDOUT_FILENO) },
      standardError: { write($0, to: STDERR_FILENO) })
    exit(command.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Writes a text as far as it goes; there is nobody to tell where it does not.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { writeBytes(descriptor, $0.baseAddress, $0.count) }
      if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
    }
  }
}

// In the type's own scope this name is another function's.
private let writeBytes = write
