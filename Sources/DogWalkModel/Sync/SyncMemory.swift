import ManagedObjects
import SystemLibraries

/// The records that a store keeps about syncs, beside its objects (`MO_KEPT`).
///
/// It consists mainly of three parts, none of which an everyday command reads: the rounds of
/// changes that the store knows, a record of each object in its last recorded state, including
/// deleted objects, and the former UUIDs of dogs. They are the same for all peers, so an additional
/// peer costs nothing, and a deletion reaches the other stores in whatever order they are synced.
struct SyncMemory {
  /// The rounds that the store knows.
  var known: Set<SyncRound> = []
  /// The former keys of dogs that were merged, each with the key that the dog has now.
  var aliases: [SyncKey: SyncKey] = [:]
  /// Objects that came with a sync and were removed by an undo: they do not count as deleted.
  var withdrawn: Set<SyncKey> = []
  /// Whether everything recorded has the rounds of the undo log, so that these identify what has
  /// changed since (`SyncOrigins`).
  ///
  /// An earlier version of the program gave every change the round of the sync that found it. Such
  /// changes must not be recorded again as newer ones.
  var followsLog = false
  /// Whether the undo log was emptied after everything was recorded, and nothing was recorded
  /// since: a log that begins with its first command then contains everything that has changed.
  private(set) var precedesLog = false
  /// Whether the stored values are damaged or from a newer version: then they are ignored, as if
  /// the store was never synced, and the next changes replace them.
  ///
  /// Nothing is lost by that: values that differ are in conflict, and what was deleted in one store
  /// comes back.
  private(set) var isDamaged = false
  /// The names of the values that are replaced for that reason.
  var damagedNames: [String] = []
  /// Rounds that the store knows but has not seen for some objects.
  ///
  /// An undo removed what a sync had brought for these objects. Everything else set in these rounds
  /// still exists here, or was changed since; only for these objects must other stores not conclude
  /// that the rounds were seen.
  var unseen: [SyncKey: Set<SyncRound>] = [:]
  /// The records that such objects had when a sync found them missing, in case a redo restores
  /// them.
  var withdrawnRecords: [SyncKey: SyncRecord] = [:]
  /// The locations of all records, sorted by key.
  private(set) var index: [Entry] = []
  /// The index of the first record for each pair of leading key bytes, followed by the number of
  /// records; empty if there are none.
  private var starts: [Int32] = []

  var shards: [[UInt8]] = Array(repeating: [], count: 256)
  var roundSets: [SyncRounds] = []
  private var numbers: [SyncRounds: Int] = [:]
  /// The state that was read, to determine what has changed since.
  var stored:
    (
      known: Set<SyncRound>, followsLog: Bool, aliases: [SyncKey: SyncKey], withdrawn: Set<SyncKey>,
      withdrawnRecords: [SyncKey: SyncRecord], unseen: [SyncKey: Set<SyncRound>], roundSets: Int
    ) = ([], false, [:], [], [:], [:], 0)

  /// The header of a record, and its location.
  struct Entry {
    let key: SyncKey
    let kind: SyncKind
    let isAlive: Bool
    let fingerprint: UInt64
    let offset: UInt32
  }

  /// The names under which a store keeps these values.
  enum Name {
    static let all = "sync."
    static let known = "sync.known"
    static let knownByLog = "sync.knownbylog"
    static let knownBeforeLog = "sync.knownbeforelog"
    static let aliases = "sync.aliases"
    static let withdrawn = "sync.withdrawn"
    static let withdrawnRecords = "sync.withdrawnrecords"
    static let unseen = "sync.unmet"
    static let rounds = "sync.rounds"
    static let records = "sync.records."

    static func shard(_ number: Int) -> String {
      records + (number < 16 ? "0" : "") + String(number, radix: 16)
    }
  }

  /// Creates the empty memory of a store that was never synced.
  init() {}

  /// Reads a store's records; those that are damaged count as none (``isDamaged``).
  ///
  /// - Throws: `PersistentStoreError` if they cannot be read.
  init(of log: WalkLog) throws {
    guard log.hasStore else { return }
    do {
      try read(log)
    } catch is SyncError {
      self = SyncMemory()
      isDamaged = true
      var names: [String] = []
      try log.coordinator.forEachKeptValue(named: Name.all, in: log.store) { name, _ in
        names.append(name)
      }
      damagedNames = names
    }
  }

