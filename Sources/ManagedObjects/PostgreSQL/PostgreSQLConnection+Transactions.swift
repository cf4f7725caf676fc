#if PostgreSQL
  import CPostgreSQL

  /// Transactions, which are begun late, and ended late where nothing was written.
  extension PostgreSQLConnection {
    /// Begins a transaction with the next statement; see `queue`.
    ///
    /// - Parameters:
    ///   - sql: the statement behind the beginning, which gives the transaction's number as a text,
    ///     and behind it, where there is a mark, how many transactions were counted, this one
    ///     included.
    ///   - mark: what the statement keeps, its only value; nil where it keeps none.
    func begin(
      waiting patience: Double, locking lockNumber: Int64, _ sql: String,
      keeping mark: TransactionMark? = nil
    ) {
      trace = TransactionTrace(mark: mark)
      queue(
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        onFailure: { error in
          // A standby says that it has no such transactions.
          error.state == "0A000" ? PostgreSQLError(state: "25006", message: error.message) : error
        })
      queue("SET LOCAL lock_timeout = \(max(Int(patience * 1000), 1))")
      queue("SET LOCAL idle_in_transaction_session_timeout = 60000")
      if engine.hasAdvisoryLocks { queue("SELECT pg_advisory_xact_lock(\(lockNumber))") }
      queue(
        sql, mark.map { [.text($0.text)] } ?? [],
        onResult: { [unowned self] in
          trace.number = $0.text(0, 0)
          if mark != nil { trace.count = $0.integer(0, 1) }
        })
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

    /// Commits, with what was queued; finds out what became of it where the connection is lost
    /// meanwhile.
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

    /// Ends a transaction without a trace; where the connection is lost the server does.
    func rollBack() {
      takeRest()
      queued = []
      answers = []
      endLate()
      if isInTransactionThere { _ = try? checked(PQexec(handle, "ROLLBACK")) }
      isBound = false
    }

    /// Ends a transaction that has only read, with the next statement or the connection.
    func endReadingLater() {
      takeRest()
      queued = []
      answers = []
      isBound = false
      isToEnd = isInTransactionThere
    }

    func endLate() {
      guard isToEnd else { return }
      isToEnd = false
      PQclear(PQexec(handle, "ROLLBACK"))
    }
  }
#endif
