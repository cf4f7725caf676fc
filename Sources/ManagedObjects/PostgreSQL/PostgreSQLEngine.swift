#if PostgreSQL
  /// The engine of a server that speaks PostgreSQL's protocol, and the features of PostgreSQL that
  /// it lacks.
  ///
  /// Stores were tested only on PostgreSQL 15. What is said about other engines comes from their
  /// documentation and is untested. Citus extends PostgreSQL without removing anything that a store
  /// needs.
  struct PostgreSQLEngine: Hashable {
    /// The name and version: `PostgreSQL 15.18`.
    let name: String
    /// Whether advisory locks queue transactions in the order in which they arrive.
    let hasAdvisoryLocks: Bool
    /// Whether a transaction has a number by which its outcome can be queried.
    let numbersTransactions: Bool
    /// Whether tables can be altered atomically in a transaction.
    let hasTransactionalDDL: Bool
    /// Whether COPY supports the binary format.
    let copiesRows: Bool
    /// Whether VACUUM can skip tables in use.
    let skipsLockedTables: Bool

    /// Detects the engine.
    ///
    /// - Parameters:
    ///   - version: the PostgreSQL version that the server reports, in libpq's form: 150018.
    ///   - parameter: returns a parameter that the server reported when the connection was
    ///     made, by name.
    init(version: Int32, _ parameter: (String) -> String?) {
      skipsLockedTables = version >= 120_000
      if let cockroach = parameter("crdb_version") {
        name = cockroach.split(separator: " ").prefix(3).joined(separator: " ")
        // Advisory locks exist but have no effect; writers serialise on the counter in Z_METADATA.
        (hasAdvisoryLocks, numbersTransactions, hasTransactionalDDL) = (false, false, false)
        // Its COPY supports only text.
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

    /// The expression for the number of a writing transaction, as text; NULL if there is none.
    var transactionNumber: String {
      numbersTransactions ? "pg_current_xact_id()::text" : "NULL::text"
    }
  }
#endif
