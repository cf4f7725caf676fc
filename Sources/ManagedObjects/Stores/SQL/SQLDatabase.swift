/// A connection to an engine that takes SQL, for what is asked now and then.
///
/// Texts have a question mark for each value. What is asked for every row of a fetch or a save goes
/// to the engine's own types, which are quicker.
protocol SQLDatabase: AnyObject {
  /// Prepares a statement, or lends one that was prepared before.
  func prepared(_ sql: String) throws -> any SQLStatement

  /// Runs statements without values.
  func execute(_ sql: String) throws

  /// Runs a body within a transaction, which can go on where the body's statement has failed.
  func recoverably<Result>(_ body: () throws -> Result) throws -> Result

  /// Whether it is far away, so that it is better asked for much at once.
  var isAskedAhead: Bool { get }

  /// Runs what was queued, and has not been run yet.
  func sendQueued() throws

  /// Runs SELECTs of one whole number each, and hands over what they give in their order; they go
  /// together where the database is far away.
  func forEachNumber(
    of statements: [String], _ body: (_ index: Int, _ number: Int64?) throws -> Void
  ) throws

  /// Takes everything back that was done since a savepoint, and what is queued with it.
  func rollBack(to savepoint: String) throws

  /// Inserts rows, each by what binds its values to a statement, from the first parameter on; what
  /// is not bound is missing.
  ///
  /// - Parameter bytesFrom: the index of the first column that has bytes; those before have whole
  ///   numbers.
  func insert<Row>(
    _ rows: some Sequence<Row>, into table: String, _ columns: [String], bytesFrom: Int,
    _ bind: (Row, any SQLStatement) throws -> Void
  ) throws

  // MARK: The undo log

  /// Makes the tables of the undo log, or what they lack.
  func makeUndoLog() throws

  /// Writes an entry behind all others, has those that are undone be so for good, and removes
  /// those that are too many, in one statement; false where the engine has no such statement.
  ///
  /// - Parameters:
  ///   - limit: how many are kept at least.
  ///   - note: hears the entry's number, before the transaction is committed.
  func appendUndoEntry(
    _ changes: [UInt8], to table: String, at date: Double, _ name: String, by author: String?,
    keeping limit: Int, then note: @escaping (Int64) -> Void
  ) throws -> Bool

  /// More rows than a command can have made.
  func mostRows() throws -> Int64

  /// The error that the undo log is damaged.
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
  var isAskedAhead: Bool { false }
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

  /// Runs a SELECT of one column of whole numbers whose values end with keys; gives what it found.
  ///
  /// See ``forEachRow(for:_:_:_:)``.
  func integers(
    for keys: [Int64], _ values: [Int64] = [], _ sql: (_ list: String) -> String
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    try forEachRow(for: keys, values, sql) { found.insert($0.integer(at: 0)) }
    return found
  }

  /// Runs a SELECT whose values end with keys, of which it may take so many at once; hands over
  /// each row that it finds.
  ///
  /// - Parameters:
  ///   - values: those of the question marks before the list.
  ///   - sql: makes the statement, given the list: `?, ?, ?`.
  func forEachRow(
    for keys: [Int64], _ values: [Int64] = [], _ sql: (_ list: String) -> String,
    _ body: (any SQLStatement) throws -> Void
  ) throws {
    var rest = keys[...]
    while let last = rest.last {
      // Few lengths, so that few statements are prepared; the last key stands for those that are
      // missing.
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

/// A statement of a database: bound, run, and its rows read one after the other.
///
/// Parameters count from 1, columns from 0.
protocol SQLStatement: AnyObject {
  func bind(_ value: Int64, at parameter: Int32)
  func bind(_ value: Double, at parameter: Int32)
  func bind(_ text: String, at parameter: Int32)
  func bind(_ bytes: [UInt8], at parameter: Int32)
  /// Binds UTF-8 text.
  func bind(text bytes: [UInt8], at parameter: Int32)
  func bindNull(at parameter: Int32)

  /// Goes to the next row; false when there is none.
  func step() throws -> Bool
  /// Runs a statement that gives no rows.
  func run() throws
  /// Runs a statement that gives no rows, now or with the next one.
  ///
  /// - Parameter told: what is thrown where it fails, by whatever has it run.
  func queue(_ told: @escaping (any SQLEngineError) -> any Error) throws
  /// Makes the statement ready to run again; its values stay bound.
  func reset()

  func isNull(at column: Int32) -> Bool
  func integer(at column: Int32) -> Int64
  func real(at column: Int32) -> Double
  func string(at column: Int32) -> String?
  /// The bytes of a column, or nil for NULL; valid until the next step.
  func blob(at column: Int32) -> UnsafeRawBufferPointer?
}

extension SQLStatement {
  func queue(_ told: @escaping (any SQLEngineError) -> any Error) throws {
    do {
      try run()
    } catch let error as any SQLEngineError {
      throw told(error)
    }
  }

  func queue() throws { try queue { $0 } }
}

/// An engine's account of why it could not do something.
protocol SQLEngineError: Error {
  /// A value stands twice where a unique index allows it once.
  var isUniqueViolation: Bool { get }
  /// A table, column or index is missing that a statement names.
  var lacksPartOfSchema: Bool { get }
}
