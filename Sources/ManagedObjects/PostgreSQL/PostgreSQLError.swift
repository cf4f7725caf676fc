#if PostgreSQL
  import CPostgreSQL

  /// An error reported by PostgreSQL or its client library.
  struct PostgreSQLError: Error {
    /// The five characters of the SQLSTATE; empty if it does not come from a server.
    let state: String
    /// The message of the server or the library.
    let message: String
    /// The constraint or index that was violated.
    var constraint: String?
    /// The outcome of a transaction whose connection was lost during COMMIT; nil for any other
    /// error.
    var commitOutcome: CommitOutcome?

    enum CommitOutcome {
      /// The server never received the COMMIT, or has rolled the transaction back.
      case rolledBack
      /// It cannot be determined.
      case unknown
    }

    /// The error for invalid connection settings.
    static func misuse(_ message: String) -> PostgreSQLError {
      PostgreSQLError(state: "MOURL", message: message)
    }

    /// The error for a database whose encoding may not be able to store all texts.
    static func wrongEncoding(_ encoding: String) -> PostgreSQLError {
      PostgreSQLError(
        state: "MOENC", message: "its database has the encoding \(encoding), not UTF8")
    }

    init(state: String, message: String, constraint: String? = nil) {
      self.state = state
      self.message = message
      self.constraint = constraint
    }

    /// Reads the error of a result; nil if it succeeded.
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

    /// Reads why connecting failed: the message contains the SQLSTATE, whatever the language of the
    /// rest.
    init(connecting handle: OpaquePointer) {
      let message = String(cString: PQerrorMessage(handle)).trimmed
      if PQconnectionNeedsPassword(handle) == 1 {
        // The library itself reports this, without an SQLSTATE.
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

    /// Reads an error in the settings of a connection attempt: `sslmode=bogus`; nil if there is
    /// none or it has another reason.
    ///
    /// The library reports it only by its message, which does not name a server as others do.
    init?(settingsOf handle: OpaquePointer) {
      guard PQstatus(handle) == CONNECTION_BAD else { return nil }
      let message = String(cString: PQerrorMessage(handle)).trimmed
      guard message.hasPrefix("invalid ") else { return nil }
      self = .misuse(message)
    }

    /// The connection was lost within a transaction that has not been committed.
    static var lostBeforeCommit: PostgreSQLError {
      var error = PostgreSQLError(
        state: "", message: "the server closed the connection")
      error.commitOutcome = .rolledBack
      return error
    }

    var isUniqueViolation: Bool { state == "23505" }
    /// The table or the schema does not exist.
    var isMissingTable: Bool { state == "42P01" || state == "3F000" }
    var isMissingColumn: Bool { state == "42703" }
    /// The tables are not those of the store that was opened, or the first statement of a write
    /// transaction found another store or another model (`22012`).
    var isOfOtherContents: Bool {
      isMissingTable || isMissingColumn || ["42804", "22012"].contains(state)
    }
    /// Another client created the same object at the same time.
    var isConcurrentCreation: Bool { ["42P06", "42P07", "23505"].contains(state) }
    /// The server has too many connections, starts or stops: a later attempt may succeed.
    var isRetryable: Bool { ["53300", "57P03"].contains(state) }
    /// Another transaction holds a lock or conflicts with this one.
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
