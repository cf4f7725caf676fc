#if PostgreSQL
  /// A mark that a transaction leaves in its database, to find out later whether it was committed
  /// if the connection is lost during COMMIT.
  struct TransactionMark {
    /// A text unique to the transaction: `length` hexadecimal digits.
    let text: String
    /// A query with that text as its value; it returns whether the mark exists, and the number of
    /// transactions counted.
    let query: String

    /// The number of characters in a mark.
    static let length: Int64 = 16
    /// The number of marks kept, those of the last transactions.
    static let mostKept: Int64 = 16
  }

  /// The information about a transaction that was begun.
  struct TransactionTrace {
    /// Its mark; nil if it leaves none.
    var mark: TransactionMark?
    /// Its number, once the server has assigned it; nil if the server assigns none.
    var number: String?
    /// The number of transactions counted, including this one; nil before its mark is written.
    var count: Int64?
  }

  extension PostgreSQLConnection {
    /// Finds out whether a transaction was committed whose COMMIT got no reply.
    ///
    /// - Throws: The error with its `fate`, unless the transaction was committed.
    func findFate(_ error: PostgreSQLError) throws {
      isBound = false
      var lost = error
      do { lost.fate = try lookUpFate() } catch { lost.fate = .unknown }
      if lost.fate != nil { throw lost }
    }

    /// The fate of the last transaction, looked up over a new connection; nil if it was committed.
    private func lookUpFate() throws -> PostgreSQLError.Fate? {
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
