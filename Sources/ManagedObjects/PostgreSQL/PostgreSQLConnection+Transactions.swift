#if PostgreSQL
  import CPostgreSQL

  /// Transactions, which begin lazily, and end lazily if nothing was written.
  extension PostgreSQLConnection {
    /// Begins a transaction with the next statement; see `queue`.
    ///
    /// - Parameters:
    ///   - sql: the statement after the beginning, which returns the transaction's number as
    ///     text and, if there is a mark, the number of transactions counted, including this one.
    ///   - values: the values of that statement's parameters, without that of the mark.
    ///   - mark: the mark that the statement stores, its last value; nil for none.
    func begin(
      waiting patience: Double, locking lockNumber: Int64, _ sql: String,
      _ values: [PostgreSQLValue] = [], keeping mark: TransactionMark? = nil
    ) {
      trace = TransactionTrace(mark: mark)
      queue("BEGIN ISOLATION LEVEL READ COMMITTED")
      queue("SET LOCAL lock_timeout = \(max(Int(patience * 1000), 1))")
      queue("SET LOCAL idle_in_transaction_session_timeout = 60000")
      if engine.hasAdvisoryLocks { queue("SELECT pg_advisory_xact_lock(\(lockNumber))") }
      queue(
        sql, values + (mark.map { [.text($0.text)] } ?? []),
        onResult: { [unowned self] in
          trace.number = $0.text(0, 0)
          if mark != nil { trace.count = $0.integer(0, 1) }
        })
    }

    /// Runs a body whose statements are rolled back if it throws; the transaction continues.
    ///
    /// - Parameter isLast: whether the commit follows if it does not throw.
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
          if isServerInTransaction { _ = try? runAll("ROLLBACK TO mo_save; RELEASE mo_save") }
        }
        throw error
      }
    }

    /// Commits, including queued statements; if the connection is lost in the meantime, finds out
    /// whether it was committed.
    ///
    /// - Throws: `PostgreSQLError`, with its `commitOutcome` if the connection was lost; the error
    ///   of a queued check.
    func commit() throws {
      try runChecks()
      do {
        // After a failed statement COMMIT rolls back, which the server does not report as an error.
        guard try run("COMMIT").command == "COMMIT" else {
          throw PostgreSQLError(
            state: "25P02", message: "a statement of the transaction had failed")
        }
      } catch let error as PostgreSQLError where error.isLost {
        try findCommitOutcome(error)
      }
    }

    /// Rolls the transaction back; if the connection is lost, the server does so itself.
    func rollBack() {
      takeRest()
      queued = []
      answers = []
      deferEnd()
      if isServerInTransaction { _ = try? checked(PQexec(handle, "ROLLBACK")) }
      isBound = false
    }

    /// Ends a read-only transaction lazily, with the next statement or when the connection closes.
    func endReadingLater() {
      takeRest()
      queued = []
      answers = []
      isBound = false
      hasDeferredEnd = isServerInTransaction
    }

    func deferEnd() {
      guard hasDeferredEnd else { return }
      hasDeferredEnd = false
      PQclear(PQexec(handle, "ROLLBACK"))
    }
  }
#endif
