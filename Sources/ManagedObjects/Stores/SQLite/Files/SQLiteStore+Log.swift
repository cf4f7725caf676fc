import SystemLibraries

/// The write-ahead log of a store: saves are written to it first, and to the file before the store
/// closes.
extension SQLiteStore {
  /// The length from which the log is emptied between saves.
  ///
  /// A log of many saves slows down other processes that read it, and emptying it costs three
  /// syncs.
  private static let pagesInLongLog = 96
  /// The length of the log from which it pays to wait for readers.
  ///
  /// Otherwise they could make it grow for ever: each reads only for a moment, but there may always
  /// be one.
  private static let pagesInOverlongLog = 1_000
  /// How many seconds to wait for readers.
  private static let longestWait = 0.05

  /// Moves the log into the file once it has grown, unless other connections prevent that.
  ///
  /// Automatic checkpoints are off: while the log cannot be emptied, each would copy all of it
  /// again in programs that run a single command.
  func shortenLog() {
    let pages = connection.pagesInLog
    guard pages >= Self.pagesInLongLog else { return }
    let waits = pages >= max(Self.pagesInOverlongLog, 2 * pagesWaitedFor)
    if waits { pagesWaitedFor = pages }
    if case .complete = connection.emptyLog(waiting: waits ? Self.longestWait : 0) {
      pagesWaitedFor = 0
    }
  }

  /// Copies the log into the file, so that the file alone contains the whole store.
  ///
  /// Pages that other connections read remain in the log: the last of them to close the store, or
  /// the next writer, copies them.
  ///
  /// - Parameter seconds: how long to wait for them.
  /// - Throws: `SQLiteError` if the disk fails. Then what was saved is in the log.
  func checkpoint(waiting seconds: Double = 0) throws {
    guard !isReadOnly, connection.pagesInLog > 0, !connection.isInTransaction else { return }
    let deadline = monotonicSeconds() + seconds
    while true {
      switch connection.checkpoint() {
      case .complete: return
      case .failed(let error): throw error
      case .heldBack:
        guard monotonicSeconds() < deadline else { return }
        RetryBackoff.pauseBriefly()
      }
    }
  }

  /// Closes the store in a process that is about to exit.
  ///
  /// - Throws: as `leaveLogEmpty(waiting:)` does.
  func closeAtExit() throws {
    readers?.closeIdle()
    defer { connection.closeAtExit() }
    try leaveLogEmpty(waiting: Self.longestWait)
    removeDroppedFiles()
  }

  /// Copies the log into the file and empties it, unless other connections prevent that.
  ///
  /// The log stays if others have the store open, and also if the last two close it at once.
  /// Contents that the file already has would then be applied to another file that is moved to this
  /// name.
  ///
  /// - Parameter seconds: how long to wait for readers.
  /// - Throws: as `checkpoint(waiting:)` does.
  func leaveLogEmpty(waiting seconds: Double = 0) throws {
    guard !isReadOnly, connection.pagesInLog > 0, !connection.isInTransaction else { return }
    switch connection.emptyLog(waiting: 0) {
    case .complete: return
    case .failed(let error): throw error
    case .heldBack:
      try checkpoint(waiting: seconds)
      connection.emptyLog(waiting: 0)
    }
  }

  // MARK: Logs that were left behind

  /// Refuses a log whose file is missing or empty: its contents are stored nowhere else.
  static func refuseStrayLog(at path: String, of url: URL) throws {
    if FileSignature.logHasFrames(path) { throw PersistentStoreError.orphanedLog(url) }
  }

  /// Refuses a log that cannot belong to the file next to it.
  static func refuseForeignLog(at path: String, of url: URL) throws {
    guard FileSignature.logHasFrames(path), let log = LogContents(at: path + "-wal") else { return }
    var info = stat()
    guard stat(path, &info) == 0 else { return }
    let fits = log.fits(fileOf: Int(info.st_size), pageSize: pageSize(ofFileAt: path))
    if !fits { throw PersistentStoreError.foreignLog(url) }
  }
}
