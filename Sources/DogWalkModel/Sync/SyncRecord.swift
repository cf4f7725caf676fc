/// A round of changes: whenever a sync finds changes that nobody has noted yet, it gives all of
/// them one number, a random one.
///
/// A store knows a round where it has met the values that were set in it, or later ones. Random
/// numbers rather than counters, since a store may be copied, or an old copy be put back, and go on
/// from there: no two changes ever share a number.
package typealias SyncRound = UInt64

/// The rounds that made a value what it is: one, or several where stores came to it by themselves.
///
/// Who knows any of them knows the value.
package struct SyncRounds: Hashable, Sendable {
  /// The rounds, in the order of their numbers.
  package let rounds: [SyncRound]

  /// Some rounds, the lowest first.
  package init(_ rounds: [SyncRound]) { self.rounds = rounds }

  /// Whether a store that has met some rounds knows the value.
  package func areKnown(by met: MetRounds) -> Bool { rounds.contains { met.contains($0) } }

  /// Whether it has met all of them: of a command that was taken back it knows that, too.
  func areAllKnown(by met: MetRounds) -> Bool { rounds.allSatisfy { met.contains($0) } }

  func areContained(in other: SyncRounds) -> Bool { rounds.allSatisfy(other.rounds.contains) }

  func subtracting(_ other: SyncRounds) -> SyncRounds {
    SyncRounds(rounds.filter { !other.rounds.contains($0) })
  }

  func union(_ other: SyncRounds) -> SyncRounds {
    self == other ? self : SyncRounds(Array(Set(rounds).union(other.rounds)).sorted())
  }
}

/// The rounds that a store has met in one thing.
package struct MetRounds: Sendable {
  /// All rounds that the store knows.
  package let known: Set<SyncRound>
  /// Those of them that it has not met in this thing: see ``SyncMemory/unmet``.
  package let unmet: Set<SyncRound>

  func contains(_ round: SyncRound) -> Bool { known.contains(round) && !unmet.contains(round) }
}

