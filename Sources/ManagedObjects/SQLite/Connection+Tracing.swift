import CSQLite

extension Connection {
  /// Calls a closure with the text of every statement that starts to run (`sqlite3_trace_v2`).
  ///
  ///     connection.onStatement { print($0) }  // SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2
  ///
  /// Values that were bound are not in the text. For finding out what a save or a fetch costs;
  /// without an observer nothing is spent on it. A second observer replaces the first.
  func onStatement(_ body: @escaping (String) -> Void) { observe(body, trace: observer?.trace) }

  /// Tells of every statement from now on, as far as an output wants that.
  func startTelling(_ output: DebugOutput) {
    guard output.level > 0 else { return }
    output.tell("annotation: Connecting to sqlite database file at \"\(path)\"")
    observe(observer?.body, trace: SQLTrace(output))
  }

  private func observe(_ body: ((String) -> Void)?, trace: SQLTrace?) {
    let observer = StatementObserver(body, trace: trace)
    // SQLite calls back during this connection's own calls only, and the connection keeps the
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

  /// The texts of all statements that are prepared right now (`sqlite3_next_stmt`).
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

/// Who hears of a connection's statements, for C code to hold.
final class StatementObserver {
  /// Is called with the text of each.
  let body: ((String) -> Void)?
  let trace: SQLTrace?

  init(_ body: ((String) -> Void)?, trace: SQLTrace?) {
    self.body = body
    self.trace = trace
  }

  /// Takes an event of SQLite's trace.
  fileprivate func hear(
    _ event: Int32, of statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?
  ) {
    switch event {
    case SQLITE_TRACE_STMT:
      if let body, let sql = sqlite3_sql(statement) { body(String(cString: sql)) }
      // A comment stands for a trigger, which is part of a statement.
      let text = detail?.assumingMemoryBound(to: UInt8.self)
      if let trace, text?[0] != UInt8(ascii: "-") { trace.begins(statement) }
    case SQLITE_TRACE_ROW: trace?.reachesRow(statement)
    case SQLITE_TRACE_PROFILE: trace?.ends(statement)
    default: break
    }
  }
}
