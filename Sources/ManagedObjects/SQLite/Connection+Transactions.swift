import SystemLibraries

extension Connection {
  /// Makes every commit durable: its data is on the disk when the commit returns.
  func syncCommits() throws(SQLiteError) {
    // In WAL mode EXTRA means FULL; with a rollback journal, EXTRA also syncs the folder, so that a
    // deleted journal cannot reappear after a commit.
    try execute("PRAGMA synchronous = EXTRA")
    if Platform.needsFullSync { try execute("PRAGMA fullfsync = 1") }
  }

  /// A transaction that was begun before its first write: see `beginAhead()`.
  struct AheadTransaction {
    /// Whether calls of `part(_:)` have written something, which is committed in any case.
    var isToCommit = false
  }

  /// Whether a transaction begun by `beginAhead()` is still open.
  var isAhead: Bool { ahead != nil }

  /// Runs a body between `BEGIN IMMEDIATE` and `COMMIT`; rolls back if it throws.
  ///
  /// If `beginAhead()` has begun a transaction, the body runs in that one and ends it. If the body
  /// then throws, only its own changes are rolled back and the transaction stays open.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    if isAhead {
      result = try savepoint(body)
      ahead = nil
    } else {
      try statement("BEGIN IMMEDIATE").run()
      result = try undoing("ROLLBACK") {
        try refuseIfMoved()
        try refuseIfReplaced()
        return try body()
      }
    }
    try undoing("ROLLBACK") {
      // Checked again in `commit()`, since the body may have taken a while.
      try commit()
    }
    return result
  }

  private func commit() throws {
    try refuseIfMoved()
    try statement("COMMIT").run()
    noteState()
  }

  /// Runs a body in the transaction that `beginAhead()` began and leaves it open; without one, runs
  /// it in a transaction of its own.
  func part<Result>(_ body: () throws -> Result) throws -> Result {
    guard isAhead else { return try transaction(body) }
    let result = try savepoint(body)
    ahead?.isToCommit = true
    return result
  }

  /// Begins the next transaction now, so that no other connection writes until it ends.
  func beginAhead() throws {
    try statement("BEGIN IMMEDIATE").run()
    try undoing("ROLLBACK") { try refuseIfReplaced() }
    ahead = AheadTransaction()
  }

  /// Ends a transaction that `beginAhead()` began and no `transaction(_:)` has ended.
  ///
  /// Commits what calls of `part(_:)` wrote; rolls back otherwise.
  func endAhead() throws {
    guard let ahead else { return }
    self.ahead = nil
    if ahead.isToCommit {
      try undoing("ROLLBACK") { try commit() }
    } else if isInTransaction {
      // A failed read may have ended it already.
      try? execute("ROLLBACK")
    }
  }

  private func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try statement("SAVEPOINT MO_SAVE").run()
    defer { if !isInTransaction { ahead = nil } }
    return try undoing("ROLLBACK TO MO_SAVE; RELEASE MO_SAVE") {
      let result = try body()
      try statement("RELEASE MO_SAVE").run()
      return result
    }
  }

  /// Runs a body; if it throws, runs the SQL that rolls it back.
  private func undoing<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      // A full disk or a failed write may have rolled it back already.
      if isInTransaction { try? execute(sql) }
      throw error
    }
  }
}
