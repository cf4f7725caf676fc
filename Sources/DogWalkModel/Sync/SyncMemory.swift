import ManagedObjects
import SystemLibraries

/// What a store keeps of the stores that it has met, beside its objects (`MO_KEPT`).
///
/// Above all three things, none of which an everyday command reads: the rounds of changes that it
/// knows, a record of each thing as it was noted last, deleted ones included, and by which other
/// UUID a dog was known. They are the same for all peers, so that a further peer costs nothing, and
/// what one has deleted reaches the others in whatever order they meet.
struct SyncMemory {
  /// The rounds that the store knows.
  var known: Set<SyncRound> = []
  /// Dogs that became one with another: the key that each had, and the one that it has now.
  var aliases: [SyncKey: SyncKey] = [:]
  /// Things that an undo took away which a sync had brought: they are not deleted, only not here.
  var withdrawn: Set<SyncKey> = []
  /// Whether all that was noted was known by the undo log's rounds, and by them what has changed
  /// since can be found (`SyncOrigins`).
  ///
  /// An earlier version of the program gave every change the round of the sync that found it. What
  /// it has noted is not to be noted once more as newer.
  var followsLog = false
  /// Rounds that the store knows, but has not met in some things.
  ///
  /// An undo took away what a sync had brought of them. What else was set in these rounds is here
  /// still, or was changed since; of these things nobody is to hear that they were met.
  var unmet: [SyncKey: Set<SyncRound>] = [:]
  /// The records that such things had when a sync found them gone, for where a redo brings them
  /// back.
  var withdrawnRecords: [SyncKey: SyncRecord] = [:]
  /// Where every record is, in the order of their keys.
  private(set) var index: [Entry] = []
  /// Where the records begin in the index whose keys have the same first two bytes, and where the
  /// last ones end; nothing where there are none.
  private var starts: [Int32] = []

  private var shards: [[UInt8]] = Array(repeating: [], count: 256)
  private var roundSets: [SyncRounds] = []
  private var numbers: [SyncRounds: Int] = [:]
  /// What was read, to know what has changed since.
  private var stored:
    (
      known: Set<SyncRound>, followsLog: Bool, aliases: Int, withdrawn: Set<SyncKey>,
      withdrawnRecords: [SyncKey: SyncRecord], unmet: [SyncKey: Set<SyncRound>], roundSets: Int
    ) = ([], false, 0, [], [:], [:], 0)

  /// A record, as far as it is known without reading it.
  struct Entry {
    let key: SyncKey
    let kind: SyncKind
    let isAlive: Bool
    let fingerprint: UInt64
    fileprivate let offset: UInt32
  }

  /// Where a store keeps it.
  enum Name {
    static let all = "sync."
    static let known = "sync.known"
    static let knownByLog = "sync.knownbylog"
    static let aliases = "sync.aliases"
    static let withdrawn = "sync.withdrawn"
    static let withdrawnRecords = "sync.withdrawnrecords"
    static let unmet = "sync.unmet"
    static let rounds = "sync.rounds"
    static let records = "sync.records."

    static func shard(_ number: Int) -> String {
      records + (number < 16 ? "0" : "") + String(number, radix: 16)
    }
  }

  /// Nothing: that of a store that has met no other.
  init() {}

  /// Reads what a store keeps.
  ///
  /// - Throws: `PersistentStoreError` where it cannot be read, or is none of this version's.
  init(of log: WalkLog) throws {
    guard log.hasStore else { return }
    var withdrawnBytes: [UInt8] = []
    var (digest, digestByLog): (UInt64?, UInt64?)
    try log.coordinator.forEachKeptValue(named: Name.all, in: log.store) { name, bytes in
      var reader = SyncReader(bytes)
      switch name {
      case Name.known:
        let rounds = try reader.words()
        known = Set(rounds)
        digest = Self.digest(of: rounds)
      case Name.knownByLog: digestByLog = try reader.word()
      case Name.aliases:
        while !reader.isAtEnd { aliases[try reader.key()] = try reader.key() }
      case Name.withdrawn:
        while !reader.isAtEnd { withdrawn.insert(try reader.key()) }
      case Name.withdrawnRecords: withdrawnBytes = bytes
      case Name.unmet:
        while !reader.isAtEnd {
          let key = try reader.key()
          unmet[key] = Set(try rounds(&reader))
        }
      case Name.rounds:
        while !reader.isAtEnd {
          number(of: SyncRounds(try rounds(&reader)))
        }
      default:
        guard name.hasPrefix(Name.records),
          let number = UInt8(name.dropFirst(Name.records.count), radix: 16)
        else { return }
        shards[Int(number)] = bytes
      }
    }
    var reader = SyncReader(withdrawnBytes)
    while !reader.isAtEnd {
      let record = try record(&reader)
      withdrawnRecords[record.key] = record
    }
    followsLog = digest == digestByLog
    stored = (known, followsLog, aliases.count, withdrawn, withdrawnRecords, unmet, roundSets.count)
    try readPlaces()
  }

