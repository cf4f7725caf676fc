import SystemLibraries

/// A store's file that is only looked at: one state of it is seen, and what lies there stays as it
/// is.
///
/// - Whoever may write to the file and its folder shares it as SQLite does. The log and the index
///   that SQLite makes for that go when the last one closes it.
/// - A log, or a journal, that nobody has open was left behind: both are read in a copy, so that
///   neither is taken up.
/// - Whoever may not make files there shares the log and the index of a program that has the store
///   open. Else a copy is read, in the folder for temporary files: SQLite's locks cannot keep a
///   program from writing to the file then, so the copy counts only where nothing has changed while
///   it was made.
struct ReadOnlyFile {
  /// The store's place, for errors.
  let url: URL
  /// Where its file is, links followed.
  let path: String
  let busyTimeout: Double
  /// Who is told of what is read; nil for whatever the process was asked for.
  var debug: DebugOutput?

  /// A connection, and what it is good for.
  struct Opened {
    let connection: Connection
    /// How the files were when they were copied; nil where they are read in place.
    let traces: FileTraces?
  }

  /// Opens the file as it is now.
  ///
  /// - Throws: `SQLiteError`; `PersistentStoreError`: `busy` where others write all the time,
  ///   `foreignLog` where the log beside it cannot be its own.
  func open() throws -> Opened {
    let deadline = RetryBackoff.now + busyTimeout
    while true {
      let traces = FileTraces(of: path)
      if let connection = try shared(traces) { return Opened(connection: connection, traces: nil) }
      if let connection = try copied(traces) {
        return Opened(connection: connection, traces: traces)
      }
      guard RetryBackoff.now < deadline else { throw PersistentStoreError.busy(url) }
      RetryBackoff.nap()
    }
  }

  /// Opens a file that nobody writes to as long as it is open, as the caller promises.
  func openUnchanging() throws -> Opened {
    // What is in a log alone would not be seen.
    guard !FileTraces.logHasFrames(path) else { return try open() }
    return Opened(
      connection: try Connection(
        path: path, access: .unchanging, waiting: busyTimeout, debug: debug), traces: nil
    )
  }

  // MARK: In place

  /// A connection that shares the file with others; nil where that is not possible, or leaves
  /// traces.
  private func shared(_ traces: FileTraces) throws -> Connection? {
    let connection = try Connection(
      path: path, access: .readWrite, waiting: busyTimeout, debug: debug)
    // A log that lies there is read even where the file says that it has a journal.
    guard connection.expectsLog || traces.haveCompany else { return try sharedWithoutLog() }
    if connection.isReadOnly || !mayMakeFiles {
      // Files that are made by someone else keep the owner from writing.
      guard traces.hasIndexedLog, !mayMakeFiles else { return nil }
      return try look(
        try Connection(path: path, access: .readOnly, waiting: busyTimeout, debug: debug))
    }
    if traces.haveCompany, connection.isAlone { return nil }
    return try look(connection)
  }

  /// With a journal in place of a log SQLite's locks keep writers away, and nothing is made.
  private func sharedWithoutLog() throws -> Connection? {
    try look(try Connection(path: path, access: .readOnly, waiting: busyTimeout, debug: debug))
  }

  /// The connection, if it can read: only the first look opens the log, and rolls back what a
  /// journal was left of.
  private func look(_ connection: Connection) throws -> Connection? {
    do {
      try connection.look()
    } catch {
      guard error.isReadOnly || error.cannotOpen || error.isFull else { throw error }
      return nil
    }
    return connection
  }

  /// Whether files may be made beside the file.
  private var mayMakeFiles: Bool { SharedFile.mayMakeFiles(beside: path) }

  // MARK: In a copy

  /// A connection to a copy; nil where somebody has written meanwhile.
  private func copied(_ traces: FileTraces) throws -> Connection? {
    guard !traces.areOfThisMoment else { return nil }
    let copy: TemporaryCopy
    do {
      copy = try TemporaryCopy(of: path)
    } catch {
      guard FileTraces(of: path) == traces else { return nil }
      throw error
    }
    // SQLite keeps its files open; the names are not needed any more.
    defer { copy.remove() }
    guard FileTraces(of: path) == traces else { return nil }
    try SQLiteStore.refuseForeignLog(at: copy.path, of: url)
    let connection = try Connection(
      path: copy.path, access: .readWrite, waiting: busyTimeout, debug: debug)
    try connection.look()
    return connection
  }
}

extension Connection {
  /// Reads a little, so that an error comes now, and a transaction has its state from now on.
  func look() throws(SQLiteError) {
    _ = try integer("SELECT count(*) FROM sqlite_schema")
  }
}
