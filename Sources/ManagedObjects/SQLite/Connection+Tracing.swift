import CSQLite

extension Connection {
  /// Calls a closure with the text of every statement that starts to run (`sqlite3_trace_v2`).
  ///
  ///     connection.onStatement { print($0) }  // SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2
  ///
  /// Values that were bound are not in the text. For finding out what a save or a fetch costs;
  /// without an observer nothing is spent on it. A second observer replaces the first.
  func onStatement(_ body: @escaping (String) -> Void) {
    let observer = StatementObserver(body)
    // SQLite calls back during this connection's own calls only, and the connection keeps the
    // observer.
    self.observer = observer
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, _ in
        guard let context, let statement, let sql = sqlite3_sql(OpaquePointer(statement)) else {
          return 0
        }
        Unmanaged<StatementObserver>.fromOpaque(context).takeUnretainedValue()
          .body(String(cString: sql))
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

/// A closure that C code can hold.
final class StatementObserver {
  let body: (String) -> Void

  init(_ body: @escaping (String) -> Void) { self.body = body }
}
