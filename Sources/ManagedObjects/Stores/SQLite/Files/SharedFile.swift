import SystemLibraries

/// A store's file that several users of a machine may write, as one of them opens it.
///
/// SQLite makes the log and its index for whoever their maker's mask lets in, and gives them the
/// file's permissions a moment later, while they are still empty: who may write the file and its
/// folder is refused only for so long.
struct SharedFile {
  /// Where the file is, links followed.
  let path: String
  /// For how many seconds another one's log is waited for, whose making takes its time.
  let busyTimeout: Double

  /// For how many seconds a refusal may be the one that has just ended.
  private static let moment = 0.5

  /// Runs what opens the file; again, while it is refused what is just being made.
  func opening<Result>(_ open: () throws -> Result) throws -> Result {
    let start = RetryBackoff.now
    var end = start + Self.moment
    while true {
      do {
        return try open()
      } catch let error as PersistentStoreError {
        guard case .noPermission = error, mayWrite else { throw error }
        let now = RetryBackoff.now
        if logIsBeingMade, now < start + busyTimeout { end = now + Self.moment }
        guard now < end else { throw error }
        RetryBackoff.nap()
      }
    }
  }

  /// Whether the file and its folder may be written.
  private var mayWrite: Bool {
    faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 && Self.mayMakeFiles(beside: path)
  }

  /// Whether files may be made beside a file.
  static func mayMakeFiles(beside path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    return faccessat(AT_FDCWD, String(folder), W_OK | X_OK, AT_EACCESS) == 0
  }

  /// Whether a log or its index lies beside the file that is empty, and not for this user yet.
  private var logIsBeingMade: Bool {
    ["-wal", "-shm"].contains { suffix in
      var info = stat()
      return stat(path + suffix, &info) == 0 && info.st_size == 0
        && faccessat(AT_FDCWD, path + suffix, R_OK | W_OK, AT_EACCESS) != 0
    }
  }
}
