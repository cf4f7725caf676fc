#if PostgreSQL
  /// What a transaction leaves in its database, so that whoever loses the connection while it is
  /// committed finds out whether it was.
  struct TransactionMark {
    /// What no other transaction has: hexadecimal digits, as many as `length`.
    let text: String
    /// A query whose value is that text, which gives whether it is there, and how many transactions
    /// were counted.
    let query: String

    /// How many characters a mark has.
    static let length: Int64 = 16
    /// So many marks are there, those of the last transactions.
    static let mostKept: Int64 = 16
  }

  /// What is known of a transaction that was begun.
  struct TransactionTrace {
    /// Its mark; nil where it leaves none.
    var mark: TransactionMark?
    /// Its number, as soon as the server has given it; nil where it gives none.
    var number: String?
    /// How many transactions were counted, this one included; nil as long as it has no mark.
    var count: Int64?
  }

  extension PostgreSQLConnection {
    /// Finds out what became of a transaction whose commit was not answered.
    ///
    /// - Throws: The error with its fate, unless it was committed.
    func findFate(_ error: PostgreSQLError) throws {
      isBound = false
      var lost = error
      do { lost.fate = try lookUpFate() } catch { lost.fate = .unknown }
      if lost.fate != nil { throw lost }
    }

    /// What became of the last transaction, by another connection; nil where it was committed.
    private func lookUpFate() throws -> PostgreSQLError.Fate? {
      try reconnect()
      let status = try trace.number.flatMap {
        try runAll("SELECT pg_xact_status('\($0)')").text(0, 0)
      }
      if status == "aborted" { return .rolledBack }
      // A server that has crashed may give a number anew that was given before, and then the
      // transaction that was committed is another one.
      guard let mark = trace.mark else { return .unknown }
      // A statement of its own: it sees all that was committed when it was asked for the status.
      let found = try run(mark.query, [.text(mark.text)])
      if found.bytes(0, 0)?.first == 1 { return nil }
      guard status == "committed", let count = trace.count,
        found.integer(0, 1) - count < TransactionMark.mostKept
      else { return .unknown }
      return .rolledBack
    }
  }
#endif
