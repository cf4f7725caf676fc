/// The check that a file still contains the store that was opened.
struct ExpectedContents {
  /// The state of the file at the last check or own commit: see `Connection.state`.
  var state: UInt32
  /// Returns whether the file of a connection contains that store.
  let isHeld: (Connection) throws -> Bool
}

extension Connection {
  /// Throws `moved` if another store has been copied into the file.
  ///
  /// Call this in a write transaction. Reads nothing unless another connection has written since
  /// the last check.
  func refuseIfReplaced() throws {
    guard let expectedContents, expectedContents.state != state else { return }
    guard try expectedContents.isHeld(self) else { throw SQLiteError.moved }
    noteState()
  }

  /// Records the current state of the file as checked.
  func noteState() { expectedContents?.state = state }
}
