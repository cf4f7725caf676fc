import SystemLibraries

/// The operations behind `StoreUndoLog`.
extension RevertingStore {
  /// The commands in the log, newest first.
  func undoCommands(limit: Int?) throws -> [StoreUndoLog.Command] {
    guard let undoLog else { return [] }
    return try mappingErrors {
      try followChanges()
      return try undoLog.entries(where: "UNDONE >= 0", limit: limit).map { command($0, undoLog) }
    }
  }

  /// The number of commands that could be undone, one after another.
  func undoCommandCount() throws -> Int {
    guard let undoLog else { return 0 }
    return try mappingErrors {
      try followChanges()
      return try undoLog.count(of: .done)
    }
  }

  /// The next command to undo, or to redo.
  func nextUndoCommand(undone: Bool, by author: String?) throws -> StoreUndoLog.Command? {
    guard let undoLog else { return nil }
    return try mappingErrors {
      try followChanges()
      return try undoLog.next(undone: undone, by: author).map { command($0, undoLog) }
    }
  }

  /// Undoes the last command, or redoes the last undone one.
  func revert(
    _ wanted: StoreUndoLog.Command?, undone: Bool, skipping skipped: [StoreUndoLog.Command] = [],
    by author: String?, validating validate: (StoreUndoLog.Command) throws -> Void
  ) throws -> StoreUndoLog.Command? {
    guard let undoLog else { return nil }
    try refuseIfReadOnly()
    return try mappingErrors {
      try reverting { values in
        for command in skipped {
          guard let entry = try undoLog.next(undone: false, by: author),
            self.command(entry, undoLog) == command
          else { throw StoreUndoError.superseded }
          try undoLog.set(entry.bytes, .skipped, of: entry.serial)
        }
        guard let entry = try undoLog.next(undone: undone, by: author) else {
          if wanted != nil { throw StoreUndoError.superseded }
          return nil
        }
        let command = command(entry, undoLog)
        if let wanted, wanted != command { throw StoreUndoError.superseded }
        let changes = try revert(entry, undoLog, values, by: author)
        try validate(command)
        try undoLog.set(
          undoLog.bytes(changes, of: entry), undone ? .done : .undone, of: entry.serial)
        return command
      }
    }
  }

  /// Finds the last command that can be undone, by trying to undo commands and rolling back.
  func nextRevertibleCommand(
    by author: String?, validating validate: (StoreUndoLog.Command) throws -> Void
  ) throws -> (command: StoreUndoLog.Command?, blocked: [StoreUndoLog.BlockedCommand]) {
    guard let undoLog else { return (nil, []) }
    try refuseIfReadOnly()
    return try mappingErrors {
      try inTransaction {
        try database.execute("SAVEPOINT reverting")
        // Rolls back the trial, so that the transaction writes nothing.
        defer {
          try? database.rollBack(to: "reverting")
          try? database.execute("RELEASE reverting")
        }
        var blocked: [StoreUndoLog.BlockedCommand] = []
        for entry in try undoLog.entries(where: "UNDONE = 0") where entry.isOwn(of: author) {
          let command = command(entry, undoLog)
          let values = triedValues()
          defer { values.undo() }
          do {
            _ = try revert(entry, undoLog, values, by: author)
            try validate(command)
            return (command, blocked)
          } catch let error as StoreUndoError {
            blocked.append(.init(command: command, error: error))
            try database.rollBack(to: "reverting")
          }
        }
        return (nil, blocked)
      }
    }
  }

  /// Reverts an entry's changes; returns the changes that would revert them again.
  private func revert(
    _ entry: SQLUndoLog.Entry, _ log: SQLUndoLog, _ values: any RevertedValues,
    by author: String?
  ) throws -> [UInt8] {
    guard let reader = log.reader(of: entry) else { throw StoreUndoError.otherModel }
    var revert = SQLRevert(
      store: self, log: log, values: values, serial: entry.serial, history: historyRecorder())
    try revert.run(reader)
    try writeHistory(revert.recorder.history, by: TransactionOrigin(author: author))
    return revert.undo.finish()
  }

  /// Empties the log, and rewrites the file so that none of the log's contents remain in it.
  ///
  /// - Throws: `PersistentStoreError` if the log is unchanged, `StoreUndoLog.LogRewriteError` if it
  ///   is empty but the file could not be rewritten.
  func forgetCommands() throws {
    guard let undoLog else { return }
    try refuseIfReadOnly()
    try mappingErrors {
      try inTransaction { try undoLog.removeAll() }
    }
    do {
      try mappingErrors { try eraseDeletedLogContents() }
    } catch let error as PersistentStoreError {
      throw StoreUndoLog.LogRewriteError(reason: error)
    }
  }

  /// The object with a key, of the entity at an index in an undo entry.
  func objectID(_ index: Int, _ key: Int64) throws(StoreUndoError) -> ManagedObjectID {
    guard bindings.indices.contains(index) else { throw .unreadable }
    return ManagedObjectID(binding: bindings[index], key: key)
  }

  /// The public form of an entry; for one that is damaged or in another layout, only its name, date
  /// and author.
  private func command(
    _ entry: SQLUndoLog.Entry, _ log: SQLUndoLog
  ) -> StoreUndoLog.Command {
    var inserted: Set<ManagedObjectID> = []
    var deleted: Set<ManagedObjectID> = []
    var updated: Set<ManagedObjectID> = []
    do throws(StoreUndoError) {
      var reader = log.reader(of: entry)
      while let change = try reader?.next() {
        switch change {
        case .inserted(let index, let first, let count, _):
          for key in first..<first + count { inserted.insert(try objectID(index, key)) }
        case .updated(let index, let key, _, _, _): updated.insert(try objectID(index, key))
        case .deleted(let index, let key, _, _, _): deleted.insert(try objectID(index, key))
        case .linked(let join, let first, let second),
          .unlinked(let join, let first, let second, _, _),
          .moved(let join, let first, let second, _, _):
          // A link has no object of its own: both of its ends count as updated.
          guard joins.indices.contains(join) else { throw .unreadable }
          updated.insert(try objectID(joins[join].first.entity, first))
          updated.insert(try objectID(joins[join].secondEntity, second))
        case .metadata: break
        }
      }
    } catch {
      (inserted, updated, deleted) = ([], [], [])
    }
    // An undone entry contains the changes that redo the command.
    if entry.state == .undone { swap(&inserted, &deleted) }
    func sorted(_ ids: Set<ManagedObjectID>) -> [ManagedObjectID] {
      ids.sorted { ($0.binding.index, $0.key) < ($1.binding.index, $1.key) }
    }
    return StoreUndoLog.Command(
      id: entry.serial, name: entry.name,
      date: Date(timeIntervalSinceReferenceDate: entry.date), isUndone: entry.state == .undone,
      isSkipped: entry.state == .skipped, author: entry.author,
      inserted: sorted(inserted), updated: sorted(updated.subtracting(inserted.union(deleted))),
      deleted: sorted(deleted))
  }
}
