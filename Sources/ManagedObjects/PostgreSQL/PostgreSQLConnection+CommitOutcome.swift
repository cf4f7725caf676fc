#if PostgreSQL
  extension PostgreSQLConnection {
    /// Finds out whether a transaction was committed whose COMMIT got no reply.
    ///
    /// - Throws: The error with its `commitOutcome`, unless the transaction was committed.
    func findCommitOutcome(_ error: PostgreSQLError) throws {
      isBound = false
      var lost = error
      do { lost.commitOutcome = try lookUpCommitOutcome() } catch { lost.commitOutcome = .unknown }
      if lost.commitOutcome != nil { throw lost }
    }

    /// The outcome of the last transaction, looked up over a new connection; nil if it was
    /// committed.
    private func lookUpCommitOutcome() throws -> PostgreSQLError.CommitOutcome? {
      try reconnect()
      let status = try trace.number.flatMap {
        try runAll("SELECT pg_xact_status('\($0)')").text(0, 0)
      }
      if status == "aborted" { return .rolledBack }
      // A server that has crashed may reuse a number, and then the committed transaction with this
      // number is another one.
      guard let mark = trace.mark else { return .unknown }
      // A separate statement, which sees everything committed when the status was queried.
      let found = try run(mark.query, [.text(mark.text)])
      if found.bytes(0, 0)?.first == 1 { return nil }
      guard status == "committed", let count = trace.count,
        found.integer(0, 1) &- count < TransactionMark.mostKept
      else { return .unknown }
      return .rolledBack
    }
  }
#endif
