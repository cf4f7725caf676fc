#if PostgreSQL
  import CPostgreSQL
  import SystemLibraries

  /// A connection to a PostgreSQL server without session state.
  ///
  /// No search path, prepared statement or setting outlives a transaction, so that it works through
  /// a connection pooler.
  ///
  /// Not used by two threads at once.
  final class PostgreSQLConnection {
    let address: PostgreSQLAddress
    /// How many seconds it waits for locks and for the server.
    let patience: Double
    var handle: OpaquePointer
    private var isClosed = false
    /// Whether the following statements belong to a transaction, so that they must not be sent over
    /// a new connection.
    var isBound = false
    /// The statements to be sent with the next one whose result is needed.
    var queued: [PendingStatement] = []
    /// The results of reads that were sent ahead.
    var answers: [(sql: String, values: [PostgreSQLValue], result: PostgreSQLResult)] = []
    /// Whether a read-only transaction has ended here, but not yet on the server.
    var hasDeferredEnd = false
    /// The rows being received, if they are still in use.
    weak var openRows: PostgreSQLRows?
    /// The protocol by which the remaining rows are received.
    var streaming: Streaming?
    /// Whether the next row of a COPY is its first one.
    var isFirstRow = false
    /// Whether the server supports COPY in the binary format.
    private(set) lazy var copiesRows = engine.copiesRows
    /// How many times statements were sent.
    var exchanges = 0
    /// The information about the last transaction.
    var trace = TransactionTrace()

    init(_ address: PostgreSQLAddress, waiting patience: Double) throws {
      self.address = address
      self.patience = patience
      handle = try Self.connect(address, waiting: patience)
    }

    deinit { close() }

    /// Closes the connection properly, so that the server does not log a lost client; it must not
    /// be used afterwards.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      PQfinish(handle)
    }

    /// Whether statements run within a transaction, including a failed one and one not sent yet.
    var isInTransaction: Bool { !queued.isEmpty || isServerInTransaction }

    /// Whether nothing can be sent any more.
    ///
    /// libpq reports a connection on which a write failed as OK, but it does not leave pipeline
    /// mode.
    private var isBroken: Bool {
      PQstatus(handle) == CONNECTION_BAD || PQpipelineStatus(handle) != PQ_PIPELINE_OFF
    }

    /// Whether the server has begun a transaction.
    var isServerInTransaction: Bool {
      !hasDeferredEnd && !isBroken
        && [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
    }

    /// The engine that the server runs.
    var engine: PostgreSQLEngine {
      PostgreSQLEngine(version: PQserverVersion(handle)) { name in
        PQparameterStatus(handle, name).map { String(cString: $0) }
      }
    }

    /// The database's encoding by the server's name; nil if it is not reported.
    var encoding: String? {
      PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
    }

    // MARK: Statements

    /// Runs one statement, with values for its question marks, after the queued ones; all are sent
    /// in one round trip.
    ///
    /// If the connection is lost outside of a transaction, it is run again over a new one: in this
    /// case nothing was done, or only reads.
    @discardableResult
    func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws -> PostgreSQLResult {
      answers = []
      return try exchange(adding: PendingStatement(sql, values))
    }

    /// Runs a statement that only reads, or returns the result if it was sent ahead.
    func read(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLResult {
      if queued.contains(where: { $0.isExpected(sql, values) }) { try sendQueued() }
      if let index = answers.firstIndex(where: { $0.sql == sql && $0.values == values }) {
        return answers.remove(at: index).result
      }
      return try exchange(adding: PendingStatement(sql, values))
    }

    /// Queues a statement that only reads, to be sent with the next one; its result is kept for
    /// ``read``.
    ///
    /// Running or queuing anything else discards it.
    func expect(_ sql: String, _ values: [PostgreSQLValue]) {
      queued.append(
        PendingStatement(
          sql, values,
          onResult: { [unowned self] result in answers.append((sql, values, result)) },
          isExpected: true))
    }

    /// Runs several statements without values in one round trip; returns the result of the last
    /// one, as text.
    @discardableResult
    func runAll(_ sql: String) throws -> PostgreSQLResult {
      if !queued.isEmpty { try sendQueued() }
      takeRest()
      answers = []
      deferEnd()
      exchanges += 1
      defer { noteTransaction() }
      do {
        return try checked(PQexec(handle, sql))
      } catch {
        guard mayRepeat(error) else { throw error }
        try reconnect()
        return try checked(PQexec(handle, sql))
      }
    }

    /// Queues a statement of a transaction, to be sent with the next one that is run, or with the
    /// commit.
    ///
    /// For statements whose results are not needed at once. The results should be small, as they
    /// are not read while other statements are sent.
    ///
    /// - Parameters:
    ///   - onResult: receives the result.
    ///   - onFailure: converts the error, which is thrown by whichever call sends the
    ///     statement.
    func queue(
      _ sql: String, _ values: [PostgreSQLValue] = [],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      onResult: ((PostgreSQLResult) -> Void)? = nil
    ) {
      answers = []
      queued.append(PendingStatement(sql, values, onFailure: onFailure, onResult: onResult))
    }

    /// Queues a statement like `queue`, whose result must be checked before anything is committed.
    ///
    /// - Parameter check: throws if the result is wrong.
    func queue(
      _ sql: String, _ values: [PostgreSQLValue],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      checking check: @escaping (PostgreSQLResult) throws -> Void
    ) {
      answers = []
      queued.append(
        PendingStatement(sql, values, onFailure: onFailure, onResult: check, isCheck: true))
    }

    /// Sends the queued statements if one of them has a check.
    func runChecks() throws {
      if queued.contains(where: \.isCheck) { try sendQueued() }
    }

    /// Discards the queued statements.
    func dropQueued() { queued = [] }

    /// Sends the queued statements now.
    func sendQueued() throws {
      guard let last = queued.popLast() else { return }
      try exchange(adding: last)
    }

    @discardableResult
    private func exchange(adding last: PendingStatement) throws -> PostgreSQLResult {
      takeRest()
      var statements = queued + [last]
      if hasDeferredEnd { statements.insert(PendingStatement("ROLLBACK", []), at: 0) }
      hasDeferredEnd = false
      queued = []
      exchanges += 1
      defer { noteTransaction() }
      var (results, failure) = send(statements)
      if let error = failure, mayRepeat(error), !statements.contains(where: \.isCommit) {
        try reconnect()
        (results, failure) = send(statements)
      }
      noteTransaction()
      for (statement, result) in zip(statements, results) { try statement.onResult?(result) }
      if let failure { throw statements[results.count].onFailure?(failure) ?? failure }
      // There is one for each statement, as none failed.
      return results[statements.count - 1]
    }

    /// Whether failed statements may be sent again over a new connection.
    func mayRepeat(_ error: PostgreSQLError) -> Bool {
      !isBound && error.isLost && isBroken
    }

    func noteTransaction() {
      guard !isBroken else { return }
      switch PQtransactionStatus(handle) {
      case PQTRANS_IDLE: isBound = false
      case PQTRANS_UNKNOWN: break
      default: isBound = true
      }
    }

    /// Sends statements and receives their results; after a failed one, no further one is run.
    private func send(
      _ statements: [PendingStatement]
    ) -> (results: [PostgreSQLResult], failure: PostgreSQLError?) {
      var results: [PostgreSQLResult] = []
      var rest = statements[...]
      while !rest.isEmpty {
        var byteCount = 0
        let count = rest.prefix { statement in
          byteCount += statement.byteCount
          return byteCount <= Self.mostBytesAtOnce
        }.count
        if let failure = send(rest.prefix(max(count, 1)), &results) { return (results, failure) }
        rest = rest.dropFirst(max(count, 1))
      }
      return (results, nil)
    }

    /// Sends statements in one round trip; returns the error of the first that fails.
    private func send(
      _ statements: ArraySlice<PendingStatement>, _ results: inout [PostgreSQLResult]
    ) -> PostgreSQLError? {
      do throws(PostgreSQLError) {
        if statements.count == 1, let statement = statements.first {
          let result = statement.withParameters {
            PQexecParams(handle, $0, $1, $2, $3, $4, $5, 1)
          }
          results.append(try checked(result))
          return nil
        }
        try begin(PQenterPipelineMode(handle))
        for statement in statements {
          try begin(
            statement.withParameters { PQsendQueryParams(handle, $0, $1, $2, $3, $4, $5, 1) })
        }
        try begin(PQpipelineSync(handle))
      } catch {
        leavePipeline()
        return error
      }
      defer { leavePipeline() }
      for _ in statements {
        do throws(PostgreSQLError) {
          results.append(try checked(PQgetResult(handle)))
        } catch {
          return error
        }
        // A NULL result follows the results of each statement.
        PQclear(PQgetResult(handle))
      }
      return nil
    }

    /// The number of bytes sent without reading any result.
    ///
    /// More could fill the buffers in between, and then both sides would wait for each other.
    private static let mostBytesAtOnce = 8_192

    func begin(_ isSent: Int32) throws(PostgreSQLError) {
      guard isSent == 1 else {
        throw PostgreSQLError(state: "", message: String(cString: PQerrorMessage(handle)))
      }
    }

    /// Reads the remaining results and leaves pipeline mode; if no results arrive that would end
    /// it, the connection is broken.
    private func leavePipeline() {
      // NULL ends the results of each statement; a second NULL means that there are no more.
      var ends = 0
      while PQpipelineStatus(handle) != PQ_PIPELINE_OFF, PQexitPipelineMode(handle) != 1,
        PQstatus(handle) == CONNECTION_OK, ends < 2
      {
        let result = PQgetResult(handle)
        ends = result == nil ? ends + 1 : 0
        PQclear(result)
      }
    }

    /// Connects again after the connection was lost, waiting while the server restarts.
    func reconnect() throws(PostgreSQLError) {
      hasDeferredEnd = false
      streaming = nil
      let new = try Self.connect(address, waiting: patience, isKnown: true)
      PQfinish(handle)
      handle = new
    }

    func checked(_ result: OpaquePointer?) throws(PostgreSQLError) -> PostgreSQLResult {
      if let error = PostgreSQLError(result, of: handle) {
        PQclear(result)
        throw error
      }
      return PostgreSQLResult(result)
    }
  }

  @available(*, unavailable) extension PostgreSQLConnection: Sendable {}
#endif
