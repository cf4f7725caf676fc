import SystemLibraries

/// What `StoreUndoLog` asks of a store.
extension SQLiteStore {
  /// The commands in the log, the newest first.
  func undoCommands(limit: Int) throws -> [StoreUndoLog.Command] {
    guard let undoLog else { return [] }
    return try mappingErrors {
      try followChanges()
      return try undoLog.entries(limit: limit).map { try command($0, undoLog) }
    }
  }

  /// The command that would be reverted next, or done again.
  func nextUndoCommand(undone: Bool, by author: String?) throws -> StoreUndoLog.Command? {
    guard let undoLog else { return nil }
    return try mappingErrors {
      try followChanges()
      return try undoLog.next(undone: undone, by: author).map { try command($0, undoLog) }
    }
  }

  /// Reverts the last command, or does the last undone one again.
  func revert(
    _ wanted: StoreUndoLog.Command?, undone: Bool, passingOver skipped: [StoreUndoLog.Command] = [],
    by author: String?
  ) throws -> StoreUndoLog.Command? {
    guard let undoLog else { return nil }
    try refuseIfReadOnly()
    return try mappingErrors {
      let files = ExternalDataChanges(in: files)
      do {
        let reverted = try connection.transaction { () -> StoreUndoLog.Command? in
          for command in skipped {
            guard let entry = try undoLog.next(undone: false, by: author),
              try self.command(entry, undoLog) == command
            else { throw StoreUndoError.superseded }
            try undoLog.set(entry.bytes, .skipped, of: entry.serial)
          }
          guard let entry = try undoLog.next(undone: undone, by: author) else {
            if wanted != nil { throw StoreUndoError.superseded }
            return nil
          }
          let command = try command(entry, undoLog)
          if let wanted, wanted != command { throw StoreUndoError.superseded }
          let changes = try revert(entry, undoLog, files, by: author)
          try undoLog.set(undoLog.header + changes, undone ? .done : .undone, of: entry.serial)
          return command
        }
        history?.didCommit()
        files.finish()
        shortenLog()
        return reverted
      } catch {
        files.undo()
        throw error
      }
    }
  }

  /// Finds the last command that can be reverted, by trying out.
  func nextRevertibleCommand(by author: String?) throws -> (
    command: StoreUndoLog.Command?, blocked: [StoreUndoLog.BlockedCommand]
  ) {
    guard let undoLog else { return (nil, []) }
    try refuseIfReadOnly()
    return try mappingErrors {
      try connection.transaction {
        try connection.execute("SAVEPOINT reverting")
        // What was tried out is taken back, so the transaction writes nothing.
        defer { try? connection.execute("ROLLBACK TO reverting; RELEASE reverting") }
        var blocked: [StoreUndoLog.BlockedCommand] = []
        for entry in try undoLog.entries(where: "UNDONE = 0") where entry.isOwn(of: author) {
          let command = try command(entry, undoLog)
          let files = ExternalDataChanges(in: files)
          defer { files.undo() }
          do {
            _ = try revert(entry, undoLog, files, by: author)
            return (command, blocked)
          } catch let error as StoreUndoError {
            blocked.append(.init(command: command, error: error))
            try connection.execute("ROLLBACK TO reverting")
          }
        }
        return (nil, blocked)
      }
    }
  }

  /// Takes an entry's changes back; what does them again.
  private func revert(
    _ entry: SQLiteUndoLog.Entry, _ log: SQLiteUndoLog, _ files: ExternalDataChanges,
    by author: String?
  ) throws -> [UInt8] {
    guard let reader = log.reader(of: entry) else { throw StoreUndoError.otherModel }
    var revert = SQLiteRevert(
      store: self, log: log, files: files, serial: entry.serial, history: historyRecorder())
    do {
      try revert.run(reader)
    } catch let error as SQLiteError where error == .damagedUndoLog {
      throw StoreUndoError.unreadable
    }
    try writeHistory(revert.recorder.history, by: TransactionOrigin(author: author))
    return revert.undo.finish()
  }

  /// Empties the log, and rewrites the file so that nothing of it is left there.
  ///
  /// - Throws: `PersistentStoreError` where the log is as it was, `StoreUndoLog.RemainsError` where it is
  ///   empty, and the file could not be written anew.
  func forgetCommands() throws {
    guard let undoLog else { return }
    try refuseIfReadOnly()
    try mappingErrors {
      try connection.transaction { try undoLog.removeAll() }
    }
    do {
      try mappingErrors { try connection.rewrite() }
    } catch let error as PersistentStoreError {
      throw StoreUndoLog.RemainsError(reason: error)
    }
  }

  /// An entry as others see it; of one that is damaged, or in another model's form, only what it is
  /// called.
  private func command(
    _ entry: SQLiteUndoLog.Entry, _ log: SQLiteUndoLog
  ) throws -> StoreUndoLog.Command {
    var inserted: Set<ManagedObjectID> = []
    var deleted: Set<ManagedObjectID> = []
    var updated: Set<ManagedObjectID> = []
    func id(_ index: Int, _ key: Int64) throws -> ManagedObjectID {
      guard bindings.indices.contains(index) else { throw SQLiteError.damagedUndoLog }
      return ManagedObjectID(binding: bindings[index], key: key)
    }
    do {
      var reader = log.reader(of: entry)
      while let change = try reader?.next() {
        switch change {
        case .inserted(let index, let first, let count, _):
          for key in first..<first + count { inserted.insert(try id(index, key)) }
        case .updated(let index, let key, _, _, _): updated.insert(try id(index, key))
        case .deleted(let index, let key, _, _, _): deleted.insert(try id(index, key))
        case .linked, .unlinked, .moved, .metadata: break
        }
      }
    } catch let error as SQLiteError where error == .damagedUndoLog {
      (inserted, updated, deleted) = ([], [], [])
    }
    // What an undone entry holds is the way forward again.
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
