import SystemLibraries

/// A store's file opened for reading only: one consistent state is read, and its files stay
/// unchanged.
///
/// - A process that may write to the file and its folder shares it as SQLite does. The log and
///   the index that SQLite creates for this are removed when the last connection closes.
/// - A log or journal that no process has open is a leftover: the store is read from a copy with
///   them, so that neither is applied to the file.
/// - A process that may not create files next to the store shares the log and index of a program
///   that has it open. Otherwise it reads a copy in the folder for temporary files: since SQLite's
///   locks cannot exclude writers then, the copy is valid only if nothing has changed while it was
///   made.
struct ReadOnlyFile {
  /// The store's URL, for errors.
  let url: URL
  /// The path of its file, with symbolic links resolved.
  let path: String
  let busyTimeout: Double
  /// The output for statements; nil for what the process's arguments ask for.
  var debug: DebugOutput?

  /// A connection, and whether it reads a copy.
  struct Opened {
    let connection: Connection
    /// The state of the files when they were copied; nil if they are read in place.
    let traces: FileSignature?
  }

  /// Opens the file in its current state.
  ///
  /// - Throws: `SQLiteError`; `PersistentStoreError`: `busy` if other processes write
  ///   continuously, `foreignLog` if the log next to the file belongs to another one.
  func open() throws -> Opened {
    let deadline = monotonicSeconds() + busyTimeout
    while true {
      let traces = FileSignature(of: path)
      if let connection = try shared(traces) { return Opened(connection: connection, traces: nil) }
      if let connection = try copied(traces) {
        return Opened(connection: connection, traces: traces)
      }
      guard monotonicSeconds() < deadline else { throw PersistentStoreError.busy(url) }
      RetryBackoff.pauseBriefly()
    }
  }

  /// Opens a file that, as the caller promises, does not change while it is open.
  func openImmutable() throws -> Opened {
    // Changes that are only in a log would not be seen.
    guard !FileSignature.logHasFrames(path) else { return try open() }
    return Opened(
      connection: try Connection(
        path: path, access: .unchanging, waiting: busyTimeout, debug: debug), traces: nil
    )
  }

  // MARK: Opening in place

  /// A connection that shares the file with other processes; nil if that is impossible or would
  /// change files.
  private func shared(_ traces: FileSignature) throws -> Connection? {
    let connection = try Connection(
      path: path, access: .readWrite, waiting: busyTimeout, debug: debug)
    // SQLite reads an existing log even if the file's header names a rollback journal.
    guard connection.expectsLog || traces.hasLogOrIndex else { return try sharedWithoutLog() }
    if connection.isReadOnly || !mayMakeFiles {
      // Files created by another user would prevent the owner from writing.
      guard traces.hasIndexedLog, !mayMakeFiles else { return nil }
      return try look(
        try Connection(path: path, access: .readOnly, waiting: busyTimeout, debug: debug))
    }
    if traces.hasLogOrIndex, connection.isAlone { return nil }
    return try look(connection)
  }

  /// With a rollback journal, SQLite's locks exclude writers, and no files are created.
  private func sharedWithoutLog() throws -> Connection? {
    try look(try Connection(path: path, access: .readOnly, waiting: busyTimeout, debug: debug))
  }

  /// The connection, if it can read: only the first read opens the log or rolls back a leftover
  /// journal.
  private func look(_ connection: Connection) throws -> Connection? {
    do {
      try connection.look()
    } catch {
      guard error.isReadOnly || error.cannotOpen || error.isFull else { throw error }
      return nil
    }
    return connection
  }

  /// Whether files may be created next to the store.
  private var mayMakeFiles: Bool { SharedFile.mayMakeFiles(beside: path) }

  // MARK: In a copy

  /// A connection to a copy; nil if the files have changed in the meantime.
  private func copied(_ traces: FileSignature) throws -> Connection? {
    guard !traces.isRacy else { return nil }
    let copy: TemporaryCopy
    do {
      copy = try TemporaryCopy(of: path)
    } catch {
      guard FileSignature(of: path) == traces else { return nil }
      throw error
    }
    // SQLite keeps its files open; their names are no longer needed.
    defer { copy.remove() }
    guard FileSignature(of: path) == traces else { return nil }
    try SQLiteStore.refuseForeignLog(at: copy.path, of: url)
    do {
      let connection = try Connection(
        path: copy.path, access: .readWrite, waiting: busyTimeout, debug: debug)
      try connection.look()
      return connection
    } catch {
      guard error.isFull else { throw error }
      throw PersistentStoreError.noTemporaryCopy(
        url, folder: CopyFolder.parent, reason: String(cString: strerror(ENOSPC)))
    }
  }
}

extension Connection {
  /// Makes a small read, so that errors occur now and a transaction starts with the current state.
  func look() throws(SQLiteError) {
    _ = try integer("SELECT count(*) FROM sqlite_schema")
  }
}
