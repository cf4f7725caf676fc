/// The changes made by the commands of an undo log, in the order in which they were made.
///
/// For a command that is currently undone, these are the changes made by undoing it.
package struct LoggedChanges: Sendable {
  /// A command in the log.
  package struct Command: Sendable {
    /// The number of the command.
    package let id: Int64
    /// The name that the program gave it.
    package let name: String
    /// A number for each state that the command has reached: done, undone, redone, and so on.
    ///
    /// At least one, the latest last. They are random, so a copy of a store shares the numbers of
    /// states reached before it was copied, and no others.
    package let states: [UInt64]
    /// The number of the command that made undoing it permanent; nil if it is not undone or can be
    /// redone.
    package let undoneBefore: Int64?
  }

  /// A change to one object.
  package struct Change: Sendable {
    /// The kind of a change.
    package enum Kind: Sendable {
      /// The object was inserted or restored.
      case inserted
      /// The named properties were changed.
      case updated([String])
      /// The object was deleted.
      case deleted
      /// The object was linked to another one by a many-to-many relationship.
      case linked(relationship: String, ManagedObjectID)
      /// A many-to-many link to another object was removed.
      case unlinked(relationship: String, ManagedObjectID)
    }

    /// The index of the command.
    package let command: Int
    /// The changed object.
    package let object: ManagedObjectID
    /// The kind of the change.
    package let kind: Kind
    /// The previous values of selected String (as UTF-8) and UUID attributes, if they were changed
    /// or the object was deleted.
    package let before: [String: [UInt8]]
    /// The optimistic-lock count of the row before it was updated or deleted; nil for a command
    /// that is undone.
    package let countBefore: Int64?
  }

  /// The commands, oldest first.
  package fileprivate(set) var commands: [Command] = []
  /// Whether commands in between are missing from the log.
  fileprivate var hasGaps = false
  /// The changes that they made.
  package fileprivate(set) var changes: [Change] = []
  /// Objects changed since the first of these changes by saves that were not logged.
  package fileprivate(set) var changedSince: Set<ManagedObjectID> = []
}

extension StoreUndoLog {
  /// All commands in the log, with the changes made by selected ones; nil if those are damaged or
  /// belong to another model.
  ///
  /// O(log + affected rows).
  ///
  /// - Parameters:
  ///   - names: The String and UUID attributes whose previous values are read.
  ///   - isWanted: Returns whether to read a command's changes.
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  package func loggedChanges(
    keeping names: Set<String>, of isWanted: (LoggedChanges.Command) -> Bool
  ) throws -> LoggedChanges? {
    try lock.withLock { try store.loggedChanges(keeping: names, of: isWanted) }
  }

  /// The objects whose rows were changed since they had given optimistic-lock counts.
  ///
  ///     let changed = try coordinator.undoLog(of: store)?.objects(changedSince: counts)
  ///
  /// O(counts).
  ///
  /// - Parameter counts: the counts from the log of a copy of this store, by this store's IDs.
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  package func objects(
    changedSince counts: [ManagedObjectID: Int64]
  ) throws -> Set<ManagedObjectID> {
    try lock.withLock { try store.objects(changedSince: counts) }
  }
}

extension RevertingStore {
  fileprivate func objects(
    changedSince counts: [ManagedObjectID: Int64]
  ) throws -> Set<ManagedObjectID> {
    var changed: Set<ManagedObjectID> = []
    try mappingErrors {
      try followChanges()
      for (name, ids) in Dictionary(grouping: counts.keys, by: { $0.entity.name }) {
        guard let entity = bindings.first(where: { $0.name == name }) else { continue }
        let root = bindings[entity.root - offset]
        let byKey = Dictionary(ids.map { ($0.key, counts[$0] ?? 0) }) { one, _ in one }
        let keys = byKey.keys.sorted()
        for start in stride(from: 0, to: keys.count, by: 500) {
          let piece = Array(keys[start..<min(start + 500, keys.count)])
          for (key, count) in try lockCounts(of: piece, root) where count > byKey[key] ?? .max {
            changed.insert(ManagedObjectID(binding: root, key: key))
          }
        }
      }
    }
    return changed
  }

