/// The check that a file still contains the store it was opened as.
struct ExpectedContents {
  /// The file's state at the last check, or after the last own commit; see `Connection.state`.
  var state: UInt32
  /// Whether the file of a connection contains that store.
  let isHeld: (Connection) throws -> Bool
}

extension Connection {
  /// Throws `moved` where another store has been copied into the file.
  ///
  /// To be called inside a write transaction. Reads nothing unless others have written since the
  /// last check.
  func refuseIfReplaced() throws {
    guard let expectedContents, expectedContents.state != state else { return }
    guard try expectedContents.isHeld(self) else { throw SQLiteError.moved }
    noteState()
  }

  /// Records the present state of the file as checked.
  func noteState() { expectedContents?.state = state }
}
