#if PostgreSQL
  import DataModel
  import SystemLibraries

  /// Checking a store.
  extension PostgreSQLStore {
    /// The problems of the store on a connection, in one state of it: in the caller's transaction,
    /// or in a read-only one.
    static func problems(
      _ connection: PostgreSQLConnection, model: ManagedObjectModel
    ) throws -> [StoreProblem] {
      func found() throws -> [StoreProblem] {
        var check = try PostgreSQLCheck(connection, model: model)
        try check.run()
        return check.problems
      }
      // An error in the check does not abort the caller's transaction.
      if connection.isInTransaction { return try connection.recoverably(found) }
      connection.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      defer { connection.rollBack() }
      return try found()
    }

    /// The problems of a store that is not open.
    static func problems(at url: URL, model: ManagedObjectModel) throws -> [StoreProblem] {
      try connected(url, PersistentStoreOptions()) { connection in
        try reading(connection) { try problems(connection, model: model) }
      }
    }
  }
#endif