/// What a store noted of a thing when it last met another one: what its values were, and in which
/// round each was set.
package struct SyncRecord: Equatable, Sendable {
  /// A value.
  package struct Value: Equatable, Sendable {
    /// Which one.
    package let field: SyncField
    /// What stands for it; 0 for none.
    package var digest: SyncDigest
    /// The rounds that made it what it is.
    package var rounds: SyncRounds
    /// What it was before, the last one last; as far as that was noted, and is remembered.
    ///
    /// A value that was changed and is as it was, as an undo leaves it, is untouched to whoever has
    /// not met the change.
    package var before: [Version] = []

    /// What a value was at a time.
    package struct Version: Hashable, Sendable {
      let digest: SyncDigest
      let rounds: SyncRounds

      /// The digest of a version that counts as no value's equal.
      static let unordered = SyncDigest.max
    }

    /// So many versions are remembered.
    static let versionLimit = 8

    /// Whether a store that has met some rounds knows the value: what it met last of it was this.
    func isKnown(by met: MetRounds) -> Bool {
      if rounds.areKnown(by: met) { return true }
      return before.last { $0.rounds.areKnown(by: met) }?.digest == digest
    }

    /// The value, of a new round, where it is taken over another one of whose changes its side has
    /// not met all.
    ///
    /// Of both sides' changes nobody knows the order. So who has met any that were made to the
    /// other one alone knows this one by the new round, and by no earlier one: with both at hand it
    /// may have decided otherwise.
    func taken(over other: Value, in rounds: SyncRounds) -> Value {
      let mine = before + [Version(digest: digest, rounds: self.rounds)]
      let others = (other.before + [Version(digest: other.digest, rounds: other.rounds)])
        .filter { !mine.contains($0) }
        .map { Version(digest: Version.unordered, rounds: $0.rounds) }
      return Value(
        field: field, digest: digest, rounds: rounds,
        before: (mine + others).suffix(Self.versionLimit))
    }

    /// What it was before, and is: who has met any of that does not know it as it is by that.
    private var unordered: [Version] {
      (before.map(\.rounds) + [rounds]).map { Version(digest: Version.unordered, rounds: $0) }
    }

    /// The value, of a new round, where it stays though the other side has changed it, too.
    func decided(over other: Value, in rounds: SyncRounds) -> Value {
      let versions = unordered + other.unordered.filter { !unordered.contains($0) }
      return Value(
        field: field, digest: digest, rounds: rounds,
        before: versions.suffix(Self.versionLimit))
    }

    /// Versions that an equal value has not been, but for those by which the two came to be equal.
    private func versions(apartFrom other: Value) -> [Version] {
      before.filter { version in
        !other.before.contains { $0.rounds == version.rounds }
          && !(version.digest == digest && version.rounds.areContained(in: other.rounds))
      }
    }

    /// Whether it was something else where an equal value was not.
    func wasOther(apartFrom other: Value) -> Bool {
      versions(apartFrom: other).contains { $0.digest != digest }
    }

    /// The value, of a new round, where two stores came to it by themselves.
    ///
    /// Of what they had in between nobody knows the order. So who has met any of that knows the
    /// value by one that came after it.
    func joined(with other: Value, in rounds: SyncRounds) -> Value {
      let apart = (versions(apartFrom: other), other.versions(apartFrom: self))
      let common = before.compactMap { version -> Version? in
        guard other.before.contains(where: { $0.rounds == version.rounds }) else { return nil }
        if other.before.contains(version) { return version }
        return Version(digest: Version.unordered, rounds: version.rounds)
      }
      func version(_ rounds: SyncRounds) -> [Version] {
        rounds.rounds.isEmpty ? [] : [Version(digest: digest, rounds: rounds)]
      }
      let between = (apart.0 + apart.1)
        .map { Version(digest: Version.unordered, rounds: $0.rounds) }
      let versions: [Version]
      if !apart.0.isEmpty, !apart.1.isEmpty {
        versions = version(self.rounds.union(other.rounds)) + between
      } else {
        let (first, last) =
          apart.0.isEmpty ? (self.rounds, other.rounds) : (other.rounds, self.rounds)
        versions = version(first) + between + version(last.subtracting(first))
      }
      return Value(
        field: field, digest: digest, rounds: rounds,
        before: (common + versions).suffix(Self.versionLimit))
    }

    /// Notes that it has changed.
    ///
    /// - Parameters:
    ///   - rounds: those in which it was.
    ///   - between: what it was between the two.
    ///   - isWhole: whether that is all that it was: else nobody knows it by what it was before.
    mutating func change(
      to new: SyncDigest, in rounds: SyncRounds, after between: [Version] = [],
      isWhole: Bool = true
    ) {
      let versions = isWhole ? before + [Version(digest: digest, rounds: self.rounds)] : []
      before = (versions + between).suffix(Self.versionLimit)
      (digest, self.rounds) = (new, rounds)
    }

    /// Notes that it has changed as a log tells.
    ///
    /// - Parameter round: that of the sync that notes it.
    mutating func change(
      to new: SyncDigest, _ stamp: SyncOrigins.Stamp, _ round: SyncRound, isWhole: Bool = true
    ) {
      func all(_ rounds: [SyncRound]?) -> SyncRounds {
        SyncRounds(Set(rounds ?? [round]).sorted())
      }
      let between = stamp.before.map {
        Version(digest: $0.isSame ? new : Version.unordered, rounds: all($0.rounds))
      }
      change(to: new, in: all(stamp.rounds), after: between, isWhole: isWhole && stamp.isWhole)
    }

    /// The digest of a value of which only is known that it is another one.
    static let other = SyncDigest.max - 1
  }

  /// What it is known by.
  package let key: SyncKey
  /// What it is.
  package let kind: SyncKind
  /// Whether it is there; where it is not, it was deleted.
  package var isAlive: Bool
  /// The number of all its values.
  package var fingerprint: UInt64
  /// The rounds in which it came, or went.
  package var rounds: SyncRounds
  /// Its values, by their fields; one that is missing here is none, ever since the thing is there.
  ///
  /// Of a thing that was deleted those that it had, so that one which is brought back is not taken
  /// for changed in all that it has.
  package var values: [Value]

  /// A value by its field.
  package subscript(field: SyncField) -> Value {
    values.first { $0.field == field } ?? Value(field: field, digest: 0, rounds: rounds)
  }

  /// Whether it is there, as a value: of one that came and went several times, with when it did.
  var presence: Value {
    values.first { $0.field == .presence }
      ?? Value(field: .presence, digest: isAlive ? Self.there : Self.gone, rounds: rounds)
  }

  private static let (there, gone): (SyncDigest, SyncDigest) = (1, 2)

  /// The same record with when it came and went since an earlier one.
  func came(and went: [SyncOrigins.Presence], after record: SyncRecord?) -> SyncRecord {
    guard went.last?.isThere == isAlive else { return self }
    let earlier = record?.presence
    let versions =
      (earlier.map { $0.before + [.init(digest: $0.digest, rounds: $0.rounds)] } ?? [])
      + went.map {
        .init(digest: $0.isThere ? Self.there : Self.gone, rounds: SyncRounds([$0.round]))
      }
    return with(
      Value(
        field: .presence, digest: isAlive ? Self.there : Self.gone,
        rounds: versions[versions.count - 1].rounds,
        before: versions.dropLast().suffix(Value.versionLimit)))
  }

  /// The same record with another presence; nil where its rounds say it all.
  func with(_ presence: Value?) -> SyncRecord {
    var record = self
    record.values.removeAll { $0.field == .presence }
    if let presence, !presence.before.isEmpty { record.values.append(presence) }
    return record.tidied()
  }

  /// Whether a store that has met some rounds knows the thing as it is here.
  func isKnown(by met: MetRounds) -> Bool {
    presence.isKnown(by: met) && values.allSatisfy { $0.isKnown(by: met) }
  }

  /// Whether a store that has met some rounds has ever met the thing, before it was deleted and
  /// brought back, too.
  func isMet(by met: MetRounds) -> Bool {
    rounds.areKnown(by: met)
      || values.contains { value in
        value.rounds.areKnown(by: met) || value.before.contains { $0.rounds.areKnown(by: met) }
      }
  }

  /// Leaves out what need not be said.
  func tidied() -> SyncRecord {
    var record = self
    record.values = values.filter { $0.digest != 0 || $0.rounds != rounds || !$0.before.isEmpty }
      .sorted { $0.field < $1.field }
    return record
  }
}

