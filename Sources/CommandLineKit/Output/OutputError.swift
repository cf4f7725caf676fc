import SystemLibraries

/// Why bytes could not be written.
package enum OutputError: Error, Hashable {
  /// The reader has gone, as `head` does: the program ends, quietly.
  case closedPipe
  /// Anything else, a full disk included, by the number of the C library.
  case failed(errno: Int32)

  /// What the program ends with.
  package var exitCode: ExitCode {
    switch self {
    case .closedPipe: .success
    case .failed: .inputOutput
    }
  }

  /// The reason in the system's words, `No space left on device`; `nil` where nothing is to be
  /// said.
  package var reason: String? {
    switch self {
    case .closedPipe: nil
    case .failed(let errno): strerror(errno).map { String(cString: $0) }
    }
  }
}
