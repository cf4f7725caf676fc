/// A connection to an SQL engine, for statements that need not be fast.
///
/// Statements have a question mark for each value. Statements that run for every row of a fetch or
/// save use the engine's own types, which are faster.
protocol SQLDatabase: AnyObject {
  /// A statement for an SQL text, prepared on first use.
  func prepared(_ sql: String) throws -> any SQLStatement

  /// Runs statements that have no parameters.
  func execute(_ sql: String) throws

  /// Runs a body in a transaction that can continue after one of the body's statements has failed.
  func recoverably<Result>(_ body: () throws -> Result) throws -> Result

  /// Whether accessing the engine is slow, so that reads are better batched.
  var prefersPipelining: Bool { get }

  /// Runs statements that are queued but not sent yet.
  func sendQueued() throws

  /// Runs SELECTs of one integer each and passes the results to a body, in order; on a remote
  /// server they are sent together.
  func forEachNumber(
    of statements: [String], _ body: (_ index: Int, _ number: Int64?) throws -> Void
  ) throws

  /// Rolls back to a savepoint, discarding statements queued since then.
  func rollBack(to savepoint: String) throws

  /// Inserts rows, each bound by a closure to a statement from the first parameter on; unbound
  /// values are NULL.
  ///
  /// - Parameter bytesFrom: the index of the first column that holds bytes; the columns before it
  ///   hold integers.
  func insert<Row>(
    _ rows: some Sequence<Row>, into table: String, _ columns: [String], bytesFrom: Int,
    _ bind: (Row, any SQLStatement) throws -> Void
  ) throws

  // MARK: The undo log

  /// Creates the tables of the undo log, or adds what they lack.
  func makeUndoLog() throws

  /// Appends an entry, marks undone entries as undone for good and deletes surplus ones.
  ///
  /// All in one statement; returns false if the engine has no such statement.
  ///
  /// - Parameters:
  ///   - limit: the minimum number of entries to keep.
  ///   - note: receives the entry's number before the transaction is committed.
  func appendUndoEntry(
    _ changes: [UInt8], to table: String, at date: Double, _ name: String, by author: String?,
    keeping limit: Int, then note: @escaping (Int64) -> Void
  ) throws -> Bool

  /// More rows than a command can have inserted.
  func maximumRowCount() throws -> Int64

  /// The error for a damaged undo log.
  var damagedUndoLog: any Error { get }
}

extension SQLDatabase {
  func appendUndoEntry(
    _ changes: [UInt8], to table: String, at date: Double, _ name: String, by author: String?,
    keeping limit: Int, then note: @escaping (Int64) -> Void
  ) throws -> Bool { false }

  func insert<Row>(
    _ rows: some Sequence<Row>, into table: String, _ columns: [String], bytesFrom: Int,
    _ bind: (Row, any SQLStatement) throws -> Void
  ) throws {
    let statement = try prepared(
      """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")))
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """)
    defer { statement.reset() }
    for row in rows {
      for column in 1...columns.count { statement.bindNull(at: Int32(column)) }
      try bind(row, statement)
      try statement.run()
    }
  }

  func recoverably<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  var prefersPipelining: Bool { false }
  func sendQueued() throws {}
  func rollBack(to savepoint: String) throws { try execute("ROLLBACK TO \(savepoint)") }

  func forEachNumber(
    of statements: [String], _ body: (_ index: Int, _ number: Int64?) throws -> Void
  ) throws {
    for (index, sql) in statements.enumerated() { try body(index, number(sql)) }
  }

  private func number(_ sql: String) throws -> Int64? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(at: 0) ? statement.integer(at: 0) : nil
  }

  /// Runs a SELECT of one integer column with a list of keys; returns the values found.
  ///
  /// See ``forEachRow(for:_:_:_:)``.
  func integers(
    for keys: [Int64], _ values: [Int64] = [], _ sql: (_ list: String) -> String
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    try forEachRow(for: keys, values, sql) { found.insert($0.integer(at: 0)) }
    return found
  }

  /// Runs a SELECT whose last parameters are a list of keys, in batches, and passes each row to a
  /// body.
  ///
  /// - Parameters:
  ///   - values: the values of the parameters before the list.
  ///   - sql: returns the statement for a list of parameters: `?, ?, ?`.
  func forEachRow(
    for keys: [Int64], _ values: [Int64] = [], _ sql: (_ list: String) -> String,
    _ body: (any SQLStatement) throws -> Void
  ) throws {
    var rest = keys[...]
    while let last = rest.last {
      // Only a few lengths, so that few statements are prepared; the last key is repeated to fill
      // up the list.
      let length = rest.count == 1 ? 1 : rest.count <= 20 ? 20 : 500
      let piece = rest.prefix(length)
      rest = rest.dropFirst(length)
      let statement = try prepared(sql(repeatElement("?", count: length).joined(separator: ", ")))
      defer { statement.reset() }
      for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
      for index in 0..<length {
        let key = index < piece.count ? piece[piece.startIndex + index] : last
        statement.bind(key, at: Int32(values.count + index + 1))
      }
      while try statement.step() { try body(statement) }
    }
  }
}
