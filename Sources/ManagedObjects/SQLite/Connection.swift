import CSQLite

/// One connection to a SQLite file, and the statements prepared on it.
///
///     let connection = try Connection(path: "/tmp/DogWalk.sqlite", access: .readWrite, waiting: 10)
///     try connection.transaction { try connection.execute("DELETE FROM ZWALK") }
///
/// Statements are prepared once, kept, and lent to one holder at a time. Not Sendable: whoever
/// shares it locks (the store does).
final class Connection {
  /// What may be done with the file.
  enum Access {
    /// Read it; nothing is written but SQLite's index of the log, where there is a log.
    case readOnly
    /// Read it, without locks and without its log: it does not change.
    case unchanging
    /// Read and write it; only read it where more is not allowed.
    case readWrite
  }

  let handle: OpaquePointer
  /// Whether SQL knows the orders of texts: see `defineTextOrders()`.
  var hasTextOrders = false
  /// Every statement that is kept, by its text; of one text several where several were lent at
  /// once.
  private var statements: [String: [PreparedStatement]] = [:]
  private var statementCount = 0
  /// How often a statement was lent: how long ago each was used.
  private var useCount = 0
  /// How many statements were prepared so far.
  private(set) var prepareCount = 0
  let backoff: RetryBackoff
  /// How many pages the log held after this connection's last commit; see `countPagesInLog()`.
  var pagesInLog = 0
  /// The transaction that was begun before anything is written: see `beginAhead()`.
  var ahead: AheadTransaction?
  /// Where the file was found; nil where nobody minds.
  var openedFile: OpenedFile?
  /// Which store the file must still contain when it is written to; nil where any will do.
  var expectedContents: ExpectedContents?
  /// Who hears of statements: see `onStatement(_:)`.
  var observer: StatementObserver?
  /// The functions defined on it: see `define(_:_:)`.
  var functions: [SQLFunction] = []
  var makers: [AggregateMaker] = []

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - seconds: how many seconds to wait for other connections before giving up with
  ///     `SQLITE_BUSY`.
  ///   - debug: who is told of its statements; nil for whatever the process was asked for.
  init(
    path: String, access: Access, waiting seconds: Double, debug: DebugOutput? = nil
  ) throws(SQLiteError) {
    // NOMUTEX: the store's lock keeps two threads apart already.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var path = path
    switch access {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .unchanging:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      path = Self.uriOfUnchangingFile(path)
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
    // The handler is called on this connection's calls only, and `patience` lives as long as it
    // does.
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        Unmanaged<RetryBackoff>.fromOpaque(context!).takeUnretainedValue().wait(after: attempts)
      }, Unmanaged.passUnretained(backoff).toOpaque())
    if let debug = debug ?? .sql { startTelling(debug) }
  }

  /// Has SQLite do without bookkeeping that pays only in programs that run for long
  /// (`SQLITE_CONFIG_MEMSTATUS`, `SQLITE_CONFIG_PAGECACHE`).
  ///
  /// For all of the process; without effect once it has opened a database.
  static func spareMemory() { csqlite_spare_memory() }

  private static func uriOfUnchangingFile(_ path: String) -> String {
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

  /// Closes it though statements on it are held, for a process that ends: neither it nor they may
  /// be used any more, and it must not go before the process does.
  func closeAtExit() {
    while let statement = sqlite3_next_stmt(handle, nil) { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Whether the file may only be read, whatever it was opened for (`sqlite3_db_readonly`).
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// A number that is another one whenever the file was changed since it was last read, by this
  /// connection or another one (`SQLITE_FCNTL_DATA_VERSION`).
  var state: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Lends a statement for a text, prepared the first time it is asked for.
  ///
  /// Where all that were prepared for the text are lent, another one is. So many are kept that a
  /// program with fixed questions prepares none twice; with ever new ones, the half that was not
  /// lent for longest goes.
  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    useCount += 1
    let idle = statements[sql]?.first { !$0.isLent }
    let prepared = if let idle { idle } else { try prepare(sql) }
    prepared.lastUse = useCount
    return Statement(borrowing: prepared, of: self)
  }

  private func prepare(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    if statementCount >= Self.mostStatements { forgetOldStatements() }
    let prepared = try PreparedStatement(sql, connection: handle)
    prepareCount += 1
    if let trace = observer?.trace { trace.notePlan(of: sql, on: handle) }
    statementCount += 1
    statements[sql, default: []].append(prepared)
    return prepared
  }

  /// The most statements that are kept.
  static let mostStatements = 256

  /// Forgets the older half; who has one of them keeps it.
  private func forgetOldStatements() {
    let uses = statements.values.joined().map(\.lastUse).sorted()
    let middle = uses[uses.count / 2]
    statements = statements.compactMapValues { kept in
      let young = kept.filter { $0.lastUse >= middle }
      return young.isEmpty ? nil : young
    }
    statementCount = statements.values.reduce(0) { $0 + $1.count }
  }

  /// Runs one or several statements that take no values and give no rows that matter.
  func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteError(connection: handle, sql: sql)
    }
  }

  /// The first column of the first row as a whole number, or nil where there is none.
  func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(at: 0) ? statement.integer(at: 0) : nil
  }

  /// Throws where the file is no longer the one of its name: what is written to it would be lost.
  func refuseIfMoved() throws(SQLiteError) {
    if let openedFile, try openedFile.hasMoved() { throw SQLiteError.moved }
  }
}
