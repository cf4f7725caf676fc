/// What was changed in two copies of one store since they were one file, as their undo logs tell.
///
///     if let changes = try log.changes(sinceCopying: others) {
///       changes.here.contains(dog.objectID)   // whether it was changed here, and only here
///     }
///
/// Both logs begin with the same commands; what follows was done in one of the two. By the lock
/// counts that a log notes, the other store still has a row as it was, or somebody has changed it
/// there too, with a log or without one. Of such a row nothing is said, nor of one whose links
/// alone were changed.
package struct CopyChanges: Sendable {
  /// Objects that were changed or deleted here alone; IDs of copies are equal.
  package let here: Set<ManagedObjectID>
  /// Objects that were changed or deleted there alone.
  package let there: Set<ManagedObjectID>
}

extension StoreUndoLog {
  /// What was changed here and in another store since one was copied from the other; nil where they
  /// are no copies, or the commands of before are forgotten.
  ///
  /// Reads both logs.
  ///
  /// - Throws: `PersistentStoreError` where a store cannot be read.
  package func changes(sinceCopying other: StoreUndoLog) throws -> CopyChanges? {
    guard store.identifier == other.store.identifier else { return nil }
    return try lock.withLock {
      try other.lock.withLock {
        let (all, othersAll) = (try store.undoEntries(), try other.store.undoEntries())
        // The oldest ones go some at a time, so one log may begin later.
        let first = max(all.first?.serial ?? .max, othersAll.first?.serial ?? .max)
        let mine = all.drop { $0.serial < first }
        let others = othersAll.drop { $0.serial < first }
        let common = zip(mine, others).prefix { $0 == $1 }.count
        guard common > 0, let here = try store.firstChanges(of: mine.dropFirst(common)),
          let there = try other.store.firstChanges(of: others.dropFirst(common))
        else { return nil }
        return CopyChanges(
          here: try other.store.unchanged(here, there), there: try store.unchanged(there, here))
      }
    }
  }
}

/// What some commands have changed.
private struct FirstChanges {
  /// All objects, those with other links too.
  var objects: Set<ManagedObjectID> = []
  /// The lock counts before the first change, of those that were there and are certain.
  var counts: [ManagedObjectID: Int64] = [:]
  /// Those that are not.
  private var uncertain: Set<ManagedObjectID> = []

  /// Notes a change; without a count what was before is not known.
  mutating func note(_ id: ManagedObjectID, count: Int64?) {
    objects.insert(id)
    if let count, !uncertain.contains(id) {
      if counts[id] == nil { counts[id] = count }
    } else {
      uncertain.insert(id)
      counts[id] = nil
    }
  }
}

extension RevertingStore {
  /// All commands of the undo log, the oldest first.
  fileprivate func undoEntries() throws -> [SQLUndoLog.Entry] {
    guard let undoLog else { return [] }
    return try mappingErrors {
      try followChanges()
      return try undoLog.entries(ascending: true)
    }
  }

  /// What some commands have changed; nil where one is damaged, or in another model's form.
  fileprivate func firstChanges(
    of entries: ArraySlice<SQLUndoLog.Entry>
  ) throws -> FirstChanges? {
    guard let undoLog else { return nil }
    var found = FirstChanges()
    func id(_ index: Int, _ key: Int64) throws(StoreUndoError) -> ManagedObjectID {
      guard bindings.indices.contains(index) else { throw .unreadable }
      return ManagedObjectID(binding: bindings[index], key: key)
    }
    for entry in entries {
      guard var reader = undoLog.reader(of: entry) else { return nil }
      // What is undone now may have been undone before the copy was made, or after.
      let isCertain = entry.state != .undone
      do throws(StoreUndoError) {
        while let change = try reader.next() {
          switch change {
          case .inserted(let index, let first, let count, _):
            for key in first..<first + count { found.note(try id(index, key), count: nil) }
          case .updated(let index, let key, let count, _, _),
            .deleted(let index, let key, let count, _, _):
            found.note(try id(index, key), count: isCertain ? count : nil)
          case .linked(let join, let first, let second),
            .unlinked(let join, let first, let second, _, _),
            .moved(let join, let first, let second, _, _):
            guard joins.indices.contains(join) else { throw .unreadable }
            found.objects.insert(try id(joins[join].first.entity, first))
            found.objects.insert(try id(joins[join].secondEntity, second))
          case .metadata: break
          }
        }
      } catch {
        return nil
      }
    }
    return found
  }

  /// What a copy's commands have changed, and this store has as it was before.
  ///
  /// - Parameter own: what this store's commands have changed.
  fileprivate func unchanged(
    _ changes: FirstChanges, _ own: FirstChanges
  ) throws -> Set<ManagedObjectID> {
    guard let undoLog else { return [] }
    let candidates = changes.counts.keys.filter { !own.objects.contains($0) }
    var found: Set<ManagedObjectID> = []
    for (root, ids) in Dictionary(grouping: candidates, by: { $0.binding.root - offset }) {
      let (root, keys) = (bindings[root], ids.map(\.key).sorted())
      for start in stride(from: 0, to: keys.count, by: 500) {
        let piece = Array(keys[start..<min(start + 500, keys.count)])
        try mappingErrors {
          let reverted = try undoLog.known(root, piece)
          for (key, count) in try lockCounts(of: piece, root) {
            let id = ManagedObjectID(binding: root, key: key)
            // A row that a command was taken back of may be as it was, or not.
            if changes.counts[id] == count, reverted[key]?.now != count { found.insert(id) }
          }
        }
      }
    }
    return found
  }

  /// The lock counts that rows have, of those that are there.
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
