/// The state of an object at a store's last sync: the digests of its values, and the rounds in
/// which they were set.
package struct SyncRecord: Equatable, Sendable {
  /// The record of a value.
  package struct Value: Equatable, Sendable {
    /// The field.
    package let field: SyncField
    /// The digest; 0 for no value.
    package var digest: SyncDigest
    /// The rounds in which the value was set.
    package var rounds: SyncRounds
    /// The earlier versions, the latest last, as far as they were recorded and kept.
    ///
    /// A value that was changed and changed back, as by an undo, is unchanged for a store that has
    /// not seen the change.
    package var before: [Version] = []

    /// An earlier version of a value.
    package struct Version: Hashable, Sendable {
      let digest: SyncDigest
      let rounds: SyncRounds

      /// The digest of a version that equals no value, since the order of changes is unknown.
      static let unordered = SyncDigest.max
    }

    /// The maximum number of versions kept.
    static let versionLimit = 8

    /// The rounds of the value and of its earlier versions.
    var allRounds: Set<SyncRound> {
      before.reduce(into: Set(rounds.rounds)) { $0.formUnion($1.rounds.rounds) }
    }

    /// Whether a store that has seen some rounds knows the value: the last version that it has seen
    /// is equal.
    func isKnown(by seen: SeenRounds) -> Bool {
      if rounds.areKnown(by: seen) { return true }
      return before.last { $0.rounds.areKnown(by: seen) }?.digest == digest
    }

    /// Returns the value with a new round, for when it wins over another value of whose changes its
    /// side has not seen all.
    ///
    /// The order of the two sides' changes is unknown. A store that has seen any change made only
    /// to the other value therefore knows this one by the new round only: with both values at hand
    /// it might have decided differently.
    func taken(over other: Value, in rounds: SyncRounds) -> Value {
      let mine = before + [Version(digest: digest, rounds: self.rounds)]
      let others = (other.before + [Version(digest: other.digest, rounds: other.rounds)])
        .filter { !mine.contains($0) }
        .map { Version(digest: Version.unordered, rounds: $0.rounds) }
      return Value(
        field: field, digest: digest, rounds: rounds,
        before: (mine + others).suffix(Self.versionLimit))
    }

    /// The current and earlier versions, marked so that a store which has seen one of them does not
    /// know the value by it.
    private var unordered: [Version] {
      (before.map(\.rounds) + [rounds]).map { Version(digest: Version.unordered, rounds: $0) }
    }

    /// Returns the value with a new round, for when it wins though the other side has changed it
    /// too.
    func decided(over other: Value, in rounds: SyncRounds) -> Value {
      let versions = unordered + other.unordered.filter { !unordered.contains($0) }
      return Value(
        field: field, digest: digest, rounds: rounds,
        before: versions.suffix(Self.versionLimit))
    }

    /// Returns the versions that an equal value did not have, except those through which the two
    /// became equal.
    private func versions(apartFrom other: Value) -> [Version] {
      before.filter { version in
        !other.before.contains { $0.rounds == version.rounds }
          && !(version.digest == digest && version.rounds.areContained(in: other.rounds))
      }
    }

    /// Whether the value was different at a time when an equal value was not.
    func wasOther(apartFrom other: Value) -> Bool {
      versions(apartFrom: other).contains { $0.digest != digest }
    }

    /// Returns the value with a new round, for when two stores arrived at it independently.
    ///
    /// The order of the versions in between is unknown. A store that has seen any of them therefore
    /// knows the value only by a later round.
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

    /// Records that the value has changed.
    ///
    /// - Parameters:
    ///   - rounds: the rounds of the change.
    ///   - between: the versions between the former value and the new one.
    ///   - isWhole: whether these are all versions; if not, no store knows the value by an
    ///     earlier one.
    mutating func change(
      to new: SyncDigest, in rounds: SyncRounds, after between: [Version] = [],
      isWhole: Bool = true
    ) {
      let versions = isWhole ? before + [Version(digest: digest, rounds: self.rounds)] : []
      before = (versions + between).suffix(Self.versionLimit)
      (digest, self.rounds) = (new, rounds)
    }

    /// Records a change that the undo log contains.
    ///
    /// - Parameter round: the round of the sync that records it.
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

    /// The digest of a value of which it is known only that it differs.
    static let other = SyncDigest.max - 1
  }

  /// The object's key.
  package let key: SyncKey
  /// The object's type.
  package let kind: SyncKind
  /// Whether the object exists; if not, it was deleted.
  package var isAlive: Bool
  /// The fingerprint of all its values.
  package var fingerprint: UInt64
  /// The rounds in which it was inserted or deleted.
  package var rounds: SyncRounds
  /// Its values, sorted by field; a missing field has had no value since the object was inserted.
  ///
  /// For a deleted object these are its last values, so that an object which is inserted again does
  /// not count as changed in all of them.
  package var values: [Value]

  /// Returns the value of a field.
  package subscript(field: SyncField) -> Value {
    values.first { $0.field == field } ?? Value(field: field, digest: 0, rounds: rounds)
  }

  /// The object's existence as a value, whose versions are its earlier insertions and deletions.
  var presence: Value {
    values.first { $0.field == .presence }
      ?? Value(field: .presence, digest: isAlive ? Self.there : Self.gone, rounds: rounds)
  }

  private static let (there, gone): (SyncDigest, SyncDigest) = (1, 2)

  /// Returns the record with the insertions and deletions since an earlier record.
  func came(and went: [SyncOrigins.Presence], after record: SyncRecord?) -> SyncRecord {
    guard went.last?.exists == isAlive else { return self }
    let earlier = record?.presence
    let versions =
      (earlier.map { $0.before + [.init(digest: $0.digest, rounds: $0.rounds)] } ?? [])
      + went.map {
        .init(digest: $0.exists ? Self.there : Self.gone, rounds: SyncRounds([$0.round]))
      }
    return with(
      Value(
        field: .presence, digest: isAlive ? Self.there : Self.gone,
        rounds: versions[versions.count - 1].rounds,
        before: versions.dropLast().suffix(Value.versionLimit)))
  }

  /// Returns the record with another presence; nil if the record's rounds express it.
  func with(_ presence: Value?) -> SyncRecord {
    var record = self
    record.values.removeAll { $0.field == .presence }
    if let presence, !presence.before.isEmpty { record.values.append(presence) }
    return record.tidied()
  }

  /// Whether a store that has seen some rounds knows the object in this state.
  func isKnown(by seen: SeenRounds) -> Bool {
    presence.isKnown(by: seen) && values.allSatisfy { $0.isKnown(by: seen) }
  }

  /// Whether a store that has seen some rounds has ever seen the object, including before it was
  /// deleted and inserted again.
  func isSeen(by seen: SeenRounds) -> Bool {
    rounds.areKnown(by: seen)
      || values.contains { value in
        value.rounds.areKnown(by: seen) || value.before.contains { $0.rounds.areKnown(by: seen) }
      }
  }

  /// Returns the record without redundant values.
  func tidied() -> SyncRecord {
    var record = self
    record.values = values.filter { $0.digest != 0 || $0.rounds != rounds || !$0.before.isEmpty }
      .sorted { $0.field < $1.field }
    return record
  }
}

extension SyncRecord {
  /// The rounds of all its values and of their earlier versions.
  var allRounds: Set<SyncRound> {
    values.reduce(into: Set(rounds.rounds)) { $0.formUnion($1.allRounds) }
  }

  /// Whether a walk refers to one of some dogs, walkers or tags.
  ///
  /// - Parameters:
  ///   - digests: the digests of the dogs and walkers as values of walks.
  ///   - elements: the elements of the tags' fields.
  func refers(to digests: Set<SyncDigest>, _ elements: Set<UInt64>) -> Bool {
    values.contains { value in
      switch value.field.name {
      case .dog, .walker: digests.contains(value.digest)
      case .tags: value.digest != 0 && elements.contains(value.field.element)
      default: false
      }
    }
  }

  /// Returns the record under another key.
  func known(by key: SyncKey) -> SyncRecord {
    SyncRecord(
      key: key, kind: kind, isAlive: isAlive, fingerprint: fingerprint, rounds: rounds,
      values: values)
  }

  /// Returns the record of an object that was deleted since.
  ///
  /// - Parameter log: the changes before the deletion; the log gives their rounds but not their
  ///   values.
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
  /// Whether these versions sort before others: by count, then by the first difference.
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