  fileprivate func loggedChanges(
    keeping names: Set<String>, of isWanted: (LoggedChanges.Command) -> Bool
  ) throws -> LoggedChanges? {
    guard let undoLog else { return nil }
    return try mappingErrors {
      try followChanges()
      let entries = try undoLog.entries(ascending: true)
      var logged = LoggedChanges()
      logged.commands = entries.map {
        .init(
          id: $0.serial, name: $0.name, states: undoLog.states(of: $0),
          undoneBefore: $0.state.undoneBefore)
      }
      logged.hasGaps = zip(entries, entries.dropFirst()).contains { $0.serial &+ 1 != $1.serial }
      /// The lock counts by which entries currently know the rows.
      var known: [ManagedObjectID: Int64] = [:]
      do throws(StoreUndoError) {
        for index in order(of: entries) where isWanted(logged.commands[index]) {
          guard let reader = undoLog.reader(of: entries[index]) else { return nil }
          try read(
            reader, of: index, isUndone: entries[index].state.isUndone, keeping: names,
            into: &logged, &known)
        }
        var counts: [ManagedObjectID: Int64] = [:]
        // A missing command may also have raised a count.
        for index in entries.indices where !logged.hasGaps && isWanted(logged.commands[index]) {
          guard let reader = undoLog.reader(of: entries[index]) else { return nil }
          try findUnlogged(
            reader, isUndone: entries[index].state.isUndone, &counts, &logged.changedSince)
        }
      } catch {
        return nil
      }
      try compare(known, &logged)
      return logged
    }
  }

  /// The order in which the changes in the entries were made.
  private func order(of entries: [SQLUndoLog.Entry]) -> [Int] {
    // An undone command was undone before the next one, or is still undone; the last one was undone
    // first.
    func place(_ entry: SQLUndoLog.Entry) -> (before: Int64, isDone: Int, serial: Int64) {
      switch entry.state {
      case .done, .skipped: (entry.serial, 1, entry.serial)
      case .undoneForGood(let next): (next, 0, 0 &- entry.serial)
      case .undone: (.max, 0, 0 &- entry.serial)
      }
    }
    return entries.indices.sorted { place(entries[$0]) < place(entries[$1]) }
  }

  /// Reads the changes of one entry.
  private func read(
    _ reader: UndoReader, of command: Int, isUndone: Bool, keeping names: Set<String>,
    into logged: inout LoggedChanges, _ known: inout [ManagedObjectID: Int64]
  ) throws(StoreUndoError) {
    var reader = reader
    let bytes = reader.bytes
    func note(
      _ object: ManagedObjectID, _ kind: LoggedChanges.Change.Kind, _ values: [UndoValue] = [],
      countBefore: Int64? = nil
    ) {
      var before: [String: [UInt8]] = [:]
      for value in values {
        guard case .tail(let range) = value.content,
          let name = object.binding.propertyName(ofSlot: value.slot), names.contains(name)
        else { continue }
        before[name] = Array(bytes[range])
      }
      logged.changes.append(
        .init(
          command: command, object: object, kind: kind, before: before,
          countBefore: isUndone ? nil : countBefore))
    }
    while let change = try reader.next() {
      switch change {
      case .inserted(let index, let first, let count, let version):
        for key in first..<first + count {
          let object = try objectID(index, key)
          note(object, .inserted)
          known[object] = version
        }
      case .updated(let index, let key, let count, let after, let values):
        let object = try objectID(index, key)
        let slots = values.map(\.slot)
        guard slots.allSatisfy({ object.binding.kinds.indices.contains($0) }) else {
          throw .unreadable
        }
        note(
          object, .updated(slots.compactMap { object.binding.propertyName(ofSlot: $0) }), values,
          countBefore: count)
        known[object] = after
      case .deleted(let index, let key, _, let count, let values):
        let object = try objectID(index, key)
        note(object, .deleted, values, countBefore: count)
        known[object] = nil
      case .linked(let join, let first, let second),
        .unlinked(let join, let first, let second, _, _):
        guard joins.indices.contains(join) else { throw .unreadable }
        let ends = joins[join]
        let one = try objectID(ends.first.entity, first)
        let other = try objectID(ends.secondEntity, second)
        let isNew = if case .linked = change { true } else { false }
        for (object, name, end) in [(one, ends.first.name, other), (other, ends.second?.name, one)]
        {
          guard let name else { continue }
          note(
            object,
            isNew ? .linked(relationship: name, end) : .unlinked(relationship: name, end))
        }
      case .moved, .metadata: break
      }
    }
  }

