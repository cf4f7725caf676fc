import CSQLite

/// One connection to a SQLite file, and the statements prepared on it.
///
///     let connection = try Connection(path: "/tmp/DogWalk.sqlite", access: .readWrite, waiting: 10)
///     try connection.transaction { try connection.execute("DELETE FROM ZWALK") }
///
/// Each statement is prepared once and cached; `statement(_:)` hands it to one holder at a time.
/// Not Sendable: code that shares a connection must lock it, as the store does.
final class Connection {
  /// How the file is opened.
  enum Access {
    /// Read-only; in WAL mode SQLite may still write the shared-memory index of the log.
    case readOnly
    /// Read-only without locks and without the log: the caller promises that the file does not
    /// change (`immutable=1`).
    case unchanging
    /// Reading and writing; read-only if the file system allows no more.
    case readWrite
  }

  let handle: OpaquePointer
  /// Whether the collations for text orders are defined: see `defineTextOrders()`.
  var hasTextOrders = false
  /// The cached statements by their text; several for one text if several were in use at once.
  private var statements: [String: [PreparedStatement]] = [:]
  private var statementCount = 0
  /// A counter that dates the last use of each statement.
  private var useCount = 0
  /// How many statements have been prepared so far.
  private(set) var prepareCount = 0
  let backoff: RetryBackoff
  /// How many pages the log held after this connection's last commit: see `countPagesInLog()`.
  var pagesInLog = 0
  /// The transaction begun before its first write, if any: see `beginAhead()`.
  var ahead: AheadTransaction?
  /// The file that was opened, to notice when it is moved; nil to skip that check.
  var openedFile: OpenedFile?
  /// The store that the file must still contain when it is written to; nil to skip that check.
  var expectedContents: ExpectedContents?
  /// The observer of statements: see `onStatement(_:)`.
  var observer: StatementObserver?
  /// The functions defined on this connection: see `define(_:_:)`.
  var functions: [SQLFunction] = []
  var makers: [AggregateMaker] = []

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - seconds: how many seconds to wait for other connections before giving up with
  ///     `SQLITE_BUSY`.
  ///   - debug: the output that its statements are printed to; nil for what the process's
  ///     arguments or environment ask for.
  init(
    path: String, access: Access, waiting seconds: Double, debug: DebugOutput? = nil
  ) throws(SQLiteError) {
    // NOMUTEX: the store's lock already keeps threads apart.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var path = path
    switch access {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .unchanging:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      path = Self.immutableURI(path)
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    }
    var handle: OpaquePointer?
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      let error = SQLiteError(connection: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    backoff = RetryBackoff(seconds: seconds)
    // SQLite calls the handler only during calls on this connection, and `backoff` lives as long as
    // the connection.
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        Unmanaged<RetryBackoff>.fromOpaque(context!).takeUnretainedValue().wait(after: attempts)
      }, Unmanaged.passUnretained(backoff).toOpaque())
    if let debug = debug ?? .sql { startLogging(debug) }
  }

  /// Turns off bookkeeping of SQLite that pays only in long-running programs
  /// (`SQLITE_CONFIG_MEMSTATUS`, `SQLITE_CONFIG_PAGECACHE`).
  ///
  /// Applies to the whole process; has no effect once it has opened a database.
  static func disableMemoryStatistics() { csqlite_spare_memory() }

  private static func immutableURI(_ path: String) -> String {
    var uri = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:"
    for character in path.unicodeScalars {
      switch character {
      case "%": uri += "%25"
      case "?": uri += "%3f"
      case "#": uri += "%23"
      default: uri.unicodeScalars.append(character)
      }
    }
    return uri + "?immutable=1"
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Closes the connection while statements on it are still held, for a process that exits.
  ///
  /// None of them may be used again, and the connection must not be deallocated before the process
  /// ends.
  func closeAtExit() {
    while let statement = sqlite3_next_stmt(handle, nil) { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Whether the file is read-only, however it was opened (`sqlite3_db_readonly`).
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of rows that the last statement changed (`sqlite3_changes`).
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// A number that changes when this or another connection has changed the file since it was last
  /// read (`SQLITE_FCNTL_DATA_VERSION`).
  var state: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// Whether a transaction is open (`sqlite3_get_autocommit`).
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The statement for an SQL text, prepared on first use and handed to one holder at a time.
  ///
  /// If every cached statement for the text is in use, one more is prepared. The cache is large
  /// enough that a program with a fixed set of statements prepares none twice; beyond that, the
  /// least recently used half is evicted.
  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    useCount += 1
    let idle = statements[sql]?.first { !$0.isInUse }
    let prepared = if let idle { idle } else { try prepare(sql) }
    prepared.lastUse = useCount
    return Statement(borrowing: prepared, of: self)
  }

  private func prepare(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    if statementCount >= Self.maximumStatementCount { forgetOldStatements() }
    let prepared = try PreparedStatement(sql, connection: handle)
    prepareCount += 1
    if let trace = observer?.trace { trace.notePlan(of: sql, on: handle) }
    statementCount += 1
    statements[sql, default: []].append(prepared)
    return prepared
  }

  /// The size of the statement cache.
  static let maximumStatementCount = 256

  /// Evicts the least recently used half; holders of an evicted statement keep it.
  private func forgetOldStatements() {
    let uses = statements.values.joined().map(\.lastUse).sorted()
    let middle = uses[uses.count / 2]
    statements = statements.compactMapValues { kept in
      let young = kept.filter { $0.lastUse >= middle }
      return young.isEmpty ? nil : young
    }
    statementCount = statements.values.reduce(0) { $0 + $1.count }
  }

  /// Runs one or several statements that have no parameters and whose rows do not matter.
  func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteError(connection: handle, sql: sql)
    }
  }

  /// The first column of the first row as an integer; nil for NULL or without a row.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(at: 0) ? statement.integer(at: 0) : nil
  }

  /// Throws if the path no longer leads to the opened file: whatever is written would be lost.
  func refuseIfMoved() throws(SQLiteError) {
    if let openedFile, try openedFile.hasMoved() { throw SQLiteError.moved }
  }
}
