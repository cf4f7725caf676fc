#if PostgreSQL
  import CPostgreSQL

  /// PostgreSQL's own account of why it could not do something.
  struct PostgreSQLError: Error {
    /// The five characters of an SQLSTATE; empty where no server said anything.
    let state: String
    /// The server's message, or the library's.
    let message: String
    /// The constraint or index that was violated.
    var constraint: String?
    /// What became of a commit while which the connection was cut; nil for any other error.
    var fate: Fate?

    enum Fate {
      /// The server has not heard of it, or has taken it back.
      case rolledBack
      /// That cannot be known.
      case unknown
    }

    /// What is wrong with what was asked of the connection itself.
    static func misuse(_ message: String) -> PostgreSQLError {
      PostgreSQLError(state: "MOURL", message: message)
    }

    /// What is wrong with a database that is to get a store, and may not be able to keep all texts.
    static func wrongEncoding(_ encoding: String) -> PostgreSQLError {
      PostgreSQLError(
        state: "MOENC", message: "its database has the encoding \(encoding), not UTF8")
    }

    init(state: String, message: String, constraint: String? = nil) {
      self.state = state
      self.message = message
      self.constraint = constraint
    }

    /// Reads the error of a result; nil where there is none.
    init?(_ result: OpaquePointer?, of handle: OpaquePointer) {
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: return nil
      default: break
      }
      func field(_ code: Character) -> String? {
        PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
      }
      self.init(
        state: field("C") ?? "",
        message: field("M") ?? String(cString: PQerrorMessage(handle)).trimmed,
        constraint: field("n"))
    }

    /// Reads why there is no connection: the message names the SQLSTATE, in whatever language the
    /// rest is.
    init(connecting handle: OpaquePointer) {
      let message = String(cString: PQerrorMessage(handle)).trimmed
      if PQconnectionNeedsPassword(handle) == 1 {
        // The library itself says so, without an SQLSTATE: there is none to be sent.
        self.init(state: "28P01", message: message)
        return
      }
      let parts = message.split(separator: ":").map { $0.drop { $0 == " " } }
      let state = parts.first { part in
        part.utf8.count == 5
          && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
          && part.utf8.contains { (0x30...0x39).contains($0) }
      }
      self.init(state: state.map(String.init) ?? "", message: message)
    }

    /// Reads what is wrong with the settings of a connection that has just begun: `sslmode=bogus`;
    /// nil where nothing is, or the reason is another one.
    ///
    /// The library tells it by its message alone, which names no place as those about servers do.
    init?(settingsOf handle: OpaquePointer) {
      guard PQstatus(handle) == CONNECTION_BAD else { return nil }
      let message = String(cString: PQerrorMessage(handle)).trimmed
      guard message.hasPrefix("invalid ") else { return nil }
      self = .misuse(message)
    }

    var isUniqueViolation: Bool { state == "23505" }
    /// No such table, or no such schema.
    var isMissingTable: Bool { state == "42P01" || state == "3F000" }
    var isMissingColumn: Bool { state == "42703" }
    /// Someone else was faster in making the same.
    var isMadeByOthers: Bool { ["42P06", "42P07", "23505"].contains(state) }
    /// The server takes no more connections now, starts or stops: later it may.
    var isForLater: Bool { ["53300", "57P03"].contains(state) }
    /// Others hold what is needed.
    var isBusy: Bool { ["55P03", "40001", "40P01"].contains(state) }
    /// Whether the connection is lost.
    var isLost: Bool {
      state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P0") || state == "25P03"
    }
  }

  extension String {
    fileprivate var trimmed: String {
      var text = self[...]
      while let last = text.last, last.isWhitespace { text.removeLast() }
      return String(text)
    }
  }
#endif