  /// Finds the rows that were changed without a log before a command changed them.
  ///
  /// Entries know a state of a row by the lock count that the row had when it first was in that
  /// state, even if an undo or a redo has restored it since. So a command changes a row in a state
  /// left by an earlier one, or found by the first one; a save without a log leaves a count that is
  /// higher than all of these.
  ///
  /// - Parameters:
  ///   - reader: the changes of the next command.
  ///   - counts: the highest count by which the commands before know each row.
  private func findUnlogged(
    _ reader: UndoReader, isUndone: Bool, _ counts: inout [ManagedObjectID: Int64],
    _ found: inout Set<ManagedObjectID>
  ) throws(StoreUndoError) {
    var reader = reader
    var steps: [(object: ManagedObjectID, before: Int64?, after: Int64?)] = []
    while let change = try reader.next() {
      switch change {
      case .inserted(let index, let first, let count, let version):
        for key in first..<first + count { steps.append((try objectID(index, key), nil, version)) }
      case .updated(let index, let key, let before, let after, _):
        steps.append((try objectID(index, key), before, after))
      case .deleted(let index, let key, let version, _, _):
        steps.append((try objectID(index, key), version, nil))
      case .linked, .unlinked, .moved, .metadata: break
      }
    }
    if isUndone {
      // Then the entry contains the opposite changes, in the opposite order.
      steps = steps.reversed().map { (object: $0.object, before: $0.after, after: $0.before) }
    }
    for (object, before, after) in steps {
      if let before, let count = counts[object], count < before { found.insert(object) }
      counts[object] = [counts[object], before, after].compactMap { $0 }.max()
    }
  }

  /// Finds the rows that are not in the state left by the last logged change.
  private func compare(
    _ known: [ManagedObjectID: Int64], _ logged: inout LoggedChanges
  ) throws {
    guard let undoLog else { return }
    for (root, ids) in Dictionary(grouping: known.keys, by: { $0.binding.root - offset }) {
      let (root, keys) = (bindings[root], ids.map(\.key).sorted())
      for start in stride(from: 0, to: keys.count, by: 500) {
        let piece = Array(keys[start..<min(start + 500, keys.count)])
        let noted = try undoLog.known(root, piece)
        for (key, count) in try lockCounts(of: piece, root) {
          // Then an undo or redo changed it last.
          guard noted[key]?.now != count else { continue }
          let id = ManagedObjectID(binding: root, key: key)
          if known[id] != count { logged.changedSince.insert(id) }
        }
      }
    }
  }

  /// The lock counts of the rows that exist.
  private func lockCounts(
    of keys: [Int64], _ root: EntityBinding
  ) throws -> [(key: Int64, count: Int64)] {
    let statement = try database.prepared(
      """
      SELECT Z_PK, \(SQLDialect.lockCount) FROM \(table(root))
      WHERE Z_PK IN (\(keys.map { "\($0)" }.joined(separator: ", ")))
      """)
    defer { statement.reset() }
    var counts: [(key: Int64, count: Int64)] = []
    while try statement.step() {
      counts.append((statement.integer(at: 0), statement.integer(at: 1)))
    }
    return counts
  }
}

extension EntityBinding {
  /// The attribute or to-one in a slot; nil for an order key or a to-one's entity.
  fileprivate func propertyName(ofSlot slot: Int) -> String? {
    slotsByName.first { $0.value == slot }?.key
  }
}
