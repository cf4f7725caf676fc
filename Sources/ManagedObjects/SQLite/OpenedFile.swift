import CSQLite
import DataFormats
import SystemLibraries

/// A file that is open under a name, which may lead to another file by now.
struct OpenedFile {
  private let path: String
  private let file: FileIdentity?

  /// The file that a path leads to now, through links.
  init(_ path: String) {
    self.path = path
    file = FileIdentity(path)
  }

  /// Whether a path leads to this file, whatever its name is by now.
  func isFile(at path: String) -> Bool { file != nil && FileIdentity(path) == file }

  /// Whether the path leads to another file by now, or to none; looks at the folder, not at the
  /// file.
  ///
  /// - Throws: `SQLiteError` where the folder cannot be read.
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
