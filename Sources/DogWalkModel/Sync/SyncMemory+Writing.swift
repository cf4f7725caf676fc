/// What a sync records, as bytes to keep in the store.
extension SyncMemory {
  /// Replaces some records, and returns the stored values that change.
  ///
  /// - Parameter records: the new records; nil removes one.
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
      // A program version that changes the rounds but does not know about the log leaves a
      // different digest.
      if followsLog { values[Name.knownByLog] = Self.bytes(ofDigestOf: rounds) }
    }
    if aliases != stored.aliases {
      var writer = SyncWriter()
      for (key, other) in aliases.sorted(by: { $0.key < $1.key }) {
        writer.key(key)
        writer.key(other)
      }
      values[Name.aliases] = writer.bytes
    }
    if withdrawn != stored.withdrawn { values[Name.withdrawn] = Self.bytes(of: withdrawn) }
    if unseen != stored.unseen { values[Name.unseen] = Self.bytes(of: unseen) }
    for name in damagedNames where values[name] == nil { values[name] = .some(nil) }
    return values
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

  /// Encodes the hash of the rounds that a store knows, in order.
  private static func bytes(ofDigestOf rounds: [SyncRound]) -> [UInt8] {
    var writer = SyncWriter()
    writer.word(digest(of: rounds))
    return writer.bytes
  }

  /// The values to store in addition when everything is recorded and the undo log is about to be
  /// emptied.
  ///
  /// They are valid until other rounds are recorded.
  var valuesBeforeLog: [String: [UInt8]?] {
    [Name.knownBeforeLog: Self.bytes(ofDigestOf: known.sorted())]
  }

  /// Encodes rounds by the keys of their objects.
  private static func bytes(of unseen: [SyncKey: Set<SyncRound>]) -> [UInt8]? {
    guard !unseen.isEmpty else { return nil }
    var writer = SyncWriter()
    for (key, rounds) in unseen.sorted(by: { $0.key < $1.key }) {
      writer.key(key)
      writer.number(rounds.count)
      for round in rounds.sorted() { writer.word(round) }
    }
    return writer.bytes
  }

  /// Encodes a set of keys.
  private static func bytes(of keys: Set<SyncKey>) -> [UInt8]? {
    guard !keys.isEmpty else { return nil }
    var writer = SyncWriter()
    for key in keys.sorted() { writer.key(key) }
    return writer.bytes
  }
}
