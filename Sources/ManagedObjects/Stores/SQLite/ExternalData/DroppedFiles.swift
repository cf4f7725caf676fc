/// The files of values that commits have dropped, until nobody reads a state of the store that
/// leads to them.
///
/// What cannot be removed before the process ends is left: a file too many does no harm.
struct DroppedFiles {
  private var names: [String]

  /// - Parameter names: those that were dropped already.
  init(_ names: [String] = []) { self.names = names }

  /// Takes files whose values a commit has dropped.
  mutating func add(_ names: [String]) { self.names += names }

  /// Removes the files, unless somebody, in whatever process, still reads an older state.
  ///
  /// Where all of the log can be copied into the file nobody does: SQLite keeps back what would
  /// replace what a reader sees. Without a log no commit gets past a reader. Files stay to which a
  /// store beside this one leads that is called alike.
  mutating func remove(in files: ExternalDataFiles, on connection: Connection) {
    guard !names.isEmpty, !connection.isInTransaction, case .complete = connection.checkpoint(),
      let others = try? files.namesOfNeighbours()
    else { return }
    let dropped = Set(names).subtracting(others)
    // Nobody waits for somebody who writes: there is another time.
    let usual = connection.backoff.seconds
    connection.backoff.seconds = 0
    defer { connection.backoff.seconds = usual }
    do {
      // While nobody writes. Where another store has taken the file's place, that may lead to
      // them, and they stay.
      try connection.transaction { for name in dropped { files.remove(name) } }
    } catch let error as SQLiteError where error.isBusy {
      return
    } catch {}
    names = []
  }
}
