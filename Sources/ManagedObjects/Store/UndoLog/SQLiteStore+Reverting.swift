#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `StoreUndoLog` asks of a store.
extension SQLiteStore {
  /// The commands in the log, the newest first.
  func undoCommands(limit: Int) throws -> [StoreUndoLog.Command] {
    guard let undoLog else { return [] }
    return try told {
      try followChanges()
      return try undoLog.entries(limit: limit).map { try command($0, undoLog) }
    }
  }

  /// The command that would be reverted next, or done again.
  func nextUndoCommand(undone: Bool) throws -> StoreUndoLog.Command? {
    guard let undoLog else { return nil }
    return try told {
      try followChanges()
      return try undoLog.next(undone: undone).map { try command($0, undoLog) }
    }
  }

  /// Reverts the last command, or does the last undone one again.
  func revert(
    _ wanted: StoreUndoLog.Command?, undone: Bool
  ) throws -> StoreUndoLog.Command? {
    guard let undoLog else { return nil }
    try refuseIfReadOnly()
    return try told {
      let files = ExternalDataChanges(in: files)
      do {
        let reverted = try connection.transaction { () -> StoreUndoLog.Command? in
          guard let entry = try undoLog.next(undone: undone) else {
            if wanted != nil { throw StoreUndoError.superseded }
            return nil
          }
          guard let reader = undoLog.reader(of: entry) else { throw StoreUndoError.otherModel }
          let command = try command(entry, undoLog)
          if let wanted, wanted != command { throw StoreUndoError.superseded }
          var revert = SQLiteRevert(
            store: self, log: undoLog, files: files, serial: entry.serial)
          try revert.run(reader)
          try undoLog.set(
            undoLog.header + revert.recorder.finish(), isUndone: !undone, of: entry.serial)
          return command
        }
        files.finish()
        shortenLog()
        return reverted
      } catch {
        files.undo()
        throw error
      }
    }
  }

  /// An entry as others see it; of one in another model's form only what it is called.
  private func command(
    _ entry: SQLiteUndoLog.Entry, _ log: SQLiteUndoLog
  ) throws -> StoreUndoLog.Command {
    var inserted: Set<ManagedObjectID> = []
    var deleted: Set<ManagedObjectID> = []
    var updated: Set<ManagedObjectID> = []
    func id(_ place: Int, _ key: Int64) throws -> ManagedObjectID {
      guard bindings.indices.contains(place) else { throw SQLiteError.damagedUndoLog }
      return ManagedObjectID(binding: bindings[place], key: key)
    }
    if var reader = log.reader(of: entry) {
      while let change = try reader.next() {
        switch change {
        case .inserted(let place, let first, let count, _):
          for key in first..<first + count { inserted.insert(try id(place, key)) }
        case .updated(let place, let key, _, _, _): updated.insert(try id(place, key))
        case .deleted(let place, let key, _, _, _): deleted.insert(try id(place, key))
        case .linked, .unlinked, .moved, .metadata: break
        }
      }
    }
    // What an undone entry holds is the way forward again.
    if entry.isUndone { swap(&inserted, &deleted) }
    func sorted(_ ids: Set<ManagedObjectID>) -> [ManagedObjectID] {
      ids.sorted { ($0.binding.index, $0.key) < ($1.binding.index, $1.key) }
    }
    return StoreUndoLog.Command(
      id: entry.serial, name: entry.name,
      date: Date(timeIntervalSinceReferenceDate: entry.date), isUndone: entry.isUndone,
      inserted: sorted(inserted), updated: sorted(updated.subtracting(inserted.union(deleted))),
      deleted: sorted(deleted))
  }
}
