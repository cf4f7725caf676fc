import CSQLite

/// An observer of a connection's statements, as an object that C code can hold.
final class StatementObserver {
  /// The closure that is called with the text of each statement.
  let body: ((String) -> Void)?
  let trace: SQLTrace?

  init(_ body: ((String) -> Void)?, trace: SQLTrace?) {
    self.body = body
    self.trace = trace
  }

  /// Handles one event of SQLite's trace.
  func hear(
    _ event: Int32, of statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?
  ) {
    switch event {
    case SQLITE_TRACE_STMT:
      if let body, let sql = sqlite3_sql(statement) { body(String(cString: sql)) }
      // A text that starts with `--` announces a trigger, which is part of the running statement.
      let text = detail?.assumingMemoryBound(to: UInt8.self)
      if let trace, text?[0] != UInt8(ascii: "-") { trace.begins(statement) }
    case SQLITE_TRACE_ROW: trace?.reachesRow(statement)
    case SQLITE_TRACE_PROFILE: trace?.ends(statement)
    default: break
    }
  }
}
