#if PostgreSQL
  /// A statement on a connection to a server: it runs when the first row is requested, and then all
  /// rows are in memory.
  final class PostgreSQLStatement: SQLStatement {
    private let connection: PostgreSQLConnection
    private let sql: String
    private var values: [PostgreSQLValue] = []
    private var result: PostgreSQLResult?
    private var row = -1

    init(_ sql: String, of connection: PostgreSQLConnection) {
      self.sql = sql
      self.connection = connection
    }

    // MARK: Binding

    func bind(_ value: Int64, at parameter: Int32) { hold(.integer(value), at: parameter) }
    func bind(_ value: Double, at parameter: Int32) { hold(.real(value), at: parameter) }
    func bind(_ text: String, at parameter: Int32) { hold(.text(text), at: parameter) }
    func bind(_ bytes: [UInt8], at parameter: Int32) { hold(.bytes(bytes), at: parameter) }
    func bind(text bytes: [UInt8], at parameter: Int32) { hold(.text(bytes), at: parameter) }
    func bindNull(at parameter: Int32) { hold(.null, at: parameter) }

    private func hold(_ value: PostgreSQLValue, at parameter: Int32) {
      while values.count < parameter { values.append(.null) }
      values[Int(parameter) - 1] = value
    }

    func clearBindings() { values.removeAll(keepingCapacity: true) }

    /// The value bound to a parameter, by its index.
    func value(at index: Int) -> PostgreSQLValue? {
      index < values.count ? values[index] : nil
    }

    // MARK: Running

    func step() throws -> Bool {
      let result = try result ?? connection.run(sql, values)
      self.result = result
      row += 1
      return row < result.count
    }

    func run() throws { try connection.run(sql, values) }

    func queue(_ told: @escaping (any SQLEngineError) -> any Error) {
      connection.queue(sql, values, onFailure: told)
    }

    func reset() {
      result = nil
      row = -1
    }

    // MARK: Columns

    func isNull(at column: Int32) -> Bool { result?.isNull(row, column) ?? true }
    func integer(at column: Int32) -> Int64 { result?.integer(row, column) ?? 0 }

    func real(at column: Int32) -> Double {
      Double(bitPattern: result?.bits(row, column) ?? 0)
    }

    func string(at column: Int32) -> String? { result?.text(row, column) }
    func blob(at column: Int32) -> UnsafeRawBufferPointer? { result?.bytes(row, column) }
  }

  @available(*, unavailable) extension PostgreSQLStatement: Sendable {}

  extension PostgreSQLConnection: SQLDatabase {
    func prepared(_ sql: String) throws -> any SQLStatement { PostgreSQLStatement(sql, of: self) }

    func execute(_ sql: String) throws { try runAll(sql) }

    var prefersPipelining: Bool { true }

    func forEachNumber(
      of statements: [String], _ body: (_ index: Int, _ number: Int64?) throws -> Void
    ) throws {
      var numbers: [Int64?] = []
      for sql in statements {
        queue(
          sql,
          onResult: { found in
            let exists = found.count > 0 && !found.isNull(0, 0)
            numbers.append(exists ? found.integer(0, 0) : nil)
          })
      }
      try sendQueued()
      for (index, number) in numbers.enumerated() { try body(index, number) }
    }

    func rollBack(to savepoint: String) throws {
      dropQueued()
      try runAll("ROLLBACK TO \(savepoint)")
    }

    func recoverably<Result>(_ body: () throws -> Result) throws -> Result {
      try recoverably(isLast: false, body)
    }

    func makeUndoLog() throws {
      // It is created with the store.
      throw damagedUndoLog
    }

    func appendUndoEntry(
      _ changes: [UInt8], to table: String, at date: Double, _ name: String, by author: String?,
      keeping limit: Int, then note: @escaping (Int64) -> Void
    ) -> Bool {
      queue(
        """
        WITH undone AS (
          UPDATE \(table) SET UNDONE = -(SELECT max(SERIAL) + 1 FROM \(table))
          WHERE UNDONE = 1 AND length(CHANGES) <= \(SQLUndoLog.mostUndoneBytes)),
        gone AS (
          DELETE FROM \(table)
          WHERE UNDONE = 1 AND length(CHANGES) > \(SQLUndoLog.mostUndoneBytes)
          OR UNDONE <> 1 AND SERIAL < (SELECT max(SERIAL) FROM \(table)) - \(limit))
        INSERT INTO \(table) (SERIAL, UNDONE, AT, NAME, CHANGES, AUTHOR)
        SELECT coalesce(max(SERIAL), 0) + 1, 0, ?, ?, ?, ? FROM \(table) RETURNING SERIAL
        """,
        [.real(date), .text(name), .bytes(changes), author.map { .text($0) } ?? .null],
        onFailure: { $0.isMissingTable ? self.damagedUndoLog : $0 },
        onResult: { note($0.integer(0, 0)) })
      // Only now and then, since it scans the whole table.
      queue(
        """
        DELETE FROM \(address.dialect.table(SQLUndoLog.versions))
        WHERE (SELECT max(SERIAL) FROM \(table)) % 64 = 0
        AND SERIAL < (SELECT max(SERIAL) FROM \(table)) - \(limit)
        """)
      return true
    }

    /// The highest key ever assigned.
    func maximumRowCount() throws -> Int64 {
      try run("SELECT coalesce(max(Z_MAX), 0) FROM \(address.dialect.table("Z_PRIMARYKEY"))", [])
        .integer(0, 0)
    }

    var damagedUndoLog: any Error {
      PostgreSQLError(state: "XX001", message: "the undo log is damaged")
    }
  }

  extension PostgreSQLError: SQLEngineError {
    var lacksPartOfSchema: Bool { isMissingTable }
  }
#endif
