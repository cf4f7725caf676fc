import ManagedObjects

/// Records the changes since the last sync.
extension SyncedStore {
  /// Returns the current record of a dog, whether its changes are recorded or not.
  func recordOfDog(_ key: SyncKey, _ round: SyncRound) throws -> SyncRecord? {
    let old = try record(of: key)
    guard let dog = dogs[key] else {
      if memory.withdrawn.contains(key) { return old.flatMap { $0.isAlive ? nil : $0 } }
      return deletedRecord(of: key, old, round)
    }
    return keys.item(of: dog, key)
      .noted(in: old ?? memory.withdrawnRecords[key], origins?.rounds(of: dog), round).record
  }

  /// Returns new records for all objects that have changed, and whether any of the changes was not
  /// recorded before.
  func noted(_ round: SyncRound) throws -> (records: [SyncKey: SyncRecord?], isChanged: Bool) {
    var records: [SyncKey: SyncRecord?] = [:]
    var isChanged = false
    for (key, item) in items {
      // If a redo was interrupted before it recorded the restored objects, a sync has their earlier
      // records.
      let old = try record(of: key) ?? memory.withdrawnRecords[key]
      let (record, isNew) = item.noted(in: old, rounds[key], round)
      records[key] = .some(record)
      if isNew { isChanged = true }
    }
    for key in origins?.deleted.keys ?? [:].keys
    where items[key] == nil && !leftOutKeys.contains(key) && !memory.withdrawn.contains(key)
      && memory.aliases[key] == nil
    {
      if let position = memory.position(of: key), isSeen[position] { continue }
      records[key] = .some(deletedRecord(of: key, try record(of: key), round))
      isChanged = true
    }
    for (position, entry) in memory.index.enumerated() where entry.isAlive && !isSeen[position] {
      if memory.withdrawn.contains(entry.key) {
        memory.withdrawnRecords[entry.key] = try memory.record(at: position)
        records[entry.key] = .some(nil)
      } else if memory.aliases[entry.key] != nil {
        records[entry.key] = .some(nil)
      } else if origins?.deleted[entry.key] == nil {
        records[entry.key] = try memory.record(at: position).deleted(in: round)
        isChanged = true
      }
    }
    return (records, isChanged)
  }

  /// Returns the values to store when all changes are recorded in a round of their own; nil if
  /// there are none.
  func recordedChanges() throws -> [String: [UInt8]?]? {
    let round = SyncRound.random(in: 1 ... .max)
    let (records, isChanged) = try noted(round)
    guard isChanged else { return nil }
    memory.known.insert(round)
    return memory.changes(records)
  }

  /// Returns the record of an object that does not exist; nil if it never existed.
  private func deletedRecord(
    of key: SyncKey, _ old: SyncRecord?, _ round: SyncRound
  ) -> SyncRecord? {
    guard let (kind, logged) = origins?.deleted[key] else {
      return old.map { $0.isAlive ? $0.deleted(in: round) : $0 }
    }
    let rounds = origins?.rounds(ofDeleted: key)
    let record =
      old?.deleted(in: logged, after: rounds)
      ?? SyncRecord(
        key: key, kind: kind, isAlive: false, fingerprint: 0, rounds: SyncRounds([logged]),
        values: [])
    return record.came(and: rounds?.presence ?? [], after: old)
  }
}
