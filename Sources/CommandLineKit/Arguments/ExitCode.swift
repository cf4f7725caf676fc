/// The exit code of the program, which scripts rely on.
///
///     throw ExitCode.no
///
/// The numbers above 63 are those of BSD's `sysexits.h`.
package struct ExitCode: RawRepresentable, Hashable, Error {
  /// The value passed to `exit`.
  package let rawValue: Int32

  /// Creates an exit code with any number; prefer the named ones.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Success.
  package static let success = ExitCode(rawValue: 0)
  /// A negative answer: nothing with that name or number, or a check that fails.
  package static let no = ExitCode(rawValue: 1)
  /// The command line is invalid.
  package static let usage = ExitCode(rawValue: 64)
  /// A file has the wrong contents.
  package static let badData = ExitCode(rawValue: 65)
  /// An input file does not exist.
  package static let noInput = ExitCode(rawValue: 66)
  /// Something required is not installed or not running.
  package static let unavailable = ExitCode(rawValue: 69)
  /// A bug in the program.
  package static let bug = ExitCode(rawValue: 70)
  /// A file or folder cannot be created.
  package static let cannotCreate = ExitCode(rawValue: 73)
  /// Reading or writing failed, or the disk is full.
  package static let inputOutput = ExitCode(rawValue: 74)
  /// The store is busy; a later attempt may succeed.
  package static let busy = ExitCode(rawValue: 75)
  /// Permission is denied.
  package static let noPermission = ExitCode(rawValue: 77)
  /// A setting is invalid, or the location of the store is not configured.
  package static let configuration = ExitCode(rawValue: 78)
  /// Interrupted with Control-C.
  package static let interrupted = ExitCode(rawValue: 130)
}
