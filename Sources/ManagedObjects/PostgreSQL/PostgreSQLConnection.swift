#if PostgreSQL
  import CPostgreSQL
  import SystemLibraries

  /// A connection to a PostgreSQL server that keeps nothing in its session: no path, no statements,
  /// no settings outlive a transaction, so that it may go through a pooler.
  ///
  /// Not used by two threads at once.
  final class PostgreSQLConnection {
    let address: PostgreSQLAddress
    /// For how many seconds it waits for others.
    let patience: Double
    var handle: OpaquePointer
    private var isClosed = false
    /// Whether what follows belongs to a transaction, and must not go over another connection.
    var isBound = false
    /// What goes to the server with the next statement whose answer is waited for.
    var queued: [PendingStatement] = []
    /// What reads have given that were sent before they are asked for.
    var answers: [(sql: String, values: [PostgreSQLValue], result: PostgreSQLResult)] = []
    /// Whether the server has still to hear that a transaction, which has only read, is over.
    var isToEnd = false
    /// The rows that are being read as they come, if somebody still wants them.
    weak var openRows: PostgreSQLRows?
    /// How rows come that are still to come.
    var streaming: Streaming?
    /// Whether the next row of a COPY is its first.
    var isFirstRow = false
    /// Whether the server can copy rows in the binary format.
    private(set) lazy var copiesRows = engine.copiesRows
    /// How often statements were sent.
    var exchanges = 0
    /// What is known of the transaction that was begun last.
    var trace = TransactionTrace()

    init(_ address: PostgreSQLAddress, waiting patience: Double) throws {
      self.address = address
      self.patience = patience
      handle = try Self.connect(address, waiting: patience)
    }

    deinit { close() }

    /// Says goodbye to the server, which then does not wonder where the program has gone; nothing
    /// may be asked any more.
    func close() {
      guard !isClosed else { return }
      isClosed = true
      PQfinish(handle)
    }

    /// Whether statements run within a transaction, a failed one or one still to be sent included.
    var isInTransaction: Bool { !queued.isEmpty || isInTransactionThere }

    /// Whether nothing can be sent any more.
    ///
    /// libpq says of a connection over which it could not write that all is well, but does not
    /// leave the mode in which several statements are sent at once.
    private var isBroken: Bool {
      PQstatus(handle) == CONNECTION_BAD || PQpipelineStatus(handle) != PQ_PIPELINE_OFF
    }

    /// Whether the server has begun a transaction.
    var isInTransactionThere: Bool {
      !isToEnd && !isBroken
        && [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
    }

    /// What the server runs.
    var engine: PostgreSQLEngine {
      PostgreSQLEngine(version: PQserverVersion(handle)) { name in
        PQparameterStatus(handle, name).map { String(cString: $0) }
      }
    }

    /// The encoding of the database, as the server calls it; nil where it does not say.
    var encoding: String? {
      PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
    }

    // MARK: Statements

    /// Runs one statement, whose values stand for its question marks, behind those that were
    /// queued; all go in one round trip.
    ///
    /// Where the connection is lost outside of a transaction, it is run over a new one: then
    /// nothing has been done, or only read.
    @discardableResult
    func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws -> PostgreSQLResult {
      answers = []
      return try exchange(adding: PendingStatement(sql, values))
    }

    /// Runs a statement that only reads, unless it was expected, and has been answered.
    func read(_ sql: String, _ values: [PostgreSQLValue]) throws -> PostgreSQLResult {
      if queued.contains(where: { $0.isExpected(sql, values) }) { try sendQueued() }
      if let index = answers.firstIndex(where: { $0.sql == sql && $0.values == values }) {
        return answers.remove(at: index).result
      }
      return try exchange(adding: PendingStatement(sql, values))
    }

    /// Has a statement that only reads go to the server with the next one, and its answer wait for
    /// ``read``.
    ///
    /// Anything else that is run, or queued behind it, makes it worth nothing.
    func expect(_ sql: String, _ values: [PostgreSQLValue]) {
      queued.append(
        PendingStatement(
          sql, values,
          onResult: { [unowned self] result in answers.append((sql, values, result)) },
          isExpected: true))
    }

    /// Runs several statements without values, in one round trip; gives what the last one gave, as
    /// text.
    @discardableResult
    func runAll(_ sql: String) throws -> PostgreSQLResult {
      if !queued.isEmpty { try sendQueued() }
      takeRest()
      answers = []
      endLate()
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

    /// Has a statement of a transaction go to the server with the next one that is run, or the
    /// commit.
    ///
    /// It is for statements whose answer nobody waits for. Their answers should be small, as no one
    /// reads them while others are sent.
    ///
    /// - Parameters:
    ///   - onResult: hears what it gave.
    ///   - onFailure: what is thrown where it fails, by whatever has it sent.
    func queue(
      _ sql: String, _ values: [PostgreSQLValue] = [],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      onResult: ((PostgreSQLResult) -> Void)? = nil
    ) {
      answers = []
      queued.append(PendingStatement(sql, values, onFailure: onFailure, onResult: onResult))
    }

    /// Has a statement go as `queue` does, but before anything is committed: what it gives must be
    /// right.
    ///
    /// - Parameter check: throws where it is not.
    func queue(
      _ sql: String, _ values: [PostgreSQLValue],
      onFailure: ((PostgreSQLError) -> any Error)? = nil,
      checking check: @escaping (PostgreSQLResult) throws -> Void
    ) {
      answers = []
      queued.append(
        PendingStatement(sql, values, onFailure: onFailure, onResult: check, isCheck: true))
    }

    /// Sends what was queued, if something must be right before the transaction goes on.
    func runChecks() throws {
      if queued.contains(where: \.isCheck) { try sendQueued() }
    }

    /// Forgets what was queued.
    func dropQueued() { queued = [] }

    /// Sends what was queued now.
    func sendQueued() throws {
      guard let last = queued.popLast() else { return }
      try exchange(adding: last)
    }

    @discardableResult
    private func exchange(adding last: PendingStatement) throws -> PostgreSQLResult {
      takeRest()
      var statements = queued + [last]
      if isToEnd { statements.insert(PendingStatement("ROLLBACK", []), at: 0) }
      isToEnd = false
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
      // There is one for each, as none failed.
      return results[statements.count - 1]
    }

    /// Whether statements that have failed may be sent over another connection.
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

    /// Sends statements, and waits for what each gives; behind one that fails none is run.
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

    /// Sends statements in one round trip; gives the error of the first that fails.
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
        // Behind each one's answer.
        PQclear(PQgetResult(handle))
      }
      return nil
    }

    /// So much is sent without waiting for any answer.
    ///
    /// More could fill what is between, and then both sides would wait for each other.
    private static let mostBytesAtOnce = 8_192

    func begin(_ isSent: Int32) throws(PostgreSQLError) {
      guard isSent == 1 else {
        throw PostgreSQLError(state: "", message: String(cString: PQerrorMessage(handle)))
      }
    }

    /// Reads what is still to come, and leaves the mode in which several statements are sent at
    /// once; where nothing comes that would end it, the connection is broken.
    private func leavePipeline() {
      // Each statement's results end with one; another one behind it says that there are no more.
      var ends = 0
      while PQpipelineStatus(handle) != PQ_PIPELINE_OFF, PQexitPipelineMode(handle) != 1,
        PQstatus(handle) == CONNECTION_OK, ends < 2
      {
        let result = PQgetResult(handle)
        ends = result == nil ? ends + 1 : 0
        PQclear(result)
      }
    }

    /// Connects again after the connection was lost; waits while the server restarts.
    func reconnect() throws(PostgreSQLError) {
      isToEnd = false
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
