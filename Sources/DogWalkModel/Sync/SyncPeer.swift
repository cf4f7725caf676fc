import ManagedObjects
package import SystemLibraries

/// A store that this one was synced with.
package struct SyncPeer: Hashable, Sendable {
  /// Where it was found: a path, as this store's program named it.
  package let name: String
  /// When the two met last.
  package let date: Date
}

/// How two stores that are synced call each other.
package struct SyncNames: Sendable {
  let log: String
  let other: String
  let date: Date
  /// What the sync is called in the log here.
  let command: String
  /// The same there.
  let othersCommand: String
  let author: String?

  /// - Parameters:
  ///   - log: where the store is that the sync was called with.
  ///   - other: where the other one is.
  ///   - date: when they meet.
  ///   - typed: what people call the other one; nil for where it is.
  ///   - author: who has them meet; nil where nobody says.
  package init(
    log: String, other: String, at date: Date, typed: String? = nil, by author: String? = nil
  ) {
    self.log = log
    self.other = other
    self.date = date
    command = WalkLog.syncCommand + (typed ?? other)
    othersCommand = WalkLog.syncCommand + log
    self.author = author
  }
}

extension SyncMemory {
  /// The peers that a store keeps, by their names.
  static func peers(of log: WalkLog) throws -> [SyncPeer] {
    var peers: [SyncPeer] = []
    guard log.hasStore else { return [] }
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

  /// What a store is to keep of its peers, one of which it has just met.
  static func peers(_ peers: [SyncPeer], meeting name: String, at date: Date) -> [String: [UInt8]?]
  {
    var writer = SyncWriter()
    let met = peers.filter { $0.name != name } + [SyncPeer(name: name, date: date)]
    for peer in met.sorted(by: { $0.name < $1.name }) {
      writer.word(peer.date.timeIntervalSinceReferenceDate.bitPattern)
      writer.number(peer.name.utf8.count)
      writer.append(peer.name.utf8)
    }
    return [peersName: writer.bytes]
  }
}

extension WalkLog {
  /// What the commands of syncs begin with in the log of commands.
  package static let syncCommand = "sync "

  /// The stores that this one was synced with, and how many things have changed since; nil without
  /// any.
  ///
  /// Reads all walks.
  ///
  /// - Throws: `PersistentStoreError`; `SyncError` where what the store keeps of it is damaged.
  package func syncStanding() throws -> (peers: [SyncPeer], changes: Int)? {
    let peers = try SyncMemory.peers(of: self)
    guard !peers.isEmpty else { return nil }
    let store = try SyncedStore(self, beside: nil)
    try store.readNames()
    try store.read()
    var changes = 0
    for (key, record) in try store.noted(1).records {
      let old = try store.record(of: key)
      // What was changed and is as it was, or came and went, is nothing to tell of.
      let isThere = record?.isAlive ?? false
      if isThere != old?.isAlive ?? false || isThere && record?.fingerprint != old?.fingerprint {
        changes += 1
      }
    }
    return (peers, changes)
  }

  /// Notes what has changed since the store last met another one, as long as the undo log tells
  /// which command did it.
  func noteChangesForSyncs() throws {
    let store = try SyncedStore(self, beside: nil)
    guard !store.memory.known.isEmpty else { return }
    try store.readNames()
    try store.read()
    let values = try store.valuesNotingChanges()
    // What a sync would put right beside it is not its own to save.
    context.reset()
    try keep(values ?? store.memory.changes([:]))
  }

  /// What is to be kept with an undo that takes walks and dogs away that a sync had brought: they
  /// were not deleted, and come again with the next one.
  ///
  /// Until then nobody is told that they were met here: whoever has older ones would take those for
  /// the newest.
  func valuesWithdrawing(_ walks: [Walk], _ dogs: [Dog]) throws -> [String: [UInt8]?] {
    let keys = Self.keys(walks, dogs)
    var memory = try SyncMemory(of: self)
    memory.withdrawn.formUnion(keys)
    for key in keys {
      guard let record = try memory.record(of: key) else { continue }
      var rounds = Set(record.rounds.rounds)
      for value in record.values {
        rounds.formUnion(value.rounds.rounds)
        for version in value.before { rounds.formUnion(version.rounds.rounds) }
      }
      memory.unmet[key, default: []].formUnion(rounds)
    }
    return memory.changes([:])
  }

  /// Notes that they are there again, as they were.
  func restore(_ walks: [Walk], _ dogs: [Dog]) throws {
    let keys = Self.keys(walks, dogs)
    var memory = try SyncMemory(of: self)
    memory.withdrawn.subtract(keys)
    var records: [SyncKey: SyncRecord?] = [:]
    for key in keys {
      memory.unmet[key] = nil
      let record = memory.withdrawnRecords.removeValue(forKey: key)
      if let record, memory.position(of: key) == nil { records[key] = .some(record) }
    }
    try keep(memory.changes(records))
  }

  private static func keys(_ walks: [Walk], _ dogs: [Dog]) -> [SyncKey] {
    (walks.compactMap(\.identifier) + dogs.compactMap(\.identifier)).map { SyncKey($0) }
  }
}
