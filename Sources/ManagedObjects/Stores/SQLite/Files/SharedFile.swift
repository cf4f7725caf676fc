import SystemLibraries

/// Opening a store's file that several users of a machine may write.
///
/// SQLite creates the log and its index with the creator's umask, and gives them the file's
/// permissions a moment later, while they are still empty: only in between can another user with
/// write permission be refused.
struct SharedFile {
  /// The path of the file, with symbolic links resolved.
  let path: String
  /// How many seconds to wait while another process creates the log.
  let busyTimeout: Double

  /// The time in seconds within which a refusal may be due to a log that is complete by now.
  private static let moment = 0.5

  /// Runs a closure that opens the file, and repeats it while it fails because of a log being
  /// created.
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

  /// Whether the file and its folder are writable.
  private var mayWrite: Bool {
    faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 && Self.mayMakeFiles(beside: path)
  }

  /// Whether files may be created next to a file.
  static func mayMakeFiles(beside path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    return faccessat(AT_FDCWD, String(folder), W_OK | X_OK, AT_EACCESS) == 0
  }

  /// Whether there is a log or an index that is still empty and not yet accessible to this user.
  private var logIsBeingMade: Bool {
    ["-wal", "-shm"].contains { suffix in
      var info = stat()
      return stat(path + suffix, &info) == 0 && info.st_size == 0
        && faccessat(AT_FDCWD, path + suffix, R_OK | W_OK, AT_EACCESS) != 0
    }
  }
}
