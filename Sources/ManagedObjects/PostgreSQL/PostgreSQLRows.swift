#if PostgreSQL
  import CPostgreSQL

  /// The rows that a SELECT gives, one after the other as they come from the server, or out of a
  /// whole result.
  ///
  /// Whatever else is asked over the connection meanwhile has the rest of them come into memory
  /// first.
  final class PostgreSQLRows {
    /// What has the row that is looked at.
    private(set) var result: PostgreSQLResult
    /// Its index in that.
    private(set) var row = -1
    /// Where more comes from; nil where nothing does.
    private var connection: PostgreSQLConnection?
    /// What came into memory, and what went wrong behind it.
    private var rest: (result: PostgreSQLResult, failure: PostgreSQLError?)?

    /// All rows of a result.
    init(_ result: PostgreSQLResult) { self.result = result }

    /// A row, and those that come behind it.
    init(_ first: PostgreSQLResult, from connection: PostgreSQLConnection) {
      result = first
      self.connection = connection
    }

    deinit { connection?.skipRows() }

    /// Goes to the next row; false when there is none.
    func next() throws(PostgreSQLError) -> Bool {
      row += 1
      if row < result.count { return true }
      if let connection {
        do {
          guard let next = try connection.nextRow() else {
            self.connection = nil
            return false
          }
          (result, row) = (next, 0)
          return true
        } catch {
          self.connection = nil
          throw error
        }
      }
      guard let rest else { return false }
      self.rest = nil
      (result, row) = (rest.result, 0)
      if result.count > 0 {
        // What failed comes behind the rows.
        if let failure = rest.failure { self.rest = (PostgreSQLResult(nil), failure) }
        return true
      }
      if let failure = rest.failure { throw failure }
      return false
    }

    /// Has all that is still to come come into memory.
    func takeRest() {
      guard let connection else { return }
      self.connection = nil
      var copy = PostgreSQLResultCopy(of: result)
      do {
        while let next = try connection.nextRow() { copy.append(next) }
        rest = (copy.result, nil)
      } catch {
        rest = (copy.result, error)
      }
    }
  }

  @available(*, unavailable) extension PostgreSQLRows: Sendable {}
#endif