  /// Reads a store's records.
  ///
  /// - Throws: `PersistentStoreError` if they cannot be read; `SyncError` if they have another
  ///   format.
  private mutating func read(_ log: WalkLog) throws {
    var withdrawnBytes: [UInt8] = []
    var (digest, digestByLog, digestBeforeLog): (UInt64?, UInt64?, UInt64?)
    try log.coordinator.forEachKeptValue(named: Name.all, in: log.store) { name, bytes in
      var reader = SyncReader(bytes)
      switch name {
      case Name.known:
        let rounds = try reader.words()
        known = Set(rounds)
        digest = Self.digest(of: rounds)
      case Name.knownByLog: digestByLog = try reader.word()
      case Name.knownBeforeLog: digestBeforeLog = try reader.word()
      case Name.aliases:
        while !reader.isAtEnd { aliases[try reader.key()] = try reader.key() }
      case Name.withdrawn:
        while !reader.isAtEnd { withdrawn.insert(try reader.key()) }
      case Name.withdrawnRecords: withdrawnBytes = bytes
      case Name.unseen:
        while !reader.isAtEnd {
          let key = try reader.key()
          unseen[key] = Set(try rounds(&reader))
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
    precedesLog = digest != nil && digest == digestBeforeLog
    stored = (known, followsLog, aliases, withdrawn, withdrawnRecords, unseen, roundSets.count)
    try readPlaces()
  }

  /// Reads a count followed by as many rounds.
  private func rounds(_ reader: inout SyncReader) throws -> [SyncRound] {
    let count = try reader.number()
    var rounds: [SyncRound] = []
    for _ in 0..<count { rounds.append(try reader.word()) }
    return rounds
  }

  @discardableResult
  mutating func number(of rounds: SyncRounds) -> Int {
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
        try check(&reader, length)
      }
    }
    guard !index.isEmpty else { return }
    starts = Array(repeating: 0, count: (1 << 16) + 1)
    for entry in index { starts[entry.key.firstTwoBytes + 1] += 1 }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
  }

  /// Skips the values of a record, and checks that they can be read.
  private func check(_ reader: inout SyncReader, _ length: Int) throws {
    let end = reader.offset + length
    func skipRounds() throws {
      guard try reader.number() < roundSets.count else { throw SyncError.unreadable }
    }
    try skipRounds()
    let count = try reader.number()
    for _ in 0..<count {
      let property = try reader.byte()
      // The element of a tag precedes the digest.
      try reader.skip(property == SyncProperty.tags.rawValue ? 16 : 8)
      try skipRounds()
    }
    while reader.offset < end {
      guard try reader.number() < count else { throw SyncError.unreadable }
      for _ in 0..<(try reader.number()) {
        try reader.skip(8)
        try skipRounds()
      }
    }
    guard reader.offset == end else { throw SyncError.unreadable }
  }

  /// Returns the index of a key's record; nil if there is none.
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

  /// Returns the part of the index whose keys begin with a byte.
  func entries(inShard shard: UInt8) -> ArraySlice<Entry> {
    guard !starts.isEmpty else { return [] }
    return index[Int(starts[Int(shard) << 8])..<Int(starts[(Int(shard) + 1) << 8])]
  }

  /// Returns the record at a position of the index.
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
    // After all values follow the earlier versions of those that have any.
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

  /// Returns the record of a key; nil if there is none.
  func record(of key: SyncKey) throws -> SyncRecord? {
    try position(of: key).map { try record(at: $0) }
  }

  /// Returns a hash of the rounds that a store knows, in order.
  static func digest(of rounds: [SyncRound]) -> UInt64 {
    var number = SyncFingerprint()
    for round in rounds { number.add(round) }
    return number.value
  }

  /// Returns the key under which a dog is known now.
  func current(_ key: SyncKey) -> SyncKey {
    var key = key
    // The number of steps is limited, since a damaged store may contain a cycle.
    for _ in 0...aliases.count {
      guard let next = aliases[key] else { return key }
      key = next
    }
    return key
  }
}
