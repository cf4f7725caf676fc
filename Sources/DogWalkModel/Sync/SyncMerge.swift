/// Which of two stores.
package enum SyncSide: Sendable {
  /// The store that a sync was called with.
  case here
  /// The other one.
  case there

  /// The other one of the two.
  package var other: SyncSide { self == .here ? .there : .here }
}

/// Puts two stores' versions of a thing together.
///
///     let merge = SyncMerge(here: known, there: othersKnown, round: .random(in: 1 ... .max))
///     let outcome = merge.outcome(record, othersRecord)
///
/// Each side's changes are noted before. What one side changed on top of what the other one has is
/// known by its rounds: a side that knows the round of the other's value has met it, so its own
/// value is the newer one. So has one that met it when it was the same before, and nothing since
/// (``SyncRecord/Value/before``). No clock is asked. Where neither knows the other's, both were
/// changed, and the value there stays. The outcome is a new round, so that further stores take it
/// for newer than either; where all have met, all are equal.
package struct SyncMerge: Sendable {
  /// The rounds that each store knows.
  package let here: Set<SyncRound>
  /// The rounds that the other one knows.
  package let there: Set<SyncRound>
  /// Those of them that they have not met in some things.
  package let unmet: (here: [SyncKey: Set<SyncRound>], there: [SyncKey: Set<SyncRound>])
  /// The round of what is decided now.
  package let round: SyncRound
  /// Whether they are copies of one store, so that what one lacks may have been taken away.
  package let areCopies: Bool

  /// What becomes of a thing.
  package struct Outcome: Equatable, Sendable {
    /// What both stores note.
    package var record: SyncRecord
    /// The values that differ, and whose stays.
    package var taken: [(field: SyncField, from: SyncSide)] = []
    /// Those that both changed.
    package var conflicts: [SyncField] = []
    /// Whether nobody can tell which side has changed what differs, so that one of them may have
    /// changed nothing.
    package var isFirst = false
    /// Where it is made, or was deleted; nil where both have it, or neither.
    package var change: Change?
    /// Whether something was decided that no round of before says.
    package var isDecided = false

    /// What becomes of a thing that one side has.
    package enum Change: Equatable, Sendable {
      /// It is made on a side.
      case make(SyncSide)
      /// It is made on a side that has deleted it, since it was changed on the other.
      case keep(SyncSide)
      /// It is deleted on a side.
      case delete(SyncSide)
    }

    package static func == (one: Outcome, other: Outcome) -> Bool {
      one.record == other.record && one.conflicts == other.conflicts
        && one.change == other.change
        && one.taken.elementsEqual(other.taken) { $0 == $1 }
    }
  }

  /// A merge of two stores.
  package init(
    here: Set<SyncRound>, there: Set<SyncRound>, round: SyncRound, areCopies: Bool = false,
    unmet: (here: [SyncKey: Set<SyncRound>], there: [SyncKey: Set<SyncRound>]) = ([:], [:])
  ) {
    self.here = here
    self.there = there
    self.unmet = unmet
    self.round = round
    self.areCopies = areCopies
  }

  /// What becomes of a thing that at least one side has noted.
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

  /// The rounds that a side has met in a thing.
  package func met(_ key: SyncKey, on side: SyncSide) -> MetRounds {
    switch side {
    case .here: MetRounds(known: here, unmet: unmet.here[key] ?? [])
    case .there: MetRounds(known: there, unmet: unmet.there[key] ?? [])
    }
  }

  /// The rounds that neither side has met in some things, though one of them knows them.
  package var unmetRounds: [SyncKey: Set<SyncRound>] {
    var found: [SyncKey: Set<SyncRound>] = [:]
    for key in Set(unmet.here.keys).union(unmet.there.keys) {
      let (mine, others) = (met(key, on: .here), met(key, on: .there))
      let rounds = mine.unmet.union(others.unmet)
        .filter { !mine.contains($0) && !others.contains($0) }
      if !rounds.isEmpty { found[key] = rounds }
    }
    return found
  }

  /// Of equal values' rounds those that further stores are to know it by.
  private func newer(_ mine: SyncRounds, _ others: SyncRounds, of key: SyncKey) -> SyncRounds {
    guard mine != others else { return mine }
    switch (
      mine.areKnown(by: met(key, on: .there)), others.areKnown(by: met(key, on: .here))
    ) {
    case (true, false): return others
    case (false, true): return mine
    case (true, true), (false, false): return mine.union(others)
    }
  }

  /// When a thing came and went that both sides have, or both have deleted.
  private func presence(_ mine: SyncRecord, _ others: SyncRecord) -> SyncRecord.Value? {
    let (one, other) = (mine.presence, others.presence)
    guard one != other else { return one }
    switch (
      one.rounds.areAllKnown(by: met(mine.key, on: .there)),
      other.rounds.areAllKnown(by: met(mine.key, on: .here))
    ) {
    case (true, false): return other
    case (false, true): return one
    case (true, true), (false, false): return nil
    }
  }

  /// Of equal values the one that further stores are to know it by.
  ///
  /// Where neither side has met all that made the other one what it is, and either was something
  /// else in between, who knows one of the two need not know it as it is: it gets a round of its
  /// own.
  private func equal(
    _ mine: SyncRecord.Value, _ others: SyncRecord.Value,
    in met: (here: MetRounds, there: MetRounds), _ outcome: inout Outcome
  ) -> SyncRecord.Value {
    if mine.rounds != others.rounds {
      let (isMineMet, isOthersMet) = (
        mine.rounds.areKnown(by: met.there), others.rounds.areKnown(by: met.here)
      )
      if !isOthersMet, mine.rounds.areAllKnown(by: met.there) { return others }
      if !isMineMet, others.rounds.areAllKnown(by: met.here) { return mine }
      if mine.wasOther(apartFrom: others) || others.wasOther(apartFrom: mine) {
        outcome.isDecided = true
        return mine.joined(with: others, in: SyncRounds([round]))
      }
    }
    var value = mine
    value.rounds = mine.rounds.union(others.rounds)
    // The same on both sides, or two syncs could hand each other theirs for ever.
    if mine.before.isBefore(others.before) { value.before = others.before }
    return value
  }

  /// A value that is newer than the other side's, as both note it.
  ///
  /// - Parameter met: what its own side has met: not all that made the other one what it is, where
  ///   that was changed and is as it was, or where stores came to it by themselves. Further stores
  ///   may have met only what this side has not, so the value gets a round of its own.
  private func newer(
    _ value: SyncRecord.Value, than other: SyncRecord.Value, knowing met: MetRounds,
    _ outcome: inout Outcome
  ) -> SyncRecord.Value {
    guard !other.rounds.areAllKnown(by: met) else { return value }
    outcome.isDecided = true
    return value.taken(over: other, in: SyncRounds([round]))
  }

  private func outcome(alive: SyncRecord, on side: SyncSide, dead: SyncRecord) -> Outcome {
    // Who has it knows that it was deleted: it was brought back.
    let isBack = dead.presence.isKnown(by: met(dead.key, on: side))
    if !isBack, alive.isKnown(by: met(alive.key, on: side.other)) {
      return Outcome(record: dead, change: .delete(side))
    }
    // Both know of the deletion now, so whoever else has deleted it finds it newer than that.
    var outcome = Outcome(record: alive, change: isBack ? .make(side.other) : .keep(side.other))
    // Who has met what the other side had by itself may not have met what stays here.
    let (here, there) = (met(alive.key, on: side), met(alive.key, on: side.other))
    for other in dead.values where other.field != .presence {
      let value = alive[other.field]
      let stays =
        value.digest == other.digest
        ? equal(value, other, in: (here, there), &outcome)
        : value.isKnown(by: there) ? value : newer(value, than: other, knowing: here, &outcome)
      outcome.record.values.removeAll { $0.field == other.field }
      outcome.record.values.append(stays)
    }
    outcome.record = outcome.record.tidied()
    return outcome
  }

  private func merged(_ mine: SyncRecord, _ others: SyncRecord) -> Outcome {
    var outcome = Outcome(record: mine)
    outcome.record.rounds = newer(mine.rounds, others.rounds, of: mine.key)
    let (here, there) = (met(mine.key, on: .here), met(mine.key, on: .there))
    // Neither has ever met the other's: nobody can have changed what the other one lacks.
    let isFirst = !mine.isMet(by: there) && !others.isMet(by: here)
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
          // One has met all of the other's, that it was taken back, too.
          let side: SyncSide = one.rounds.areAllKnown(by: there) ? .there : .here
          value = side == .here ? one : other
          outcome.taken.append((field, side))
        case (let isKnown, _):
          // Copies may have changed a value with no log that remembers it.
          if isKnown { outcome.isFirst = true }
          // What was taken away has a round of its own, what was never there has the thing's.
          let (wasMine, wasOthers) = (one.rounds != mine.rounds, other.rounds != others.rounds)
          let isLacking =
            isFirst && !areCopies && !(one.digest == 0 ? wasMine : other.digest == 0 && wasOthers)
            || field.name == .tags
          var side: SyncSide = isLacking && other.digest == 0 ? .here : .there
          if field.name == .tags, wasMine != wasOthers { side = wasMine ? .here : .there }
          value = side == .here ? one : other
          // Who has met either may have decided otherwise.
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

  /// The fields of two records, in order, each once.
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
