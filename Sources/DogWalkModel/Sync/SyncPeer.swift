import ManagedObjects
package import SystemLibraries

/// A store that this one was synced with.
package struct SyncPeer: Hashable, Sendable {
  /// Its location: a path as the program of this store was given it.
  package let name: String
  /// The date of the last sync.
  package let date: Date
}

extension SyncMemory {
  /// Returns the peers that a store has recorded, sorted by name; none if the list is damaged.
  static func peers(of log: WalkLog) throws -> [SyncPeer] {
    guard log.hasStore else { return [] }
    do {
      return try readPeers(of: log)
    } catch is SyncError {
      return []
    }
  }

  private static func readPeers(of log: WalkLog) throws -> [SyncPeer] {
    var peers: [SyncPeer] = []
    try log.coordinator.forEachKeptValue(named: peersName, in: log.store) { _, bytes in
      var reader = SyncReader(bytes)
      while !reader.isAtEnd {
        let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.word()))
        var name: [UInt8] = []
        for _ in 0..<(try reader.number()) { name.append(try reader.byte()) }
        peers.append(SyncPeer(name: String(decoding: name, as: UTF8.self), date: date))
      }
    }
    return peers
  }

  private static let peersName = "syncpeers"

  /// Returns the values that record a store's peers after a sync with one of them.
  static func peers(_ peers: [SyncPeer], meeting name: String, at date: Date) -> [String: [UInt8]?]
  {
    var writer = SyncWriter()
    let all = peers.filter { $0.name != name } + [SyncPeer(name: name, date: date)]
    for peer in all.sorted(by: { $0.name < $1.name }) {
      writer.word(peer.date.timeIntervalSinceReferenceDate.bitPattern)
      writer.number(peer.name.utf8.count)
      writer.append(peer.name.utf8)
    }
    return [peersName: writer.bytes]
  }
}

extension WalkLog {
  /// The prefix of the names of syncs in the undo log.
  package static let syncCommand = "sync "

  /// Returns what the store knows about its syncs.
  ///
  /// Reads all walks if it was synced.
  ///
  /// - Throws: `PersistentStoreError`.
  package func syncStatus() throws -> SyncStatus {
    let peers = try SyncMemory.peers(of: self)
    guard !peers.isEmpty else {
      return SyncStatus(
        peers: [], changes: nil, hasDamagedRecords: try SyncMemory(of: self).isDamaged)
    }
    let store = try SyncedStore(self, beside: nil)
    try store.readNames()
    try store.read()
    var changes = 0
    for (key, record) in try store.noted(1).records {
      let old = try store.record(of: key)
      // An object that is back in its recorded state, or came and went, does not count.
      let exists = record?.isAlive ?? false
      if exists != old?.isAlive ?? false || exists && record?.fingerprint != old?.fingerprint {
        changes += 1
      }
    }
    return SyncStatus(
      peers: peers, changes: changes, hasDamagedRecords: store.memory.isDamaged)
  }

  /// Records what has changed since the last sync, while the undo log, which is about to be
  /// emptied, still identifies the commands.
  func noteChangesForSyncs() throws {
    let store = try SyncedStore(self, beside: nil)
    guard !store.memory.known.isEmpty else { return }
    try store.readNames()
    try store.read()
    var values = try store.recordedChanges() ?? store.memory.changes([:])
    values.merge(store.memory.valuesBeforeLog) { $1 }
    // The repairs that a sync would make to objects are not saved here.
    context.reset()
    try keep(values)
  }

  /// Returns the values to store with an undo that removes walks and dogs which came with a sync.
  ///
  /// These objects do not count as deleted, and come back with the next sync.
  ///
  /// Until then other stores must not conclude that these objects were seen here: a store with
  /// older versions of them would take those for the newest.
  func valuesWithdrawing(_ walks: [Walk], _ dogs: [Dog]) throws -> [String: [UInt8]?] {
    let keys = Self.keys(walks, dogs)
    var memory = try SyncMemory(of: self)
    guard !memory.isDamaged else { return [:] }
    memory.withdrawn.formUnion(keys)
    for key in keys {
      guard let record = try memory.record(of: key) else { continue }
      var rounds = Set(record.rounds.rounds)
      for value in record.values {
        rounds.formUnion(value.rounds.rounds)
        for version in value.before { rounds.formUnion(version.rounds.rounds) }
      }
      memory.unseen[key, default: []].formUnion(rounds)
    }
    return memory.changes([:])
  }

  /// Records that these objects exist again, unchanged.
  func restore(_ walks: [Walk], _ dogs: [Dog]) throws {
    let keys = Self.keys(walks, dogs)
    var memory = try SyncMemory(of: self)
    guard !memory.isDamaged else { return }
    memory.withdrawn.subtract(keys)
    var records: [SyncKey: SyncRecord?] = [:]
    for key in keys {
      memory.unseen[key] = nil
      let record = memory.withdrawnRecords.removeValue(forKey: key)
      if let record, memory.position(of: key) == nil { records[key] = .some(record) }
    }
    try keep(memory.changes(records))
  }

  private static func keys(_ walks: [Walk], _ dogs: [Dog]) -> [SyncKey] {
    (walks.compactMap(\.identifier) + dogs.compactMap(\.identifier)).map { SyncKey($0) }
  }
}
