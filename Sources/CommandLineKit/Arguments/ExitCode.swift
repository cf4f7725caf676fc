/// The number the program ends with; scripts rely on it.
///
///     throw ExitCode.no
///
/// The numbers above 63 are those of BSD's `sysexits.h`.
package struct ExitCode: RawRepresentable, Hashable, Error {
  /// What `exit` is given.
  package let rawValue: Int32

  /// Any number; prefer the named ones.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  package static let success = ExitCode(rawValue: 0)
  /// The answer is "no": nothing by that name or number, or a check that is false.
  package static let no = ExitCode(rawValue: 1)
  /// The words make no command.
  package static let usage = ExitCode(rawValue: 64)
  /// A file holds something else than it should.
  package static let badData = ExitCode(rawValue: 65)
  /// A file to read is not there.
  package static let noInput = ExitCode(rawValue: 66)
  /// Something needed is not installed or not running.
  package static let unavailable = ExitCode(rawValue: 69)
  /// A bug in the program.
  package static let bug = ExitCode(rawValue: 70)
  /// A file or folder cannot be made.
  package static let cannotCreate = ExitCode(rawValue: 73)
  /// Reading or writing failed; a full disk too.
  package static let inputOutput = ExitCode(rawValue: 74)
  /// The store is busy; trying again may work.
  package static let busy = ExitCode(rawValue: 75)
  /// Permission is missing.
  package static let noPermission = ExitCode(rawValue: 77)
  /// A setting cannot be used, or nothing says where the store is.
  package static let configuration = ExitCode(rawValue: 78)
  /// Interrupted with Control-C.
  package static let interrupted = ExitCode(rawValue: 130)
}
