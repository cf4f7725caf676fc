import CSQLite

/// The write-ahead log of the file.
extension Connection {
  /// Whether the file is in WAL mode, whether or not a log exists at the moment.
  var expectsLog: Bool { csqlite_expects_log(handle) == 1 }

  /// Whether no other connection has the file open in WAL mode, so that any log is a leftover.
  ///
  /// For a connection that may write and has not read anything yet.
  var isAlone: Bool { csqlite_is_alone(handle) == 1 }

  /// Sets whether the connection leaves the log in place when it closes
  /// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  func keepLogOnClose(_ keeps: Bool) { _ = csqlite_keep_wal_on_close(handle, keeps ? 1 : 0) }

  /// Turns automatic checkpoints off and counts the pages in the log instead (`sqlite3_wal_hook`).
  func countPagesInLog() {
    // SQLite calls the hook only during calls on this connection, and drops it on closing.
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue().pagesInLog = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The outcome of a checkpoint.
  enum CheckpointResult {
    /// The whole log was copied into the file.
    case complete
    /// Other connections read or write, so that part of the log was not copied.
    case heldBack
    /// The disk failed or is full.
    case failed(SQLiteError)
  }

  /// Copies the log into the file, except for pages that readers still need
  /// (`SQLITE_CHECKPOINT_PASSIVE`).
  func checkpoint() -> CheckpointResult { checkpoint(SQLITE_CHECKPOINT_PASSIVE) }

  /// Copies the log into the file and empties it (`SQLITE_CHECKPOINT_TRUNCATE`).
  ///
  /// - Parameter seconds: how long to wait for other connections.
  @discardableResult
  func emptyLog(waiting seconds: Double) -> CheckpointResult {
    let result = backoff.limiting(to: seconds) { checkpoint(SQLITE_CHECKPOINT_TRUNCATE) }
    if case .complete = result { pagesInLog = 0 }
    return result
  }

  private func checkpoint(_ mode: Int32) -> CheckpointResult {
    var (pages, copied): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &copied)
    guard code == SQLITE_OK else {
      let error = SQLiteError(connection: handle)
      return error.isBusy ? .heldBack : .failed(error)
    }
    return copied == pages ? .complete : .heldBack
  }
}
