#if PostgreSQL
  import CPostgreSQL

  /// Rows that are given as they come, while others are still on their way.
  extension PostgreSQLConnection {
    /// How rows come.
    enum Streaming {
      /// One result for each.
      case singly
      /// As a COPY has them, which takes two thirds of the time.
      case copied
    }

    /// Runs a SELECT as `read` does, but gives its rows as they come.
    ///
    /// Where it goes to the server with others, or has been answered, all of them are there.
    func rows(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLRows {
      let isAnswered = answers.contains { $0.sql == sql && $0.values == values }
      guard queued.isEmpty, !isToEnd, !isAnswered else {
        return PostgreSQLRows(try read(sql, values))
      }
      takeRest()
      exchanges += 1
      // A COPY takes no values; what has none, no limit either, asks for a whole table.
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

    /// Has the rows of a SELECT copied.
    ///
    /// A COPY doesn't tell the types of its columns, so the SELECT is asked for them in the same
    /// round trip. No one can change the table in between: what is sent at once is a transaction,
    /// unless it is part of one.
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

    /// The next row that comes; nil behind the last one.
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

    /// The next row of a COPY; nil where it has ended, well or not, which its result tells.
    private func nextCopiedRow() -> PostgreSQLCopiedRow? {
      var buffer: UnsafeMutablePointer<CChar>?
      while case let count = PQgetCopyData(handle, &buffer, 0), count > 0, let found = buffer {
        let row = PostgreSQLCopiedRow(found, count: Int(count), isFirst: isFirstRow)
        isFirstRow = false
        if let row { return row }
      }
      return nil
    }

    /// Passes over the rows that are still to come.
    func skipRows() {
      guard let streaming else { return }
      if streaming == .copied { while nextCopiedRow() != nil {} }
      while let result = PQgetResult(handle) { PQclear(result) }
      self.streaming = nil
      openRows = nil
      noteTransaction()
    }

    /// Has the rows that are still to come come into memory, so that other statements can be sent.
    func takeRest() {
      openRows?.takeRest()
      skipRows()
    }
  }
#endif
