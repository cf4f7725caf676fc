import CSQLite

/// The write-ahead log beside the file.
extension Connection {
  /// Whether the file is to be read together with a write-ahead log, be there one or not.
  var expectsLog: Bool { csqlite_expects_log(handle) == 1 }

  /// Whether nobody else has the file open with its log, so that what is in the log was left there.
  ///
  /// For a connection that may write and has not read anything yet.
  var isAlone: Bool { csqlite_is_alone(handle) == 1 }

  /// Has the connection leave the log in place when it closes, or not any more
  /// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  func keepLogOnClose(_ keeps: Bool) { _ = csqlite_keep_wal_on_close(handle, keeps ? 1 : 0) }

  /// Turns automatic checkpoints off and counts the pages in the log instead (`sqlite3_wal_hook`).
  func countPagesInLog() {
    // The hook is called on this connection's calls only, and goes with it.
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue().pagesInLog = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What a checkpoint has come to.
  enum CheckpointResult {
    /// All of the log is in the file.
    case complete
    /// Others read or write, and hold back some of it.
    case heldBack
    /// The disk has failed, or is full.
    case failed(SQLiteError)
  }

  /// Copies the log into the file, as far as nobody reads what it would replace
  /// (`SQLITE_CHECKPOINT_PASSIVE`).
  func checkpoint() -> CheckpointResult { checkpoint(SQLITE_CHECKPOINT_PASSIVE) }

  /// Copies the log into the file and empties it (`SQLITE_CHECKPOINT_TRUNCATE`).
  ///
  /// - Parameter seconds: for how long to wait for those who stand in the way.
  @discardableResult
  func emptyLog(waiting seconds: Double) -> CheckpointResult {
    let usual = backoff.seconds
    backoff.seconds = seconds
    defer { backoff.seconds = usual }
    let result = checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
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
