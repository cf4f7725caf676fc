import SystemLibraries

extension Connection {
  /// Has every commit be on the disk when it returns.
  func syncCommits() throws(SQLiteError) {
    // With a log this is FULL; a journal must not come back after a commit.
    try execute("PRAGMA synchronous = EXTRA")
    if Platform.needsFullSync { try execute("PRAGMA fullfsync = 1") }
  }

  /// A transaction that was begun before anything is written.
  struct AheadTransaction {
    /// Whether parts of it have written something, which stays whatever follows.
    var isToCommit = false
  }

  /// Whether a transaction was begun ahead, and nothing has ended it since.
  var isAhead: Bool { ahead != nil }

  /// Runs a body between `BEGIN IMMEDIATE` and `COMMIT`; rolls back where it throws.
  ///
  /// One that was begun ahead is the one. It ends with the body, unless that throws: then it goes
  /// on as it was before.
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
      // Again, since the body may have taken its time.
      try commit()
    }
    return result
  }

  private func commit() throws {
    try refuseIfMoved()
    try statement("COMMIT").run()
    noteState()
  }

  /// Runs a body in the transaction that was begun ahead, which goes on; without one, in one of its
  /// own.
  func part<Result>(_ body: () throws -> Result) throws -> Result {
    guard isAhead else { return try transaction(body) }
    let result = try savepoint(body)
    ahead?.isToCommit = true
    return result
  }

  /// Begins the next transaction now, so that nobody else writes until it ends.
  func beginAhead() throws {
    try statement("BEGIN IMMEDIATE").run()
    try undoing("ROLLBACK") { try refuseIfReplaced() }
    ahead = AheadTransaction()
  }

  /// Ends a transaction that was begun ahead and that no `transaction(_:)` has ended.
  ///
  /// Nothing is written that is not there already, but for what parts of it wrote.
  func endAhead() throws {
    guard let ahead else { return }
    self.ahead = nil
    if ahead.isToCommit {
      try undoing("ROLLBACK") { try commit() }
    } else if isInTransaction {
      // A read that failed may have ended it already.
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

  /// Runs a body; where it throws, runs what takes it back.
  private func undoing<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      // A full disk or a failed write may have rolled back already.
      if isInTransaction { try? execute(sql) }
      throw error
    }
  }
}
