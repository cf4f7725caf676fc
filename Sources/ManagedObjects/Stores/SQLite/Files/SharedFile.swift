import SystemLibraries

/// Opening a store's file that several users of a machine may use.
///
/// SQLite creates the log and its index with the creator's umask, and gives them the file's
/// permissions a moment later, while they are still empty: only in between can another user with
/// write permission be refused.
struct SharedFile {
  /// The path of the file, with symbolic links resolved.
  let path: String
  /// Whether the file is only read.
  var isReadOnly = false
  /// How many seconds to wait while another process creates the log.
  let busyTimeout: Double

  /// The time in seconds for which a refusal is retried at least, whatever its cause.
  private static let moment = 0.5

  /// Runs a closure that opens the file, and repeats it while it fails because of a log being
  /// created.
  ///
  /// A log that was completed or deleted since the refusal leaves no trace. Then the refusal is
  /// retried like a lock; only a log or journal with contents that this user may not access is
  /// final.
  func opening<Result>(_ open: () throws -> Result) throws -> Result {
    var refused: Double?
    while true {
      do {
        return try open()
      } catch let error as PersistentStoreError {
        guard case .noPermission = error, mayOpen else { throw error }
        let now = monotonicSeconds()
        // Counted from the first refusal: the attempt itself may have waited for locks.
        let start = refused ?? now
        refused = start
        let patience = isClosedToUser ? Self.moment : max(Self.moment, busyTimeout)
        guard now < start + patience else { throw error }
        RetryBackoff.pauseBriefly()
      }
    }
  }

  /// The accesses that the file and its log need.
  private var access: Int32 { isReadOnly ? R_OK : R_OK | W_OK }

  /// Whether the file and its folder have the permissions that opening needs.
  private var mayOpen: Bool {
    faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0
      && (isReadOnly || Self.mayMakeFiles(beside: path))
  }

  /// Whether files may be created next to a file.
  static func mayMakeFiles(beside path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    return faccessat(AT_FDCWD, String(folder), W_OK | X_OK, AT_EACCESS) == 0
  }

  /// Whether there is a log, an index or a journal with contents that this user may not access.
  private var isClosedToUser: Bool {
    ["-wal", "-shm", "-journal"].contains { suffix in
      var info = stat()
      return stat(path + suffix, &info) == 0 && info.st_size > 0
        && faccessat(AT_FDCWD, path + suffix, access, AT_EACCESS) != 0
    }
  }
}

extension Connection {
  /// Refuses a connection that can only read the log: it was created by another user, and opened
  /// before it got the file's permissions.
  ///
  /// Only files that several users may write are checked: if nobody else writes, a command is
  /// spared the lock.
  ///
  /// - Throws: `SQLiteError`.
  func refuseReadOnlyLog(of path: String) throws {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & (S_IWGRP | S_IWOTH) != 0 else { return }
    do {
      try backoff.limiting(to: 0) { try execute("BEGIN IMMEDIATE") }
      try execute("ROLLBACK")
    } catch let error as SQLiteError where error.isBusy {
      // SQLite refuses a log that is read-only before it waits for the lock.
    }
  }
}
