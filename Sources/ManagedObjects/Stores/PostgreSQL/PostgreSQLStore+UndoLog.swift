#if PostgreSQL
  import DataModel

  extension PostgreSQLStore {
    /// Runs a transaction whose changes are recorded in the undo log, if one is kept.
    ///
    /// The body must write the persistent history itself (`writeHistory(_:by:)`).
    ///
    /// - Parameter isPart: whether a transaction begun by `beginWriting` stays open afterwards.
    func recordedTransaction<Result>(
      isPart: Bool = false, _ body: (TransactionRecorder?) throws -> Result
    ) throws -> Result {
      guard undoLog != nil || history != nil else {
        return try transaction(isPart: isPart) { try body(nil) }
      }
      let result = try transaction(isPart: isPart) {
        let undo = undoLog.map { _ in UndoRecorder() }
        let result = try body(TransactionRecorder(undo: undo, history: historyRecorder()))
        if let undo { try undoLog?.write(undo) }
        return result
      }
      undoLog?.didCommit()
      history?.didCommit()
      return result
    }

    /// Queues a query for the lock counts by which the log's entries know rows; a row without an
    /// entry is known by its own count.
    ///
    /// - Parameter body: receives the counts by key when the next statement runs.
    func queueKnown(
      _ keys: [Int64], of entity: EntityBinding,
      _ body: @escaping ([Int64: (now: Int64, known: Int64)]) -> Void
    ) {
      connection.queue(
        """
        SELECT Z_PK, NOW, KNOWN FROM \(schema.dialect.table(SQLUndoLog.versions))
        WHERE Z_ENT = ? AND Z_PK = ANY(?)
        """, [.integer(Int64(root(of: entity).number)), .integers(keys)],
        onResult: { found in
          body(
            Dictionary(
              (0..<found.count).map {
                (found.integer($0, 0), (found.integer($0, 1), found.integer($0, 2)))
              }, uniquingKeysWith: { one, _ in one }))
        })
    }

    /// The statements that create the log's tables.
    static func undoLogStatements(_ dialect: SQLDialect) -> [String] {
      let table = dialect.table(SQLUndoLog.table)
      return [
        """
        CREATE TABLE \(table) (
          SERIAL int8 PRIMARY KEY, UNDONE int8, AT float8, NAME text, CHANGES bytea, AUTHOR text)
        """, "CREATE INDEX \(SQLUndoLog.undoneIndex) ON \(table) (SERIAL) WHERE UNDONE = 1",
        """
        CREATE TABLE \(dialect.table(SQLUndoLog.versions)) (
          Z_ENT int8, Z_PK int8, KNOWN int8, NOW int8, SERIAL int8, PRIMARY KEY (Z_ENT, Z_PK))
        """,
      ]
    }
  }

  extension PostgreSQLStore: RevertingStore {
    var database: any SQLDatabase { connection }

    func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
      try reader.mappingErrors(body)
    }

    // Every statement reads the current state when it begins.
    func followChanges() throws {}

    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
      try transaction(body)
    }

    func reverting<Result>(_ body: (any RevertedValues) throws -> Result) throws -> Result {
      history?.willBegin()
      let result = try transaction {
        let result = try body(ValuesInRows())
        try queueKept(valuesToKeep)
        return result
      }
      valuesToKeep = [:]
      history?.didCommit()
      return result
    }

    func triedValues() -> any RevertedValues { ValuesInRows() }

    func changeMetadata(
      _ recorder: UndoRecorder?, _ change: (inout [String: PropertyList]) throws -> Void
    ) throws {
      try Self.changeMetadata(connection, recorder, change)
    }

    /// Rewrites the log's tables; clearing other deleted data is left to the server.
    ///
    /// Does not wait for tables in use, as by a backup: everybody else would then wait, too.
    func eraseDeletedLogContents() throws {
      for table in [SQLUndoLog.table, SQLUndoLog.versions].map({ schema.dialect.table($0) }) {
        guard connection.engine.skipsLockedTables else {
          try connection.runAll("VACUUM (FULL) \(table)")
          continue
        }
        // A table that is skipped keeps its file.
        func file() throws -> String? {
          try connection.run("SELECT pg_relation_filenode(?::text::regclass)::text", [.text(table)])
            .text(0, 0)
        }
        let before = try file()
        try connection.runAll("VACUUM (FULL, SKIP_LOCKED) \(table)")
        guard try file() != before else {
          throw PostgreSQLError(state: "55P03", message: "the table is in use")
        }
      }
    }
  }
#endif
