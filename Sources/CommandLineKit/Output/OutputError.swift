import SystemLibraries

/// The reason why bytes could not be written.
package enum OutputError: Error, Hashable {
  /// The reader has closed the pipe, as `head` does: the program exits silently.
  case closedPipe
  /// Any other error, including a full disk, by the C library's error number.
  case failed(errno: Int32)

  /// The exit code of the program.
  package var exitCode: ExitCode {
    switch self {
    case .closedPipe: .success
    case .failed: .inputOutput
    }
  }

  /// The system's message, such as `No space left on device`; `nil` to print nothing.
  package var reason: String? {
    switch self {
    case .closedPipe: nil
    case .failed(let errno): strerror(errno).map { String(cString: $0) }
    }
  }
}
