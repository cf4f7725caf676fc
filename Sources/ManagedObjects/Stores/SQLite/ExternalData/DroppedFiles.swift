/// The external files of values that commits have dropped, until no reader sees a state of the
/// store that refers to them.
///
/// Files that cannot be removed before the process ends are left: a leftover file does no harm.
struct DroppedFiles {
  private var names: [String]

  /// - Parameter names: the files dropped so far.
  init(_ names: [String] = []) { self.names = names }

  /// Adds files whose values a commit has dropped.
  mutating func add(_ names: [String]) { self.names += names }

  /// Removes the files, unless a reader in any process still sees an older state.
  ///
  /// If the whole log can be checkpointed, there is no such reader: SQLite does not overwrite pages
  /// that a reader sees. Without a log, no commit succeeds during a read. Files are kept if a store
  /// with the same base name next to this one refers to them.
  mutating func remove(in files: ExternalDataFiles, on connection: Connection) {
    guard !names.isEmpty, !connection.isInTransaction, case .complete = connection.checkpoint(),
      let others = try? files.namesOfNeighbours()
    else { return }
    let dropped = Set(names).subtracting(others)
    do {
      // In a transaction, so that no other connection writes. If the file was replaced by another
      // store, that one may refer to them, and they are kept. Does not wait for another writer: the
      // files can be removed later.
      try connection.backoff.limiting(to: 0) {
        try connection.transaction { for name in dropped { files.remove(name) } }
      }
    } catch let error as SQLiteError where error.isBusy {
      return
    } catch {}
    names = []
  }
}
