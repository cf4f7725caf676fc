/// What a program says about an error, and the number it ends with.
///
///     throw Complaint(.no, "there is no walk 7", hint: "See dogwalk list.")
///     // dogwalk: there is no walk 7. See dogwalk list.
package struct Complaint: Error, Hashable {
  /// What is printed behind `dogwalk: `; `nil` where nothing is to be said.
  package let message: String?
  /// What is wrong, without what to do about it.
  package let reason: String?
  /// What the program ends with.
  package let exitCode: ExitCode

  /// A complaint whose whole message is given.
  package init(_ exitCode: ExitCode, _ message: String?) {
    self.message = message
    reason = message
    self.exitCode = exitCode
  }

  /// A complaint that says what is wrong and, as a sentence of its own, what to do about it.
  package init(_ exitCode: ExitCode, _ complaint: String, hint: String) {
    message = "\(complaint). \(hint)"
    reason = complaint
    self.exitCode = exitCode
  }

  /// The complaint about an error of the command line or of the output; `nil` for any other.
  package init?(aboutCommandLine error: any Error) {
    switch error {
    case let error as Complaint: self = error
    case let error as ValidationError: self.init(.usage, error.message)
    case let error as ExitCode: self.init(error, nil)
    case let error as OutputError:
      self.init(error.exitCode, error.reason.map { "writing the answer failed: \($0)." })
    default: return nil
    }
  }
}
