#if PostgreSQL
  import CPostgreSQL
  import SystemLibraries

  /// A connection to a PostgreSQL server that keeps nothing in its session: no path, no statements, no
  /// settings outlive a transaction, so that it may go through a pooler.
  ///
  /// Not used by two threads at once.
  final class PostgreSQLConnection {
    let address: PostgreSQLAddress
    /// For how many seconds it waits for others.
    let patience: Double
    private var handle: OpaquePointer
    private var isClosed = false
    /// Whether what follows belongs to a transaction, and must not go over another connection.
    private var isBound = false
    /// What goes to the server with the next statement whose answer is waited for.
    private var queued: [PendingStatement] = []
    /// What reads have given that were sent before they are asked for.
    private var answers: [(sql: String, values: [PostgreSQLValue], result: PostgreSQLResult)] = []
    /// Whether the server has still to hear that a transaction, which has only read, is over.
    private var isToEnd = false
    /// How often statements were sent.
    private var exchanges = 0
    /// The number of the transaction that was begun last, as soon as the server has given it.
    private var transaction: String?

    init(_ address: PostgreSQLAddress, waiting patience: Double) throws {
      self.address = address
      self.patience = patience
      handle = try Self.connect(address, waiting: patience)
    }

    deinit { close() }

    /// Says goodbye to the server, which then does not wonder where the program has gone; nothing may be
    /// asked any more.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      PQfinish(handle)
    }

    /// Whether statements run within a transaction, a failed one or one still to be sent included.
    var isInTransaction: Bool { !queued.isEmpty || isInTransactionThere }

    /// Whether the server has begun a transaction.
    private var isInTransactionThere: Bool {
      !isToEnd
        && [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
    }

    /// The server's version, such as `15.18`.
    var serverVersion: String {
      let number = PQserverVersion(handle)
      return "\(number / 10_000).\(number % 10_000)"
    }

    // MARK: Statements

    /// Runs one statement, whose values stand for its question marks, behind those that were queued; all go
    /// in one round trip.
    ///
    /// Where the connection is lost outside of a transaction, it is run over a new one: then nothing has
    /// been done, or only read.
    @discardableResult
    func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws -> PostgreSQLResult {
      answers = []
      return try exchange(adding: PendingStatement(sql, values))
    }

    /// Runs a statement that only reads, unless it was expected, and has been answered.
    func read(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLResult {
      if queued.contains(where: { $0.isExpected(sql, values) }) { try sendQueued() }
      if let index = answers.firstIndex(where: { $0.sql == sql && $0.values == values }) {
        return answers.remove(at: index).result
      }
      return try exchange(adding: PendingStatement(sql, values))
    }

    /// Has a statement that only reads go to the server with the next one, and its answer wait for ``read``.
    ///
    /// Anything else that is run, or queued behind it, makes it worth nothing.
    func expect(_ sql: String, _ values: [PostgreSQLValue]) {
      queued.append(
        PendingStatement(
          sql, values,
          onResult: { [unowned self] result in answers.append((sql, values, result)) },
          isExpected: true))
    }

    /// Runs several statements without values, in one round trip; gives what the last one gave, as text.
    @discardableResult
    func runAll(_ sql: String) throws -> PostgreSQLResult {
      if !queued.isEmpty { try sendQueued() }
      answers = []
      endLate()
      exchanges += 1
      defer { noteTransaction() }
      do {
        return try checked(PQexec(handle, sql))
      } catch {
        guard mayRepeat(error) else { throw error }
        try reconnect()
        return try checked(PQexec(handle, sql))
      }
    }

    /// Has a statement of a transaction go to the server with the next one that is run, or the commit.
    ///
    /// It is for statements whose answer nobody waits for. Their answers should be small, as no one reads
    /// them while others are sent.
    ///
    /// - Parameters:
    ///   - onResult: hears what it gave.
    ///   - onFailure: what is thrown where it fails, by whatever has it sent.
    func queue(
      _ sql: String, _ values: [PostgreSQLValue] = [],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      onResult: ((PostgreSQLResult) -> Void)? = nil
    ) {
      answers = []
      queued.append(PendingStatement(sql, values, onFailure: onFailure, onResult: onResult))
    }

    /// Has a statement go as `queue` does, but before anything is committed: what it gives must be right.
    ///
    /// - Parameter check: throws where it is not.
    func queue(
      _ sql: String, _ values: [PostgreSQLValue],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      checking check: @escaping (PostgreSQLResult) throws -> Void
    ) {
      answers = []
      queued.append(
        PendingStatement(sql, values, onFailure: onFailure, onResult: check, isCheck: true))
    }

    /// Sends what was queued, if something must be right before the transaction goes on.
    func runChecks() throws {
      if queued.contains(where: \.isCheck) { try sendQueued() }
    }

    /// Sends what was queued now.
    func sendQueued() throws {
      guard let last = queued.popLast() else { return }
      try exchange(adding: last)
    }

    @discardableResult
    private func exchange(adding last: PendingStatement) throws -> PostgreSQLResult {
      var statements = queued + [last]
      if isToEnd { statements.insert(PendingStatement("ROLLBACK", []), at: 0) }
      isToEnd = false
      queued = []
      exchanges += 1
      defer { noteTransaction() }
      var (results, failure) = send(statements)
      if let error = failure, mayRepeat(error), !statements.contains(where: \.isCommit) {
        try reconnect()
        (results, failure) = send(statements)
      }
      noteTransaction()
      for (statement, result) in zip(statements, results) { try statement.onResult?(result) }
      if let failure { throw statements[results.count].onFailure?(failure) ?? failure }
      // There is one for each, as none failed.
      return results[statements.count - 1]
    }

    /// Whether statements that have failed may be sent over another connection.
    private func mayRepeat(_ error: PostgreSQLError) -> Bool {
      !isBound && error.isLost && PQstatus(handle) == CONNECTION_BAD
    }

    private func noteTransaction() {
      switch PQtransactionStatus(handle) {
      case PQTRANS_IDLE: isBound = false
      case PQTRANS_UNKNOWN: break
      default: isBound = true
      }
    }

    /// Sends statements, and waits for what each gives; behind one that fails none is run.
    private func send(
      _ statements: [PendingStatement]
    ) -> (results: [PostgreSQLResult], failure: PostgreSQLError?) {
      var results: [PostgreSQLResult] = []
      do throws(PostgreSQLError) {
        let byteCount = statements.reduce(0) { $0 + $1.byteCount }
        guard statements.count > 1, byteCount <= Self.mostBytesAtOnce else {
          for statement in statements {
            let result = statement.withParameters {
              PQexecParams(handle, $0, $1, $2, $3, $4, $5, 1)
            }
            results.append(try checked(result))
          }
          return (results, nil)
        }
        try begin(PQenterPipelineMode(handle))
        for statement in statements {
          try begin(
            statement.withParameters { PQsendQueryParams(handle, $0, $1, $2, $3, $4, $5, 1) })
        }
        try begin(PQpipelineSync(handle))
      } catch {
        leavePipeline()
        return (results, error)
      }
      defer { leavePipeline() }
      for _ in statements {
        do throws(PostgreSQLError) {
          results.append(try checked(PQgetResult(handle)))
        } catch {
          return (results, error)
        }
        // Behind each one's answer.
        PQclear(PQgetResult(handle))
      }
      return (results, nil)
    }

    /// So much is sent without waiting for any answer.
    ///
    /// More could fill what is between, and then both sides would wait for each other.
    private static let mostBytesAtOnce = 8_192

    private func begin(_ isSent: Int32) throws(PostgreSQLError) {
      guard isSent == 1 else {
        throw PostgreSQLError(state: "", message: String(cString: PQerrorMessage(handle)))
      }
    }

    /// Reads what is still to come, and leaves the mode in which several statements are sent at once.
    private func leavePipeline() {
      while PQpipelineStatus(handle) != PQ_PIPELINE_OFF, PQexitPipelineMode(handle) != 1,
        PQstatus(handle) == CONNECTION_OK
      {
        PQclear(PQgetResult(handle))
      }
    }

    /// Connects anew, in place of a connection that is lost.
    func reconnect() throws(PostgreSQLError) {
      isToEnd = false
      let new = try Self.connect(address, waiting: patience)
      PQfinish(handle)
      handle = new
    }

    private func checked(_ result: OpaquePointer?) throws(PostgreSQLError) -> PostgreSQLResult {
      if let error = PostgreSQLError(result, of: handle) {
        PQclear(result)
        throw error
      }
      return PostgreSQLResult(result)
    }

    // MARK: Transactions

    /// Begins a transaction with the next statement; see `queue`.
    ///
    /// - Parameter sql: the statement behind the beginning that gives the transaction's number as a text.
    func begin(waiting patience: Double, locking lockNumber: Int64, _ sql: String) {
      transaction = nil
      queue("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
      queue("SET LOCAL lock_timeout = \(max(Int(patience * 1000), 1))")
      queue("SET LOCAL idle_in_transaction_session_timeout = 60000")
      queue("SELECT pg_advisory_xact_lock(\(lockNumber))")
      queue(sql, onResult: { [unowned self] in transaction = $0.text(0, 0) })
    }

    /// Runs a body whose statements are taken back where it throws; the transaction goes on.
    ///
    /// - Parameter isLast: whether the commit follows where it does not throw.
    func recoverably<Result>(isLast: Bool, _ body: () throws -> Result) throws -> Result {
      let (mark, sent) = (queued.count, exchanges)
      queue("SAVEPOINT mo_save")
      do {
        let result = try body()
        try runChecks()
        if exchanges != sent, queued.isEmpty {
          queue("RELEASE mo_save")
        } else if !isLast {
          try run("RELEASE mo_save")
        }
        return result
      } catch {
        if exchanges == sent {
          queued.removeLast(queued.count - mark)
        } else {
          queued = []
          if isInTransactionThere { _ = try? runAll("ROLLBACK TO mo_save; RELEASE mo_save") }
        }
        throw error
      }
    }

    /// Commits, with what was queued; finds out what became of it where the connection is lost meanwhile.
    ///
    /// - Throws: `PostgreSQLError`, with its `fate` where the connection was cut;
    ///   what a check of what was queued throws.
    func commit() throws {
      try runChecks()
      do {
        // What has failed before it is rolled back by a COMMIT, which is no error to the server.
        guard try run("COMMIT").command == "COMMIT" else {
          throw PostgreSQLError(
            state: "25P02", message: "a statement of the transaction had failed")
        }
      } catch let error as PostgreSQLError where error.isLost {
        try findFate(error)
      }
    }

    /// Finds out what became of a transaction whose commit was not answered.
    private func findFate(_ error: PostgreSQLError) throws {
      isBound = false
      var (uncertain, failed) = (error, error)
      uncertain.fate = .unknown
      failed.fate = .rolledBack
      guard let transaction else { throw uncertain }
      let fate: String?
      do {
        try reconnect()
        fate = try runAll("SELECT pg_xact_status('\(transaction)')").text(0, 0)
      } catch {
        throw uncertain
      }
      if fate == "committed" { return }
      if fate != "aborted" { throw uncertain }
      throw failed
    }

    /// Ends a transaction without a trace; where the connection is lost the server does.
    func rollBack() {
      queued = []
      answers = []
      endLate()
      if isInTransactionThere { _ = try? checked(PQexec(handle, "ROLLBACK")) }
      isBound = false
    }

    /// Ends a transaction that has only read, with the next statement or the connection.
    func endReadingLater() {
      queued = []
      answers = []
      isBound = false
      isToEnd = isInTransactionThere
    }

    private func endLate() {
      guard isToEnd else { return }
      isToEnd = false
      PQclear(PQexec(handle, "ROLLBACK"))
    }
  }

  @available(*, unavailable) extension PostgreSQLConnection: Sendable {}
#endif