  /// Reads rounds, and before them how many they are.
  private func rounds(_ reader: inout SyncReader) throws -> [SyncRound] {
    let count = try reader.number()
    var rounds: [SyncRound] = []
    for _ in 0..<count { rounds.append(try reader.word()) }
    return rounds
  }

  @discardableResult
  private mutating func number(of rounds: SyncRounds) -> Int {
    if let number = numbers[rounds] { return number }
    roundSets.append(rounds)
    numbers[rounds] = roundSets.count - 1
    return roundSets.count - 1
  }

  // MARK: Records

  private mutating func readPlaces() throws {
    index.reserveCapacity(shards.reduce(0) { $0 + $1.count } / 64)
    for (number, shard) in shards.enumerated() {
      var reader = SyncReader(shard)
      while !reader.isAtEnd {
        let offset = reader.offset
        let (key, flags, fingerprint, length) = try reader.head()
        guard let kind = SyncKind(rawValue: flags & 0x7F), key.firstByte == number,
          index.last.map({ $0.key < key }) ?? true
        else { throw SyncError.unreadable }
        index.append(
          Entry(
            key: key, kind: kind, isAlive: flags & 0x80 != 0, fingerprint: fingerprint,
            offset: UInt32(truncatingIfNeeded: offset)))
        try reader.skip(length)
      }
    }
    guard !index.isEmpty else { return }
    starts = Array(repeating: 0, count: (1 << 16) + 1)
    for entry in index { starts[entry.key.firstTwoBytes + 1] += 1 }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
  }

