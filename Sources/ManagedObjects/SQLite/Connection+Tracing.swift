import CSQLite

extension Connection {
  /// Calls a closure with the text of every statement that starts to run (`sqlite3_trace_v2`).
  ///
  ///     connection.onStatement { print($0) }  // SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2
  ///
  /// The text does not include bound values. Use it to find out what a save or a fetch costs;
  /// without an observer there is no overhead. A second observer replaces the first.
  func onStatement(_ body: @escaping (String) -> Void) { observe(body, trace: observer?.trace) }

  /// Prints every statement from now on, as far as the output's level asks for it.
  func startLogging(_ output: DebugOutput) {
    guard output.level > 0 else { return }
    output.tell("annotation: Connecting to sqlite database file at \"\(path)\"")
    observe(observer?.body, trace: SQLTrace(output))
  }

  private func observe(_ body: ((String) -> Void)?, trace: SQLTrace?) {
    let observer = StatementObserver(body, trace: trace)
    // SQLite calls back only during calls on this connection, and the connection retains the
    // observer.
    self.observer = observer
    let details = trace == nil ? 0 : SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT | details),
      { event, context, statement, detail in
        guard let context, let statement else { return 0 }
        Unmanaged<StatementObserver>.fromOpaque(context).takeUnretainedValue()
          .hear(Int32(event), of: OpaquePointer(statement), detail)
        return 0
      }, Unmanaged.passUnretained(observer).toOpaque())
  }

  /// The texts of all currently prepared statements (`sqlite3_next_stmt`).
  var preparedStatements: [String] {
    var texts: [String] = []
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      if let sql = sqlite3_sql(current) { texts.append(String(cString: sql)) }
      statement = sqlite3_next_stmt(handle, current)
    }
    return texts
  }
}