/// A thing as it is in a store now.
package struct SyncItem: Equatable, Sendable {
  /// What it is known by.
  package let key: SyncKey
  /// What it is.
  package let kind: SyncKind
  /// The number of all its values.
  package let fingerprint: UInt64
  /// What stands for its values, those that are there, by their fields.
  package let digests: [(field: SyncField, digest: SyncDigest)]

  /// A thing with its values.
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

  /// Notes a thing as it is now in what was noted before.
  ///
  /// - Parameters:
  ///   - record: what was noted; nil for a thing that is new.
  ///   - round: that of changes that are noted now.
  /// - Returns: the new record, and whether something has changed since.
  package func noted(
    in record: SyncRecord?, _ round: SyncRound
  ) -> (record: SyncRecord, isChanged: Bool) {
    noted(in: record, nil, round)
  }

  /// The same of a thing of whose changes the store's undo log tells.
  ///
  /// - Parameter log: what it tells; nil for nothing.
  func noted(
    in record: SyncRecord?, _ log: SyncOrigins.Rounds?, _ round: SyncRound
  ) -> (record: SyncRecord, isChanged: Bool) {
    func all(_ rounds: [SyncRound]?) -> SyncRounds { SyncRounds(Set(rounds ?? [round]).sorted()) }
    let now = all(log?.made)
    // Made anew, it has nothing that it had before.
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
      // What a later version of the program noted is nothing that could have changed here.
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

extension SyncRecord {
  /// The record of the same thing under another key.
  func known(by key: SyncKey) -> SyncRecord {
    SyncRecord(
      key: key, kind: kind, isAlive: isAlive, fingerprint: fingerprint, rounds: rounds,
      values: values)
  }

  /// The record of a thing that was deleted since.
  ///
  /// - Parameter log: what a log tells of how it was changed before; what it was then, it does not.
  func deleted(in round: SyncRound, after log: SyncOrigins.Rounds? = nil) -> SyncRecord {
    var values = values.filter { $0.field != .presence }
    for field in SyncField.single {
      if !values.contains(where: { $0.field == field }) { values.append(self[field]) }
    }
    for index in values.indices {
      guard let stamp = log?.changed[values[index].field] else { continue }
      values[index].change(to: Value.other, stamp, round)
    }
    let record = SyncRecord(
      key: key, kind: kind, isAlive: false, fingerprint: 0, rounds: SyncRounds([round]),
      values: values)
    return record.tidied()
  }
}

extension [SyncRecord.Value.Version] {
  /// An order of what values were before: the longer one last.
  func isBefore(_ other: Self) -> Bool {
    guard count == other.count else { return count < other.count }
    for (one, other) in zip(self, other) where one != other {
      return one.digest == other.digest
        ? one.rounds.rounds.lexicographicallyPrecedes(other.rounds.rounds)
        : one.digest < other.digest
    }
    return false
  }
}
