/// The number the program ends with; scripts rely on it.
///
///     throw ExitCode.no
///
/// The numbers above 63 are those of BSD's `sysexits.h`.
struct ExitCode: RawRepresentable, Hashable, Error {
  /// What `exit` is given.
  let rawValue: Int32

  /// Any number; prefer the named ones.
  init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  static let success = ExitCode(rawValue: 0)
  /// The answer is "no": nothing by that name or number, or a check that is false.
  static let no = ExitCode(rawValue: 1)
  /// The words make no command.
  static let usage = ExitCode(rawValue: 64)
  /// A file holds something else than it should.
  static let badData = ExitCode(rawValue: 65)
  /// A file to read is not there.
  static let noInput = ExitCode(rawValue: 66)
  /// Something needed is not installed or not running.
  static let unavailable = ExitCode(rawValue: 69)
  /// A bug in the program.
  static let bug = ExitCode(rawValue: 70)
  /// A file or folder cannot be made.
  static let cannotCreate = ExitCode(rawValue: 73)
  /// Reading or writing failed; a full disk too.
  static let inputOutput = ExitCode(rawValue: 74)
  /// The store is busy; trying again may work.
  static let busy = ExitCode(rawValue: 75)
  /// Permission is missing.
  static let noPermission = ExitCode(rawValue: 77)
  /// The environment names no place for the store.
  static let configuration = ExitCode(rawValue: 78)
  /// Interrupted with Control-C.
  static let interrupted = ExitCode(rawValue: 130)
}
