import SystemLibraries

/// The write-ahead log beside a store: saves go there first, and into the file before the store
/// closes.
extension SQLiteStore {
  /// The length from which the log is emptied in between.
  ///
  /// A log that holds many saves is one that others will have to read, and emptying it costs three
  /// syncs.
  private static let pagesInLongLog = 96
  /// The length from which it is worth waiting for those who read, lest they keep it growing: each
  /// of them for a moment only, but one always there.
  private static let pagesInOverlongLog = 1_000
  /// For how many seconds.
  private static let longestWait = 0.05

  /// Moves the log into the file once it has grown, unless others stand in the way.
  ///
  /// Automatic checkpoints are off: beside a log that cannot be emptied, each of them copies all of
  /// it anew in a program that ends after one command.
  func shortenLog() {
    let pages = connection.pagesInLog
    guard pages >= Self.pagesInLongLog else { return }
    let waits = pages >= max(Self.pagesInOverlongLog, 2 * pagesWaitedFor)
    if waits { pagesWaitedFor = pages }
    if case .complete = connection.emptyLog(waiting: waits ? Self.longestWait : 0) {
      pagesWaitedFor = 0
    }
  }

  /// Copies what was saved from the log into the file, so that the file alone is the store.
  ///
  /// What others are just reading stays in the log: whoever of them closes the store last copies
  /// it, or the next who writes.
  ///
  /// - Parameter seconds: for how long to wait for them.
  /// - Throws: `SQLiteError` where the disk has failed. What was saved is in the log then.
  func checkpoint(waiting seconds: Double = 0) throws {
    guard !isReadOnly, connection.pagesInLog > 0, !connection.isInTransaction else { return }
    let deadline = RetryBackoff.now + seconds
    while true {
      switch connection.checkpoint() {
      case .complete: return
      case .failed(let error): throw error
      case .heldBack:
        guard RetryBackoff.now < deadline else { return }
        RetryBackoff.nap()
      }
    }
  }

  /// Closes the store in a process that is about to end.
  ///
  /// - Throws: as `checkpoint(waiting:)` does.
  func closeAtExit() throws {
    readers?.closeIdle()
    defer { connection.closeAtExit() }
    try checkpoint(waiting: Self.longestWait)
    removeDroppedFiles()
  }

  // MARK: Logs that were left behind

  /// Refuses a log beside a file that is missing or empty: what is in it is nowhere else.
  static func refuseStrayLog(at path: String, of url: URL) throws {
    if FileTraces.logHasFrames(path) { throw PersistentStoreError.strayLog(url) }
  }

  /// Refuses a log that cannot be the one of the file that it lies beside.
  static func refuseForeignLog(at path: String, of url: URL) throws {
    guard FileTraces.logHasFrames(path), let log = LogContents(at: path + "-wal") else { return }
    var info = stat()
    guard stat(path, &info) == 0 else { return }
    let fits = log.fits(fileOf: Int(info.st_size), pageSize: pageSize(ofFileAt: path))
    if !fits { throw PersistentStoreError.foreignLog(url) }
  }
}
