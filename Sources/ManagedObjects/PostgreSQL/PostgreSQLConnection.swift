#if PostgreSQL
  import CPostgreSQL
  import SystemLibraries

  /// A connection to a PostgreSQL server that keeps nothing in its session: no path, no statements, no
  /// settings outlive a transaction, so that it may go through a pooler.
  ///
  /// Not used by two threads at once.
  final class PostgreSQLConnection {
    let address: PostgreSQLAddress
    /// For how many seconds it waits for others.
    let patience: Double
    private var handle: OpaquePointer
    /// Whether what follows belongs to a transaction, and must not go over another line.
    var isBound = false

    init(_ address: PostgreSQLAddress, waiting patience: Double) throws {
      self.address = address
      self.patience = patience
      handle = try Self.connect(address, waiting: patience)
    }

    deinit { PQfinish(handle) }

    /// Whether statements run within a transaction, a failed one included.
    var isInTransaction: Bool {
      [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
    }

    /// The server's version, such as `15.18`.
    var serverVersion: String {
      let number = PQserverVersion(handle)
      return "\(number / 10_000).\(number % 10_000)"
    }

    // MARK: Statements

    /// Runs one statement, whose values stand for its question marks.
    ///
    /// Where the line is gone outside of a transaction, it is run over a new one: then nothing has been
    /// done, or only read.
    @discardableResult
    func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws(PostgreSQLError)
      -> PostgreSQLResult
    {
      try again { () throws(PostgreSQLError) in try self.runOnce(sql, values) }
    }

    /// Runs several statements without values, in one round trip; gives what the last one gave, as text.
    @discardableResult
    func runAll(_ sql: String) throws(PostgreSQLError) -> PostgreSQLResult {
      try again { () throws(PostgreSQLError) in try self.checked(PQexec(self.handle, sql)) }
    }

    private func again(
      _ body: () throws(PostgreSQLError) -> PostgreSQLResult
    ) throws(PostgreSQLError) -> PostgreSQLResult {
      let wasInTransaction = isInTransaction
      do {
        return try body()
      } catch {
        guard !wasInTransaction, !isBound, error.isLost, PQstatus(handle) == CONNECTION_BAD else {
          throw error
        }
        try reconnect()
        return try body()
      }
    }

    /// Connects anew, in place of a line that is gone.
    func reconnect() throws(PostgreSQLError) {
      let new = try Self.connect(address, waiting: patience)
      PQfinish(handle)
      handle = new
    }

    private func runOnce(
      _ sql: String, _ values: [PostgreSQLValue]
    ) throws(PostgreSQLError) -> PostgreSQLResult {
      let types = values.map { Oid($0.kind.rawValue) }
      let lengths = values.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
      let formats = values.map { _ in Int32(1) }
      // All bytes in one piece, as pointers into many arrays would not last.
      var places: [Int?] = []
      var bytes: [UInt8] = []
      for value in values {
        places.append(value.bytes == nil ? nil : bytes.count)
        bytes += value.bytes ?? []
      }
      bytes.append(0)
      let result = bytes.withUnsafeBytes { room in
        let start = room.baseAddress!.assumingMemoryBound(to: CChar.self)
        let pointers: [UnsafePointer<CChar>?] = places.map { $0.map { start + $0 } }
        return PQexecParams(
          handle, Self.numbered(sql), Int32(values.count), types, pointers, lengths, formats, 1)
      }
      return try checked(result)
    }

    private func checked(_ result: OpaquePointer?) throws(PostgreSQLError) -> PostgreSQLResult {
      if let error = PostgreSQLError(result, of: handle) {
        PQclear(result)
        throw error
      }
      return PostgreSQLResult(result)
    }

    /// A statement with `$1`, `$2` … for its question marks, but for those in names.
    private static func numbered(_ sql: String) -> String {
      var text: [UInt8] = []
      var number = 0
      var isInName = false
      for byte in sql.utf8 {
        if byte == UInt8(ascii: "\"") { isInName.toggle() }
        if byte == UInt8(ascii: "?"), !isInName {
          number += 1
          text += Array("$\(number)".utf8)
        } else {
          text.append(byte)
        }
      }
      return String(decoding: text, as: UTF8.self)
    }

    // MARK: Transactions

    /// Commits; settles what became of it where the line is cut meanwhile.
    ///
    /// - Parameter transaction: its number, as `pg_current_xact_id()` gave it.
    /// - Throws: `PostgreSQLError`, with `isUncertain` where it cannot be known whether it is committed.
    func commit(_ transaction: String?) throws(PostgreSQLError) {
      isBound = false
      do throws(PostgreSQLError) {
        // What has failed before it is rolled back by a COMMIT, which is no error to the server.
        guard try checked(PQexec(handle, "COMMIT")).command == "COMMIT" else {
          throw PostgreSQLError(
            state: "25P02", message: "a statement of the transaction had failed")
        }
      } catch {
        guard error.isLost else { throw error }
        var uncertain = error
        uncertain.isUncertain = true
        guard let transaction else { throw uncertain }
        let fate: String?
        do {
          try reconnect()
          fate = try runAll("SELECT pg_xact_status('\(transaction)')").text(0, 0)
        } catch {
          throw uncertain
        }
        if fate == "committed" { return }
        if fate != "aborted" { throw uncertain }
        throw PostgreSQLError(state: "40001", message: error.message)
      }
    }

    /// Ends a transaction without a trace; on a line that is gone the server does.
    func rollBack() {
      isBound = false
      if isInTransaction { _ = try? checked(PQexec(handle, "ROLLBACK")) }
    }

    // MARK: Connecting

    /// Connects; waits as long as the server takes no more, starts or stops.
    private static func connect(
      _ address: PostgreSQLAddress, waiting patience: Double
    ) throws(PostgreSQLError) -> OpaquePointer {
      let deadline = now + patience
      while true {
        let handle = try connectOnce(address)
        if PQstatus(handle) == CONNECTION_OK { return handle }
        let error = PostgreSQLError(connecting: handle)
        PQfinish(handle)
        guard error.isForLater, now < deadline else { throw error }
        usleep(UInt32.random(in: 5_000...50_000))
      }
    }

    private static func connectOnce(
      _ address: PostgreSQLAddress
    ) throws(PostgreSQLError) -> OpaquePointer {
      // What stands before the URL it may say otherwise; what stands behind it, not.
      var settings: [(String, String)] = [
        ("connect_timeout", "10"), ("tcp_user_timeout", "30000"),
        ("fallback_application_name", "dogwalk"),
      ]
      if !address.isLocal, !address.saysTLS { settings.append(("sslmode", "require")) }
      settings += [("dbname", address.connectionText), ("client_encoding", "UTF8")]
      var keywords = settings.map { UnsafePointer(strdup($0.0)) as UnsafePointer<CChar>? } + [nil]
      var values = settings.map { UnsafePointer(strdup($0.1)) as UnsafePointer<CChar>? } + [nil]
      defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
      guard let handle = PQconnectStartParams(&keywords, &values, 1) else {
        throw PostgreSQLError(state: "", message: "out of memory")
      }
      // So that its messages tell the SQLSTATE.
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      let limit = now + timeout(of: handle)
      var state = PGRES_POLLING_WRITING
      while PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_OK,
        state != PGRES_POLLING_FAILED
      {
        var wanted = pollfd(
          fd: PQsocket(handle),
          events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
        let rest = limit - now
        let ready = rest > 0 ? poll(&wanted, 1, Int32(rest * 1000) + 1) : 0
        if ready == 0 {
          PQfinish(handle)
          throw PostgreSQLError(state: "", message: "it did not answer in time")
        }
        if ready > 0 { state = PQconnectPoll(handle) }
      }
      PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      return handle
    }

    /// For how many seconds the settings say that a connection may take.
    private static func timeout(of handle: OpaquePointer) -> Double {
      guard let found = PQconninfo(handle) else { return 10 }
      defer { PQconninfoFree(found) }
      var option = found
      while let keyword = option.pointee.keyword {
        if strcmp(keyword, "connect_timeout") == 0, let value = option.pointee.val {
          let seconds = Double(String(cString: value)) ?? 10
          return seconds > 0 ? max(seconds, 2) : 86_400
        }
        option += 1
      }
      return 10
    }

    /// The seconds on a clock that nobody sets.
    private static var now: Double {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  @available(*, unavailable) extension PostgreSQLConnection: Sendable {}
#endif
