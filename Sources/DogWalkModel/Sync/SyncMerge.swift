/// Merges two stores' versions of an object.
///
///     let merge = SyncMerge(here: known, there: othersKnown, round: .random(in: 1 ... .max))
///     let outcome = merge.outcome(record, othersRecord)
///
/// Each side's changes are recorded first. A change that one side made on top of the other side's
/// value is recognized by its rounds: a side that knows the round of the other's value has seen
/// that value, so its own is newer. The same holds if the side has seen an earlier version with the
/// same value and nothing since (``SyncRecord/Value/before``). No clock is consulted. If neither
/// side knows the other's value, both have changed it, and the value of the other store wins. The
/// outcome gets a new round, so that further stores take it to be newer than either. When all
/// stores have synced, all are equal.
package struct SyncMerge: Sendable {
  /// The rounds that this store knows.
  package let here: Set<SyncRound>
  /// The rounds that the other store knows.
  package let there: Set<SyncRound>
  /// Those of them that the stores have not seen for some objects.
  package let unseen: (here: [SyncKey: Set<SyncRound>], there: [SyncKey: Set<SyncRound>])
  /// The round for conflicts that are decided now.
  package let round: SyncRound
  /// Whether the two are copies of one store, so that a missing value may have been removed.
  package let areCopies: Bool

  /// The outcome for an object.
  package struct Outcome: Equatable, Sendable {
    /// The record that both stores keep.
    package var record: SyncRecord
    /// The values that differ, and the side whose value wins.
    package var taken: [(field: SyncField, from: SyncSide)] = []
    /// The values that both sides changed.
    package var conflicts: [SyncField] = []
    /// Whether it is unknown which side has changed the values that differ, so that one of them may
    /// have changed nothing.
    package var isFirst = false
    /// The side on which the object is inserted or deleted; nil if both have it, or neither.
    package var change: Change?
    /// Whether something was decided that no earlier round expresses.
    package var isDecided = false
    /// Rounds of newer values that were lost with the object on the side that deleted it: neither
    /// side has seen them now.
    package var unseen: Set<SyncRound> = []

    /// The outcome for an object that exists on one side only.
    package enum Change: Equatable, Sendable {
      /// The object is inserted on a side.
      case make(SyncSide)
      /// The object is inserted again on the side that deleted it, since the other side changed it.
      case keep(SyncSide)
      /// The object is deleted on a side.
      case delete(SyncSide)
    }

    package static func == (one: Outcome, other: Outcome) -> Bool {
      one.record == other.record && one.conflicts == other.conflicts
        && one.change == other.change
        && one.taken.elementsEqual(other.taken) { $0 == $1 }
    }
  }

  /// Creates a merge of two stores.
  package init(
    here: Set<SyncRound>, there: Set<SyncRound>, round: SyncRound, areCopies: Bool = false,
    unseen: (here: [SyncKey: Set<SyncRound>], there: [SyncKey: Set<SyncRound>]) = ([:], [:])
  ) {
    self.here = here
    self.there = there
    self.unseen = unseen
    self.round = round
    self.areCopies = areCopies
  }

  /// Returns the outcome for an object of which at least one side has a record; nil if neither has.
  package func outcome(_ mine: SyncRecord?, _ others: SyncRecord?) -> Outcome? {
    switch (mine, others) {
    case (nil, nil): return nil
    case (let mine?, nil):
      return Outcome(record: mine, change: mine.isAlive ? .make(.there) : nil)
    case (nil, let others?):
      return Outcome(record: others, change: others.isAlive ? .make(.here) : nil)
    case (let mine?, let others?):
      switch (mine.isAlive, others.isAlive) {
      case (true, true): return merged(mine, others)
      case (false, false):
        var record = mine
        record.rounds = newer(mine.rounds, others.rounds, of: mine.key)
        return Outcome(record: record.with(presence(mine, others)))
      case (true, false): return outcome(alive: mine, on: .here, dead: others)
      case (false, true): return outcome(alive: others, on: .there, dead: mine)
      }
    }
  }

  /// Returns the rounds that a side has seen for an object.
  package func seen(_ key: SyncKey, on side: SyncSide) -> SeenRounds {
    switch side {
    case .here: SeenRounds(known: here, unseen: unseen.here[key] ?? [])
    case .there: SeenRounds(known: there, unseen: unseen.there[key] ?? [])
    }
  }

  /// The rounds that neither side has seen for some objects, though at least one of them knows
  /// them.
  package var unseenRounds: [SyncKey: Set<SyncRound>] {
    var found: [SyncKey: Set<SyncRound>] = [:]
    for key in Set(unseen.here.keys).union(unseen.there.keys) {
      let (mine, others) = (seen(key, on: .here), seen(key, on: .there))
      let rounds = mine.unseen.union(others.unseen)
        .filter { !mine.contains($0) && !others.contains($0) }
      if !rounds.isEmpty { found[key] = rounds }
    }
    return found
  }

  /// Returns the rounds by which further stores identify one of two equal values.
  private func newer(_ mine: SyncRounds, _ others: SyncRounds, of key: SyncKey) -> SyncRounds {
    guard mine != others else { return mine }
    switch (
      mine.areKnown(by: seen(key, on: .there)), others.areKnown(by: seen(key, on: .here))
    ) {
    case (true, false): return others
    case (false, true): return mine
    case (true, true), (false, false): return mine.union(others)
    }
  }

  /// Returns the presence of an object that both sides have, or that both have deleted.
  private func presence(_ mine: SyncRecord, _ others: SyncRecord) -> SyncRecord.Value? {
    let (one, other) = (mine.presence, others.presence)
    guard one != other else { return one }
    switch (
      one.rounds.areAllKnown(by: seen(mine.key, on: .there)),
      other.rounds.areAllKnown(by: seen(mine.key, on: .here))
    ) {
    case (true, false): return other
    case (false, true): return one
    case (true, true), (false, false): return nil
    }
  }

  /// Returns the one of two equal values by which further stores identify it.
  ///
  /// If neither side has seen all rounds of the other's value, and either value was different in
  /// between, a store that knows one of the two need not know the current value: it then gets a
  /// round of its own.
  private func equal(
    _ mine: SyncRecord.Value, _ others: SyncRecord.Value,
    in seen: (here: SeenRounds, there: SeenRounds), _ outcome: inout Outcome
  ) -> SyncRecord.Value {
    if mine.rounds != others.rounds {
      let (isMineSeen, areOthersSeen) = (
        mine.rounds.areKnown(by: seen.there), others.rounds.areKnown(by: seen.here)
      )
      if !areOthersSeen, mine.rounds.areAllKnown(by: seen.there) { return others }
      if !isMineSeen, others.rounds.areAllKnown(by: seen.here) { return mine }
      if mine.wasOther(apartFrom: others) || others.wasOther(apartFrom: mine) {
        outcome.isDecided = true
        return mine.joined(with: others, in: SyncRounds([round]))
      }
    }
    var value = mine
    value.rounds = mine.rounds.union(others.rounds)
    // The choice must be the same on both sides, or two syncs could exchange their values for ever.
    if mine.before.isBefore(others.before) { value.before = others.before }
    return value
  }

  /// Returns a value that is newer than the other side's, as both record it.
  ///
  /// - Parameter seen: the rounds that its own side has seen. They do not include all rounds of
  ///   the other value if that was changed and changed back, or if stores arrived at it
  ///   independently. Further stores may have seen only the rounds that this side has not, so the
  ///   value then gets a round of its own.
  private func newer(
    _ value: SyncRecord.Value, than other: SyncRecord.Value, knowing seen: SeenRounds,
    _ outcome: inout Outcome
  ) -> SyncRecord.Value {
    guard !other.rounds.areAllKnown(by: seen) else { return value }
    outcome.isDecided = true
    return value.taken(over: other, in: SyncRounds([round]))
  }

  private func outcome(alive: SyncRecord, on side: SyncSide, dead: SyncRecord) -> Outcome {
    // The side that has the object knows of the deletion: the object was inserted again.
    let isBack = dead.presence.isKnown(by: seen(dead.key, on: side))
    if !isBack, alive.isKnown(by: seen(alive.key, on: side.other)) {
      return Outcome(record: dead, change: .delete(side))
    }
    // Both sides know of the deletion now, so for any other store that deleted it this is newer.
    var outcome = Outcome(record: alive, change: isBack ? .make(side.other) : .keep(side.other))
    // A store that has seen the other side's own versions may not have seen the value that wins
    // here.
    let (here, there) = (seen(alive.key, on: side), seen(alive.key, on: side.other))
    for other in dead.values where other.field != .presence {
      let value = alive[other.field]
      let stays: SyncRecord.Value
      if value.digest == other.digest {
        stays = equal(value, other, in: (here, there), &outcome)
      } else if value.isKnown(by: there) {
        stays = value
        // A store that still has the newer value must not count as having seen this one's side.
        outcome.unseen.formUnion(other.allRounds.subtracting(value.allRounds))
      } else {
        stays = newer(value, than: other, knowing: here, &outcome)
      }
      outcome.record.values.removeAll { $0.field == other.field }
      outcome.record.values.append(stays)
    }
    outcome.record = outcome.record.tidied()
    return outcome
  }

  private func merged(_ mine: SyncRecord, _ others: SyncRecord) -> Outcome {
    var outcome = Outcome(record: mine)
    outcome.record.rounds = newer(mine.rounds, others.rounds, of: mine.key)
    let (here, there) = (seen(mine.key, on: .here), seen(mine.key, on: .there))
    // Neither side has seen any version of the other: a value missing on one side was not removed
    // there.
    let isFirst = !mine.isSeen(by: there) && !others.isSeen(by: here)
    outcome.isFirst = isFirst
    outcome.record.values = []
    for field in Self.fields(mine, others) where field != .presence {
      let (one, other) = (mine[field], others[field])
      var value = one
      if one.digest == other.digest {
        value = equal(one, other, in: (here, there), &outcome)
      } else {
        switch (one.isKnown(by: there), other.isKnown(by: here)) {
        case (true, false):
          value = newer(other, than: one, knowing: there, &outcome)
          outcome.taken.append((field, .there))
        case (false, true):
          value = newer(one, than: other, knowing: here, &outcome)
          outcome.taken.append((field, .here))
        case (true, true)
        where one.rounds.areAllKnown(by: there) != other.rounds.areAllKnown(by: here):
          // One side has seen all rounds of the other's value, including an undo.
          let side: SyncSide = one.rounds.areAllKnown(by: there) ? .there : .here
          value = side == .here ? one : other
          outcome.taken.append((field, side))
        case (let isKnown, _):
          // Copies may have changed a value without an undo log.
          if isKnown { outcome.isFirst = true }
          // A removed value has a round of its own; a value that never existed has the object's.
          let (wasMine, wasOthers) = (one.rounds != mine.rounds, other.rounds != others.rounds)
          let isLacking =
            isFirst && !areCopies && !(one.digest == 0 ? wasMine : other.digest == 0 && wasOthers)
            || field.name == .tags
          var side: SyncSide = isLacking && other.digest == 0 ? .here : .there
          if field.name == .tags, wasMine != wasOthers { side = wasMine ? .here : .there }
          value = side == .here ? one : other
          // A store that has seen either value may have decided differently.
          value = value.decided(over: side == .here ? other : one, in: SyncRounds([round]))
          outcome.taken.append((field, side))
          outcome.isDecided = true
          if !isLacking || one.digest != 0 && other.digest != 0 { outcome.conflicts.append(field) }
        }
      }
      outcome.record.values.append(value)
    }
    outcome.record = outcome.record.with(presence(mine, others))
    return outcome
  }

  /// Returns the fields of two records in order, each once.
  private static func fields(_ one: SyncRecord, _ other: SyncRecord) -> [SyncField] {
    var fields: [SyncField] = []
    var (left, right) = (one.values[...], other.values[...])
    while let field = [left.first?.field, right.first?.field].compactMap({ $0 }).min() {
      if left.first?.field == field { left.removeFirst() }
      if right.first?.field == field { right.removeFirst() }
      fields.append(field)
    }
    return fields
  }
}
