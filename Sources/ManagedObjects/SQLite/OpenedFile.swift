import CSQLite
import DataFormats
import SystemLibraries

/// The identity of an opened file, to notice when its path leads to another one.
struct OpenedFile {
  private let path: String
  private let file: FileIdentity?

  /// The file that a path leads to now, with symbolic links followed.
  init(_ path: String) {
    self.path = path
    file = FileIdentity(path)
  }

  /// Whether a path leads to this file, whatever its name is now.
  func isFile(at path: String) -> Bool { file != nil && FileIdentity(path) == file }

  /// Whether the path now leads to another file or to none; looks the path up and does not open the
  /// file.
  ///
  /// - Throws: `SQLiteError` if the folder cannot be read.
  func hasMoved() throws(SQLiteError) -> Bool {
    if let found = FileIdentity(path) { return found != file }
    let number = errno
    guard [ENOENT, ENOTDIR].contains(number) else {
      throw SQLiteError(
        extendedCode: SQLITE_IOERR | (7 << 8),
        message: String(cString: sqlite3_errstr(SQLITE_IOERR)), systemErrno: number)
    }
    return file != nil
  }
}
