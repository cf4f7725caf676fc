/// What a file was found to hold, and has to hold whenever it is written to.
struct ExpectedContents {
  /// The file's state when it was looked at last; see `Connection.state`.
  var state: UInt32
  /// Whether a connection's file still holds it.
  let isHeld: (Connection) throws -> Bool
}

extension Connection {
  /// Throws where the file, which is the one of its name, holds something else by now.
  ///
  /// To be called in a transaction that writes; looks only where others have written.
  func refuseIfReplaced() throws {
    guard let expectedContents, expectedContents.state != state else { return }
    guard try expectedContents.isHeld(self) else { throw SQLiteError.moved }
    noteState()
  }

  /// Takes note that the file is as this connection has seen or left it.
  func noteState() { expectedContents?.state = state }
}
