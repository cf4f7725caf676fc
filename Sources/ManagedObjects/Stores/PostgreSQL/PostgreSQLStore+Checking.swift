#if PostgreSQL
  import DataModel
  import SystemLibraries

  /// Looking a store through.
  extension PostgreSQLStore {
    /// What is wrong with the store behind a connection, in one state of it: the caller's
    /// transaction, or one that only reads.
    static func faults(
      _ connection: PostgreSQLConnection, model: ManagedObjectModel
    ) throws -> [StoreFault] {
      func found() throws -> [StoreFault] {
        var check = try PostgreSQLCheck(connection, model: model)
        try check.run()
        return check.faults
      }
      // What fails there does not end the caller's.
      if connection.isInTransaction { return try connection.recoverably(found) }
      connection.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      defer { connection.rollBack() }
      return try found()
    }

    /// What is wrong with a store that is not open.
    static func faults(at url: URL, model: ManagedObjectModel) throws -> [StoreFault] {
      try connected(url, PersistentStoreOptions()) { connection in
        do {
          return try faults(connection, model: model)
        } catch let error as PostgreSQLError where error.isMissingTable || error.isMissingColumn {
          // Another program may have tables of the same names.
          throw try missing(connection)
        }
      }
    }
  }
#endif
