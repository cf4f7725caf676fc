#if PostgreSQL
  import CPostgreSQL

  /// Rows that are returned while others are still being received.
  extension PostgreSQLConnection {
    /// The protocol by which rows are received.
    enum Streaming {
      /// One result for each row.
      case singly
      /// In the COPY format, which takes two thirds of the time.
      case copied
    }

    /// Runs a SELECT like `read`, but returns its rows as they are received.
    ///
    /// If it is sent together with others, or was already answered, all rows are in memory.
    func rows(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLRows {
      let isAnswered = answers.contains { $0.sql == sql && $0.values == values }
      guard queued.isEmpty, !hasDeferredEnd, !isAnswered else {
        return PostgreSQLRows(try read(sql, values))
      }
      takeRest()
      exchanges += 1
      // A COPY has no parameters; a SELECT without any, not even a limit, reads a whole table.
      let isCopied = values.isEmpty && copiesRows
      func send() throws(PostgreSQLError) -> PostgreSQLRows {
        isCopied ? try sendCopy(of: sql) : try sendForRows(PendingStatement(sql, values))
      }
      do {
        return try send()
      } catch {
        noteTransaction()
        guard mayRepeat(error) else { throw error }
        try reconnect()
        return try send()
      }
    }

    private func sendForRows(
      _ statement: PendingStatement
    ) throws(PostgreSQLError) -> PostgreSQLRows {
      try begin(
        statement.withParameters { PQsendQueryParams(handle, $0, $1, $2, $3, $4, $5, 1) })
      PQsetSingleRowMode(handle)
      streaming = .singly
      guard case .result(let first)? = try nextRow() else {
        return PostgreSQLRows(PostgreSQLResult(nil))
      }
      return open(PostgreSQLRows(types: first.types, .result(first), from: self))
    }

    /// Sends a COPY of the rows of a SELECT.
    ///
    /// COPY does not report the types of its columns, so the SELECT is asked for them in the same
    /// round trip. The table cannot be altered in between: statements sent together form a
    /// transaction, unless they are part of one.
    private func sendCopy(of sql: String) throws(PostgreSQLError) -> PostgreSQLRows {
      try begin(PQsendQuery(handle, "\(sql) LIMIT 0; COPY (\(sql)) TO STDOUT (FORMAT binary)"))
      streaming = .singly
      do throws(PostgreSQLError) {
        let types = try checked(PQgetResult(handle)).types
        let answer = PQgetResult(handle)
        guard PQresultStatus(answer) == PGRES_COPY_OUT else {
          _ = try checked(answer)
          throw PostgreSQLError(state: "08P01", message: "the server did not answer a COPY")
        }
        PQclear(answer)
        streaming = .copied
        isFirstRow = true
        guard let first = try nextRow() else { return PostgreSQLRows(PostgreSQLResult(nil)) }
        return open(PostgreSQLRows(types: types, first, from: self))
      } catch {
        skipRows()
        throw error
      }
    }

    private func open(_ rows: PostgreSQLRows) -> PostgreSQLRows {
      openRows = rows
      return rows
    }

    /// The next row received; nil after the last one.
    func nextRow() throws(PostgreSQLError) -> PostgreSQLRow? {
      do throws(PostgreSQLError) {
        switch streaming {
        case .singly:
          let result = try checked(PQgetResult(handle))
          if result.count > 0 { return .result(result) }
        case .copied:
          if let row = nextCopiedRow() { return .copied(row) }
          streaming = .singly
          _ = try checked(PQgetResult(handle))
        case nil:
          throw PostgreSQLError(
            state: "08006", message: "the connection was lost while rows were read")
        }
      } catch {
        skipRows()
        throw error
      }
      skipRows()
      return nil
    }

    /// The next row of a COPY; nil at its end, whose result says whether it succeeded.
    private func nextCopiedRow() -> PostgreSQLCopiedRow? {
      var buffer: UnsafeMutablePointer<CChar>?
      while case let count = PQgetCopyData(handle, &buffer, 0), count > 0, let found = buffer {
        let row = PostgreSQLCopiedRow(found, count: Int(count), isFirst: isFirstRow)
        isFirstRow = false
        if let row { return row }
      }
      return nil
    }

    /// Skips the remaining rows.
    func skipRows() {
      guard let streaming else { return }
      if streaming == .copied { while nextCopiedRow() != nil {} }
      while let result = PQgetResult(handle) { PQclear(result) }
      self.streaming = nil
      openRows = nil
      noteTransaction()
    }

    /// Receives the remaining rows into memory, so that other statements can be sent.
    func takeRest() {
      openRows?.takeRest()
      skipRows()
    }
  }
#endif
