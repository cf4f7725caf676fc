import SystemLibraries

extension Bench {
  /// Prints the reason on standard error, and ends the process.
  static func exit(code: Int32, _ reason: String) -> Never {
    let line = reason + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, line.utf8.count) }
    // Printed text is still in the C library's buffer.
    fflush(nil)
    _exit(code)
  }
}