  /// Where in the index the record of a key is; nil where nothing was noted of it.
  func position(of key: SyncKey) -> Int? {
    guard !starts.isEmpty else { return nil }
    let bucket = key.firstTwoBytes
    var low = Int(starts[bucket])
    let end = Int(starts[bucket + 1])
    var high = end
    while low < high {
      let middle = (low + high) / 2
      if index[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < end && index[low].key == key ? low : nil
  }

  /// The part of the index whose keys begin with a byte.
  private func entries(inShard shard: UInt8) -> ArraySlice<Entry> {
    guard !starts.isEmpty else { return [] }
    return index[Int(starts[Int(shard) << 8])..<Int(starts[(Int(shard) + 1) << 8])]
  }

  /// The record at a position of the index.
  ///
  /// - Throws: `SyncError.unreadable`.
  func record(at position: Int) throws -> SyncRecord {
    let entry = index[position]
    var reader = SyncReader(shards[Int(entry.key.firstByte)], from: Int(entry.offset))
    return try record(&reader)
  }

  /// Reads a record.
  private func record(_ reader: inout SyncReader) throws -> SyncRecord {
    let (key, flags, fingerprint, length) = try reader.head()
    let end = reader.offset + length
    guard let kind = SyncKind(rawValue: flags & 0x7F) else { throw SyncError.unreadable }
    func rounds() throws -> SyncRounds {
      let number = try reader.number()
      guard number < roundSets.count else { throw SyncError.unreadable }
      return roundSets[number]
    }
    var record = SyncRecord(
      key: key, kind: kind, isAlive: flags & 0x80 != 0, fingerprint: fingerprint,
      rounds: try rounds(), values: [])
    let count = try reader.number()
    for _ in 0..<count {
      let property = try reader.byte()
      let element = property == SyncProperty.tags.rawValue ? try reader.word() : 0
      record.values.append(
        .init(
          field: SyncField(number: property, element: element), digest: try reader.word(),
          rounds: try rounds()))
    }
    // What values were before stands behind all of them, of those that were something else.
    while reader.offset < end {
      let index = try reader.number()
      guard index < count else { throw SyncError.unreadable }
      for _ in 0..<(try reader.number()) {
        record.values[index].before.append(
          .init(digest: try reader.word(), rounds: try rounds()))
      }
    }
    return record
  }

  /// The record of a key; nil where nothing was noted of it.
  func record(of key: SyncKey) throws -> SyncRecord? {
    try position(of: key).map { try record(at: $0) }
  }

  private mutating func append(_ record: SyncRecord, to bytes: inout SyncWriter) {
    var body = SyncWriter()
    body.number(number(of: record.rounds))
    body.number(record.values.count)
    for value in record.values {
      body.byte(value.field.property)
      if value.field.name == .tags { body.word(value.field.element) }
      body.word(value.digest)
      body.number(number(of: value.rounds))
    }
    for (index, value) in record.values.enumerated() where !value.before.isEmpty {
      body.number(index)
      body.number(value.before.count)
      for version in value.before {
        body.word(version.digest)
        body.number(number(of: version.rounds))
      }
    }
    bytes.key(record.key)
    bytes.byte(record.kind.rawValue | (record.isAlive ? 0x80 : 0))
    bytes.word(record.fingerprint)
    bytes.number(body.bytes.count)
    bytes.append(body.bytes)
  }

  // MARK: Writing

  /// What the store is to keep from now on, in place of some records; only what has changed.
  ///
  /// - Parameter records: the new records; nil takes one out.
  mutating func changes(_ records: [SyncKey: SyncRecord?]) -> [String: [UInt8]?] {
    var values: [String: [UInt8]?] = [:]
    var byShard: [UInt8: [SyncKey]] = [:]
    for key in records.keys { byShard[key.firstByte, default: []].append(key) }
    for (shard, keys) in byShard {
      let old = entries(inShard: shard).map(\.key).filter { records[$0] == nil }
      let merged = (old + keys).sorted()
      let bytes = shards[Int(shard)]
      var writer = SyncWriter()
      for key in merged {
        if let record = records[key] {
          if let record { append(record, to: &writer) }
        } else if let position = position(of: key) {
          let start = Int(index[position].offset)
          let next = position + 1
          let isLast = next == index.count || index[next].key.firstByte != shard
          writer.append(bytes[start..<(isLast ? bytes.count : Int(index[next].offset))])
        }
      }
      shards[Int(shard)] = writer.bytes
      values[Name.shard(Int(shard))] = writer.bytes.isEmpty ? .some(nil) : writer.bytes
    }
    if withdrawnRecords != stored.withdrawnRecords {
      var writer = SyncWriter()
      for (_, record) in withdrawnRecords.sorted(by: { $0.key < $1.key }) {
        append(record, to: &writer)
      }
      values[Name.withdrawnRecords] = writer.bytes.isEmpty ? .some(nil) : writer.bytes
    }
    if roundSets.count != stored.roundSets {
      var writer = SyncWriter()
      for set in roundSets {
        writer.number(set.rounds.count)
        for round in set.rounds { writer.word(round) }
      }
      values[Name.rounds] = writer.bytes
    }
    if known != stored.known || followsLog != stored.followsLog {
      let rounds = known.sorted()
      var writer = SyncWriter()
      for round in rounds { writer.word(round) }
      values[Name.known] = writer.bytes
      if followsLog {
        // Whoever changes the rounds and does not know the log leaves another number behind.
        var digest = SyncWriter()
        digest.word(Self.digest(of: rounds))
        values[Name.knownByLog] = digest.bytes
      }
    }
    if aliases.count != stored.aliases {
      var writer = SyncWriter()
      for (key, other) in aliases.sorted(by: { $0.key < $1.key }) {
        writer.key(key)
        writer.key(other)
      }
      values[Name.aliases] = writer.bytes
    }
    if withdrawn != stored.withdrawn { values[Name.withdrawn] = Self.bytes(of: withdrawn) }
    if unmet != stored.unmet { values[Name.unmet] = Self.bytes(of: unmet) }
    return values
  }

  /// A number made of the rounds that a store knows, in their order.
  private static func digest(of rounds: [SyncRound]) -> UInt64 {
    var number = SyncFingerprint()
    for round in rounds { number.add(round) }
    return number.value
  }

  /// The bytes of rounds, by the keys of things.
  private static func bytes(of unmet: [SyncKey: Set<SyncRound>]) -> [UInt8]? {
    guard !unmet.isEmpty else { return nil }
    var writer = SyncWriter()
    for (key, rounds) in unmet.sorted(by: { $0.key < $1.key }) {
      writer.key(key)
      writer.number(rounds.count)
      for round in rounds.sorted() { writer.word(round) }
    }
    return writer.bytes
  }

  /// The bytes of a set of keys.
  private static func bytes(of keys: Set<SyncKey>) -> [UInt8]? {
    guard !keys.isEmpty else { return nil }
    var writer = SyncWriter()
    for key in keys.sorted() { writer.key(key) }
    return writer.bytes
  }

  /// The key by which a dog is known now.
  func current(_ key: SyncKey) -> SyncKey {
    var key = key
    // As often as there are aliases, since a store may hold anything.
    for _ in 0...aliases.count {
      guard let next = aliases[key] else { return key }
      key = next
    }
    return key
  }
}

/// Why stores cannot be synced, beside what stores themselves say.
package enum SyncError: Error, Sendable, Hashable {
  /// What one of them keeps of earlier syncs is damaged, or a newer version's.
  case unreadable
}
