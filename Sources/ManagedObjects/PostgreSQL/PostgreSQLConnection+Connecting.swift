#if PostgreSQL
  import CPostgreSQL
  import SystemLibraries

  extension PostgreSQLConnection {
    /// Connects, waiting while the server has too many connections, starts or stops.
    ///
    /// - Parameter isKnown: whether the server was reached before, so that an unreachable one may
    ///   just be restarting.
    static func connect(
      _ address: PostgreSQLAddress, waiting patience: Double, isKnown: Bool = false
    ) throws(PostgreSQLError) -> OpaquePointer {
      let deadline = monotonicSeconds() + patience
      while true {
        do {
          return try connectOnce(address)
        } catch {
          guard error.isRetryable || isKnown && error.state.isEmpty, monotonicSeconds() < deadline
          else {
            throw error
          }
        }
        usleep(UInt32.random(in: 5_000...50_000))
      }
    }

    private static func connectOnce(
      _ address: PostgreSQLAddress
    ) throws(PostgreSQLError) -> OpaquePointer {
      // The URL can override settings before it, but not those after it.
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
      if let error = PostgreSQLError(settingsOf: handle) {
        PQfinish(handle)
        throw error
      }
      // Servers may send notices as soon as the user is logged in; they are ignored.
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      // Makes error messages contain the SQLSTATE.
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      let limit = monotonicSeconds() + timeout(of: handle)
      var state = PGRES_POLLING_WRITING
      while PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_OK,
        state != PGRES_POLLING_FAILED
      {
        var wanted = pollfd(
          fd: PQsocket(handle),
          events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
        let rest = limit - monotonicSeconds()
        let ready = rest > 0 ? poll(&wanted, 1, Int32(min(rest, 86_400) * 1000) + 1) : 0
        if ready == 0, rest <= 86_400 {
          PQfinish(handle)
          throw PostgreSQLError(state: "", message: "it did not answer in time")
        }
        if ready > 0 { state = PQconnectPoll(handle) }
      }
      guard PQstatus(handle) == CONNECTION_OK else {
        let error = PostgreSQLError(connecting: handle)
        PQfinish(handle)
        throw error
      }
      PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
      return handle
    }

    /// The connection timeout in the settings, in seconds.
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
  }
#endif
