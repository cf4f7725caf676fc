/// The current state of an object in a store.
package struct SyncItem: Equatable, Sendable {
  /// The object's key.
  package let key: SyncKey
  /// The object's type.
  package let kind: SyncKind
  /// The fingerprint of all its values.
  package let fingerprint: UInt64
  /// The digests of the values that it has, by field.
  package let digests: [(field: SyncField, digest: SyncDigest)]

  /// Creates an item from an object's values.
  package init(
    key: SyncKey, kind: SyncKind, fingerprint: UInt64,
    digests: [(field: SyncField, digest: SyncDigest)]
  ) {
    self.key = key
    self.kind = kind
    self.fingerprint = fingerprint
    self.digests = digests
  }

  package static func == (one: SyncItem, other: SyncItem) -> Bool {
    (one.key, one.kind, one.fingerprint) == (other.key, other.kind, other.fingerprint)
      && one.digests.elementsEqual(other.digests) { $0 == $1 }
  }

  /// Returns the record of this state, based on the previous record.
  ///
  /// - Parameters:
  ///   - record: the previous record; nil for a new object.
  ///   - round: the round of changes that are recorded now.
  ///   - Returns: the new record, and whether anything has changed since the previous one.
  package func noted(
    in record: SyncRecord?, _ round: SyncRound
  ) -> (record: SyncRecord, isChanged: Bool) {
    noted(in: record, nil, round)
  }

  /// Returns the record of this state, with the rounds that the undo log gives.
  ///
  /// - Parameter log: the rounds from the log; nil if there are none.
  func noted(
    in record: SyncRecord?, _ log: SyncOrigins.Rounds?, _ round: SyncRound
  ) -> (record: SyncRecord, isChanged: Bool) {
    func all(_ rounds: [SyncRound]?) -> SyncRounds { SyncRounds(Set(rounds ?? [round]).sorted()) }
    let now = all(log?.made)
    // An object that was inserted again keeps none of its former values.
    let isMadeAnew = record?.isAlive == true && log?.made != nil
    var new =
      record
      ?? SyncRecord(
        key: key, kind: kind, isAlive: false, fingerprint: 0, rounds: now, values: [])
    new.fingerprint = fingerprint
    var isChanged = !new.isAlive
    if !new.isAlive { (new.isAlive, new.rounds) = (true, now) }
    var there: [SyncField: SyncDigest] = [:]
    for (field, digest) in digests { there[field] = digest }
    var logged = log?.changed ?? [:]
    func change(_ value: inout SyncRecord.Value, to digest: SyncDigest) {
      if let stamp = logged.removeValue(forKey: value.field) {
        value.change(to: digest, stamp, round, isWhole: !isMadeAnew)
      } else if digest != value.digest || isMadeAnew {
        value.change(to: digest, in: now, isWhole: !isMadeAnew)
      } else {
        return
      }
      isChanged = true
    }
    let noted = new.values.map(\.field)
    for index in new.values.indices {
      let field = new.values[index].field
      // A property recorded by a later version of the program cannot have changed here.
      guard field.name != nil else { continue }
      change(&new.values[index], to: there.removeValue(forKey: field) ?? 0)
    }
    var fields = Set(there.keys).union(logged.keys)
    if isMadeAnew { fields.formUnion(SyncField.single) }
    for field in fields.subtracting(noted) {
      let digest = there[field] ?? 0
      var value = SyncRecord.Value(field: field, digest: digest, rounds: now)
      if let record, record.isAlive {
        value = record[field]
        change(&value, to: digest)
      } else if let stamp = logged[field] {
        value.change(to: digest, stamp, round, isWhole: false)
      }
      new.values.append(value)
      isChanged = true
    }
    if record?.isAlive == false { new = new.with(nil) }
    if let log, !log.presence.isEmpty {
      new = new.came(and: log.presence, after: record)
      isChanged = true
    }
    return (new.tidied(), isChanged)
  }
}
