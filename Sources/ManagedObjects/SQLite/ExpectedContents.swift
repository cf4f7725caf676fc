/// The check that a file still contains the store that was opened.
struct ExpectedContents {
  /// The state of the file at the last check or own commit: see `Connection.state`; nil before the
  /// first check.
  var state: UInt32?
  /// Throws if the file of a connection no longer contains that store, or if it was migrated.
  let check: (Connection) throws -> Void
}

extension Connection {
  /// Throws if another store has been copied into the file, or if the store was migrated.
  ///
  /// Call this in a transaction, or while a statement is being read. Reads nothing unless another
  /// connection has written since the last check.
  func refuseIfReplaced() throws {
    guard let expectedContents, expectedContents.state != state else { return }
    try expectedContents.check(self)
    noteState()
  }

  /// Expects the contents that another connection expects.
  func expect(_ contents: ExpectedContents?) {
    expectedContents = contents
    expectedContents?.state = nil
  }

  /// Records the current state of the file as checked.
  func noteState() { expectedContents?.state = state }
}
