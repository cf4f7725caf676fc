import SystemLibraries

extension Bench {
  /// Says why on standard error, and ends.
  static func exit(code: Int32, _ reason: String) -> Never {
    let line = reason + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, line.utf8.count) }
    // What was printed is still in the C library's buffer.
    fflush(nil)
    _exit(code)
  }
}
