import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One connection to a SQLite file, and the statements prepared on it.
///
///     let connection = try Connection(path: "/tmp/DogWalk.sqlite", access: .create, waiting: 10)
///     try connection.transaction { … }
///
/// Statements are prepared once and kept. Not Sendable: whoever shares it locks (the store does).
final class Connection {
  /// What may be done with the file.
  enum Access {
    /// Read it; nothing is written but SQLite's index of the log, where there is a log.
    case readOnly
    /// Read it, without locks and without its log: it does not change.
    case unchanging
    /// Read and write a file that exists.
    case readWrite
    /// Read and write, and make the file where there is none.
    case create
  }

  let handle: OpaquePointer
  /// Whether SQL knows the orders of texts: see `defineTextOrders()`.
  var hasTextOrders = false
  private var statements: [String: Statement] = [:]
  /// How often a statement was asked for: how long ago each was used.
  private var useCount = 0
  /// How many statements were prepared so far.
  private(set) var prepareCount = 0
  private let patience: Patience
  private var isBegunAhead = false
  /// Who hears of statements: see `onStatement(_:)`.
  var observer: StatementObserver?
  /// The functions defined on it: see `define(_:_:)`.
  var functions: [SQLFunction] = []
  var makers: [AggregateMaker] = []

  /// Opens a file.
  ///
  /// - Parameter waiting: how many seconds to wait for other connections before giving up with
  ///   `SQLITE_BUSY`.
  init(path: String, access: Access, waiting seconds: Double) throws(SQLiteError) {
    // NOMUTEX: the store's lock keeps two threads apart already.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var path = path
    switch access {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .unchanging:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      path = Self.uriOfUnchangingFile(path)
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var handle: OpaquePointer?
    guard sqlite3_open_v2(path, &handle, flags, Self.vfs) == SQLITE_OK, let handle else {
      let error = SQLiteError(connection: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    patience = Patience(seconds: seconds)
    // The handler is called on this connection's calls only, and `patience` lives as long as it
    // does.
    sqlite3_busy_handler(
      handle,
      { context, attempts in
        Unmanaged<Patience>.fromOpaque(context!).takeUnretainedValue().wait(after: attempts)
      }, Unmanaged.passUnretained(patience).toOpaque())
  }

  /// The name of the VFS that syncs a folder only where it has to; nil for SQLite's own.
  private nonisolated(unsafe) static let vfs = csqlite_register_vfs()

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

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether the file is to be read together with a write-ahead log, be there one or not.
  var expectsLog: Bool { csqlite_expects_log(handle) == 1 }

  /// Leaves the write-ahead log in place when the connection closes
  /// (`SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`).
  func keepLogOnClose() { _ = csqlite_keep_wal_on_close(handle) }

  /// Gives a statement for a text, prepared the first time it is asked for.
  ///
  /// A kept statement that is still handing out rows is not disturbed: another one is prepared. So many
  /// are kept that a program with fixed questions prepares none twice; with ever new ones, the half
  /// that was not used for longest goes.
  func statement(_ sql: String) throws(SQLiteError) -> Statement {
    useCount += 1
    if let kept = statements[sql], !kept.isBusy {
      kept.lastUse = useCount
      return kept
    }
    if statements.count >= Self.mostStatements { forgetOldStatements() }
    let statement = try Statement(sql, connection: handle)
    prepareCount += 1
    statement.lastUse = useCount
    statements[sql] = statement
    return statement
  }

  /// The most statements that are kept by their texts.
  static let mostStatements = 256

  private func forgetOldStatements() {
    let uses = statements.values.map(\.lastUse).sorted()
    let middle = uses[uses.count / 2]
    statements = statements.filter { $0.value.lastUse >= middle }
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

  /// Runs a body between `BEGIN IMMEDIATE` and `COMMIT`; rolls back where it throws.
  ///
  /// One that was begun ahead is the one.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    if isBegunAhead {
      isBegunAhead = false
    } else {
      try statement("BEGIN IMMEDIATE").run()
    }
    do {
      let result = try body()
      try statement("COMMIT").run()
      return result
    } catch {
      // A full disk or a failed write may have rolled back already.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Begins the next transaction now, so that nobody else writes until it ends.
  func beginAhead() throws(SQLiteError) {
    try statement("BEGIN IMMEDIATE").run()
    isBegunAhead = true
  }

  /// Ends a transaction that was begun ahead and that nobody has used.
  func endAhead() {
    guard isBegunAhead else { return }
    isBegunAhead = false
    // A read that failed may have ended it already.
    if isInTransaction { try? execute("ROLLBACK") }
  }

  /// Moves the log into the file and empties it, unless another connection stands in the way.
  func checkpoint() {
    let wasPatient = patience.isWaiting
    patience.isWaiting = false
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    patience.isWaiting = wasPatient
  }

  /// How many pages the log held after this connection's last commit; see `countPagesInLog()`.
  var pagesInLog: Int { patience.pagesInLog }

  /// Turns automatic checkpoints off and counts the pages in the log instead (`sqlite3_wal_hook`).
  func countPagesInLog() {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        Unmanaged<Patience>.fromOpaque(context!).takeUnretainedValue().pagesInLog = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(patience).toOpaque())
  }
}

/// What SQLite's callbacks of one connection need to know: how long to wait, how long the log is.
private final class Patience {
  private let seconds: Double
  private var deadline = 0.0
  var isWaiting = true
  var pagesInLog = 0

  init(seconds: Double) { self.seconds = seconds }

  /// Sleeps for a moment; 0 when the time is up.
  ///
  /// The moments are short and random: with SQLite's own ladder up to 100 ms, a few of two hundred
  /// writers at once would starve.
  func wait(after attempts: Int32) -> Int32 {
    guard isWaiting else { return 0 }
    let now = Self.now
    if attempts == 0 { deadline = now + seconds }
    guard now < deadline else { return 0 }
    let longest: UInt32 = min(500 << UInt32(min(attempts, 5)), 10_000)
    usleep(UInt32.random(in: 100...longest))
    return 1
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
