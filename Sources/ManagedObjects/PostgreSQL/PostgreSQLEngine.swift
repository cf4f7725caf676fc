#if PostgreSQL
  /// The engine that a server runs which speaks PostgreSQL's protocol, and what it lacks of
  /// PostgreSQL.
  ///
  /// Stores have been run on PostgreSQL 15 alone. What is said of others was read in their
  /// documentation, and nobody has run it. Citus adds to PostgreSQL, and takes nothing away that a
  /// store needs.
  struct PostgreSQLEngine: Hashable {
    /// What it is called, with its version: `PostgreSQL 15.18`.
    let name: String
    /// Whether transactions can wait for each other in the order in which they came.
    let hasAdvisoryLocks: Bool
    /// Whether a transaction has a number, by which it can be asked what became of it.
    let numbersTransactions: Bool
    /// Whether tables can be changed in a transaction, all or none.
    let hasTransactionalDDL: Bool
    /// Whether COPY gives rows in the binary format.
    let copiesRows: Bool

    /// Finds out which one it is.
    ///
    /// - Parameters:
    ///   - version: PostgreSQL's version that the server says it is, as libpq counts: 150018.
    ///   - parameter: gives what the server has said of itself as a connection was made, by name.
    init(version: Int32, _ parameter: (String) -> String?) {
      if let cockroach = parameter("crdb_version") {
        name = cockroach.split(separator: " ").prefix(3).joined(separator: " ")
        // Advisory locks are there and do nothing; writers meet at the count in Z_METADATA.
        (hasAdvisoryLocks, numbersTransactions, hasTransactionalDDL) = (false, false, false)
        // It copies texts only.
        copiesRows = false
      } else if let server = parameter("server_version"), server.contains("-YB-") {
        name = "YugabyteDB \(server)"
        (hasAdvisoryLocks, numbersTransactions, hasTransactionalDDL) = (false, false, false)
        copiesRows = true
      } else {
        name = "PostgreSQL \(version / 10_000).\(version % 10_000)"
        (hasAdvisoryLocks, numbersTransactions, hasTransactionalDDL) = (true, true, true)
        copiesRows = true
      }
    }

    /// What gives the number of a transaction that writes as a text; NULL where there is none.
    var transactionNumber: String {
      numbersTransactions ? "pg_current_xact_id()::text" : "NULL::text"
    }
  }
#endif
