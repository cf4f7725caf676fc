/// The message that a program prints for an error, with its exit code.
///
///     throw Complaint(.no, "there is no walk 7", hint: "See dogwalk list.")
///     // dogwalk: there is no walk 7. See dogwalk list.
package struct Complaint: Error, Hashable {
  /// The message printed after `dogwalk: `; `nil` to print nothing.
  package let message: String?
  /// The error message, without the hint.
  package let reason: String?
  /// The exit code of the program.
  package let exitCode: ExitCode

  /// Creates a complaint with a complete message.
  package init(_ exitCode: ExitCode, _ message: String?) {
    self.message = message
    reason = message
    self.exitCode = exitCode
  }

  /// Creates a complaint from a reason and a hint, which is a sentence of its own.
  package init(_ exitCode: ExitCode, _ complaint: String, hint: String) {
    message = "\(complaint). \(hint)"
    reason = complaint
    self.exitCode = exitCode
  }

  /// The complaint about an error of the command line or of output; `nil` for any other error.
  package init?(aboutCommandLine error: any Error) {
    switch error {
    case let error as Complaint: self = error
    case let error as ValidationError: self.init(.usage, error.message)
    case let error as ExitCode: self.init(error, nil)
    case let error as OutputError:
      self.init(error.exitCode, error.reason.map { "writing the output failed: \($0)." })
    default: return nil
    }
  }
}
