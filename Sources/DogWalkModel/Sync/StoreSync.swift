import ManagedObjects
import SystemLibraries

/// Exchanges the changes between two stores, once.
///
///     let names = SyncNames(log: "walks.sqlite", other: "others.sqlite", at: Date())
///     let report = try StoreSync.run(log, other, with: names) { _ in /* put it in its place */ }
///     report.here.added.count   // walks that came
///
/// First the changes here are recorded in a transaction of their own: if the rest is interrupted,
/// the next sync knows them by the same round. Then the two stores are merged under the write lock
/// here, the other store is written, and this one last. After an interruption between the two, the
/// next sync finds the other store ahead, and nothing else differs.
package struct StoreSync {
  var mine: SyncedStore
  let others: SyncedStore
  /// The round for conflicts that this sync decides.
  private let round = SyncRound.random(in: 1 ... .max)
  /// Whether the two are copies of one store.
  private let areCopies: Bool
  var report = SyncReport()
  /// The outcome of each object that has changed on either side.
  var outcomes: [SyncKey: SyncMerge.Outcome] = [:]
  var order: [SyncKey] = []
  /// Objects that an undo removed from one side and that the other side does not have.
  private var withdrawn: [SyncKey] = []
  /// The objects that the report already retains.
  var held: Set<ObjectIdentifier> = []
  /// The previous records of objects that are to be deleted.
  private(set) var deletedRecords: [SyncKey: SyncRecord] = [:]
  /// Deleted dogs that become one with the dog that has their name now, since they keep walks.
  let joinedDeletedDogs: Set<SyncKey>
  /// Dogs that are deleted on one side, and whose name another dog has.
  var deletedTwins: Set<SyncKey> = []
  /// Those of them that keep walks.
  var deletedTwinsWithWalks: Set<SyncKey> = []
  /// Contexts that read the stored values from before any change.
  let before: (here: ManagedObjectContext, there: ManagedObjectContext)

  /// Syncs two stores.
  ///
  /// - Parameters:
  ///   - here: the caller's store, opened for writing unless it is a dry run.
  ///   - there: the other store, opened likewise.
  ///   - names: the names that the stores keep for each other, to list the stores synced with.
  ///   - isDryRun: whether nothing is written.
  ///   - finish: called after the other store is written and before this one is, with whether the
  ///     other one has anything new. If it throws, nothing changes here.
  /// - Throws: `PersistentStoreError`, `SyncError`, and any error of the closure.
  package static func run(
    _ here: WalkLog, _ there: WalkLog, with names: SyncNames, isDryRun: Bool = false,
    finish: (Bool) throws -> Void
  ) throws -> SyncReport {
    if isDryRun {
      return try here.performReading {
        try there.performReading {
          var sync = try planned(SyncedStore(here, beside: there), there)
          try sync.apply()
          return sync.report
        }
      }
    }
    there.begin(names.othersCommand, at: names.date, by: names.author)
    here.begin(names.command, at: names.date, by: names.author)
    guard there.isWrittenBefore(here, names) else {
      return try runInTurn(here, there, with: names, finish: finish)
    }
    // A save there commits at once, before the one here; if only records change there, they are
    // committed last.
    return try there.performWriting { try runInTurn(here, there, with: names, finish: finish) }
  }

  private static func runInTurn(
    _ here: WalkLog, _ there: WalkLog, with names: SyncNames, finish: (Bool) throws -> Void
  ) throws -> SyncReport {
    var history: SyncOrigins?
    var isDamaged = false
    let report = try here.performWriting { () -> SyncReport? in
      let store = try SyncedStore(here, beside: there)
      try store.readNames()
      history = store.history
      isDamaged = store.memory.isDamaged
      try store.read()
      // Without changes there is nothing to commit before the rest.
      guard let values = try store.recordedChanges() else {
        return try exchange(store, there, with: names, finish: finish)
      }
      try here.keep(values)
      return nil
    }
    if let report { return report }
    here.context.reset()
    var exchanged = try here.performWriting {
      try exchange(
        SyncedStore(here, beside: there, history: history), there, with: names, finish: finish)
    }
    // They have been replaced before the exchange.
    if isDamaged { exchanged.damagedRecords.insert(.here) }
    return exchanged
  }

  /// Merges both stores and writes the other one and then this one, in a transaction that has begun
  /// here.
  private static func exchange(
    _ here: SyncedStore, _ there: WalkLog, with names: SyncNames, finish: (Bool) throws -> Void
  ) throws -> SyncReport {
    var sync: StoreSync?
    try there.performWriting {
      var new = try planned(here, there)
      try new.apply()
      // This side is saved once the other one has committed, so it is validated before.
      try here.log.validateChanges()
      try new.write(.there, names)
      sync = new
    }
    guard var sync else { fatalError("The body has run.") }
    try finish(sync.report.writesToOtherStore)
    try sync.write(.here, names)
    return sync.report
  }

  /// Returns a sync with its plan.
  ///
  /// - Parameter here: this side's store, read already or not.
  private static func planned(_ here: SyncedStore, _ there: WalkLog) throws -> StoreSync {
    var sync = try StoreSync(here, there)
    try sync.plan()
    guard !sync.deletedTwinsWithWalks.isEmpty else { return sync }
    // A dog that was to be deleted has walks, and another one has its name: they become one.
    here.context.rollback()
    there.context.rollback()
    let store = try SyncedStore(here.log, beside: there, history: here.history)
    sync = try StoreSync(store, there, joinedDeletedDogs: sync.deletedTwinsWithWalks)
    try sync.plan()
    return sync
  }

  /// - Parameters:
  ///   - here: this side's store, read already or not.
  ///   - joinedDeletedDogs: deleted dogs that become one with the dog that has their name now.
  private init(
    _ here: SyncedStore, _ there: WalkLog, joinedDeletedDogs: Set<SyncKey> = []
  ) throws {
    self.joinedDeletedDogs = joinedDeletedDogs
    others = try SyncedStore(there, beside: here.log)
    let aliases = here.memory.aliases.merging(others.memory.aliases) { one, other in
      min(one, other)
    }
    // The walks were read with the former keys of their dogs.
    mine =
      here.isRead && here.memory.aliases != aliases ? try here.anew(beside: there) : here
    before = (here.log.anotherContext(), there.anotherContext())
    if !mine.isRead || mine.memory.aliases != aliases {
      mine.memory.aliases = aliases
      try mine.readNames()
    }
    others.memory.aliases = aliases
    try others.readNames()
    areCopies = here.log.store.identifier == there.store.identifier
  }

  func store(_ side: SyncSide) -> SyncedStore { side == .here ? mine : others }

  // MARK: Planning

  private mutating func plan() throws {
    let (round, othersRound) = (SyncRound.random(in: 1 ... .max), SyncRound.random(in: 1 ... .max))
    addSeenRounds()
    // Only those of earlier syncs: the dogs that this sync merges are in `joinedDogs`.
    for pair in mine.absorbed + others.absorbed
    where !report.absorbedDogs.contains(where: { $0 == pair }) {
      report.absorbedDogs.append(pair)
    }
    try joinDogs(round, othersRound)
    if !mine.isRead { try mine.read() }
    try others.read()
    addSeenRounds()
    for conflict in mine.droppedValues + others.droppedValues
    where !report.conflicts.contains(conflict) {
      report.conflicts.append(conflict)
    }
    if mine.memory.isDamaged { report.damagedRecords.insert(.here) }
    if others.memory.isDamaged { report.damagedRecords.insert(.there) }
    report.leftOut = mine.incompleteCount + others.incompleteCount
    for kind in Array(mine.nameless.values) + Array(others.nameless.values) {
      report.nameless[kind, default: 0] += 1
    }
    let (changed, isChanged) = try mine.noted(round)
    let (othersChanged, areOthersChanged) = try others.noted(othersRound)
    if isChanged { mine.memory.known.insert(round) }
    if areOthersChanged { others.memory.known.insert(othersRound) }
    let merge = merge()
    let leftOut = mine.leftOutKeys.union(others.leftOutKeys)
    let nameless = mine.nameless.merging(others.nameless) { one, _ in one }
    let namelessDigests = Set(
      nameless.keys.flatMap { key in
        [SyncField(.dog), SyncField(.walker)].map { $0.digest(of: key.bytes) }
      })
    let namelessElements = Set(nameless.keys.map(\.number))
    var newlyUnseen: [(key: SyncKey, here: Set<SyncRound>, there: Set<SyncRound>)] = []
    var isDecided = false
    for key in candidates(changed, othersChanged) {
      let record = try changed[key] ?? mine.record(of: key)
      let other = try othersChanged[key] ?? others.record(of: key)
      let isNameless =
        !nameless.isEmpty
        && [record, other].contains { $0?.refers(to: namelessDigests, namelessElements) == true }
      guard !leftOut.contains(key), !isNameless else {
        // Neither side sees what was recorded on the other one.
        let (mineSeen, othersSeen) = (merge.seen(key, on: .here), merge.seen(key, on: .there))
        let othersRounds = try others.record(of: key)?.allRounds ?? []
        let rounds = try mine.record(of: key)?.allRounds ?? []
        newlyUnseen.append(
          (
            key, othersRounds.filter { !mineSeen.contains($0) },
            rounds.filter { !othersSeen.contains($0) }
          ))
        continue
      }
      let isNoted = changed[key] != nil || othersChanged[key] != nil
      if !isNoted, record == other { continue }
      guard var outcome = merge.outcome(record, other) else {
        withdrawn.append(key)
        continue
      }
      if case .delete(let side) = outcome.change {
        deletedRecords[key] = side == .here ? record : other
      }
      // If all values are equal or come from one side, the fingerprint is that side's.
      if outcome.taken.contains(where: { $0.from == .there }), let other {
        let isMixed = outcome.taken.contains { $0.from == .here }
        outcome.record.fingerprint = isMixed ? 0 : other.fingerprint
      }
      if outcome.isDecided { isDecided = true }
      outcomes[key] = outcome
      order.append(key)
    }
    try findDeletedTwinsWithWalks()
    var known = mine.memory.known.union(others.memory.known)
    if isDecided { known.insert(merge.round) }
    var unseen = merge.unseenRounds
    for (key, outcome) in outcomes where !outcome.unseen.isEmpty {
      unseen[key, default: []].formUnion(outcome.unseen)
    }
    let gone = Set(withdrawn)
    for store in [mine, others] {
      store.memory.known = known
      store.memory.withdrawn = []
      // An object that exists again has a record, or gets the outcome's.
      store.memory.withdrawnRecords = store.memory.withdrawnRecords.filter { key, _ in
        gone.contains(key) || outcomes[key] == nil && store.memory.position(of: key) == nil
      }
      store.memory.unseen = unseen
    }
    for (key, here, there) in newlyUnseen {
      if !here.isEmpty { mine.memory.unseen[key, default: []].formUnion(here) }
      if !there.isEmpty { others.memory.unseen[key, default: []].formUnion(there) }
    }
  }

  /// Returns a merge of the two stores in their recorded states.
  ///
  /// - Parameters:
  ///   - round: a round that this store knows too.
  ///   - othersRound: a round that the other store knows too.
  func merge(
    knowing round: SyncRound? = nil, _ othersRound: SyncRound? = nil
  ) -> SyncMerge {
    SyncMerge(
      here: mine.memory.known.union(round.map { [$0] } ?? []),
      there: others.memory.known.union(othersRound.map { [$0] } ?? []),
      round: self.round, areCopies: areCopies,
      unseen: (mine.memory.unseen, others.memory.unseen))
  }

  /// Adds the rounds that each store has seen according to the undo logs, though it no longer lists
  /// them.
  private func addSeenRounds() {
    for history in [mine.history, others.history].compactMap({ $0 }) {
      for store in [mine, others] {
        store.memory.known.formUnion(history.implied(by: store.memory.known))
      }
    }
  }

  /// Returns the sorted keys of all objects that may differ.
  private func candidates(
    _ changed: [SyncKey: SyncRecord?], _ othersChanged: [SyncKey: SyncRecord?]
  ) -> [SyncKey] {
    var keys = Set(changed.keys).union(othersChanged.keys)
    keys.formUnion(mine.memory.unseen.keys)
    keys.formUnion(others.memory.unseen.keys)
    // Stores that know the same rounds have the same records.
    let areInStep = mine.memory.known == others.memory.known
    var (left, right) = (mine.memory.index[...], others.memory.index[...])
    while let entry = left.first ?? right.first {
      let key = min(entry.key, right.first?.key ?? entry.key)
      let (isLeft, isRight) = (left.first?.key == key, right.first?.key == key)
      if isLeft { left = left.dropFirst() }
      if isRight { right = right.dropFirst() }
      if !areInStep || isLeft != isRight { keys.insert(key) }
    }
    return keys.filter { mine.memory.aliases[$0] == nil }.sorted()
  }

  // MARK: Writing

  /// Writes a side's changed objects and its records.
  private mutating func write(_ side: SyncSide, _ names: SyncNames) throws {
    let store = store(side)
    var records: [SyncKey: SyncRecord?] = [:]
    for key in order {
      guard let record = outcomes[key]?.record else { continue }
      if try store.memory.record(of: key) != record { records[key] = .some(record) }
    }
    // A record under a dog's former key is found through the alias.
    for key in withdrawn + store.memory.aliases.keys where store.memory.position(of: key) != nil {
      records[key] = .some(nil)
    }
    var values = store.memory.changes(records)
    let isNew = !values.isEmpty || store.context.hasChanges
    if side == .there {
      report.writesToOtherStore = isNew
      // A file, perhaps on a slow medium, is not rewritten just to update the date of the sync.
      guard isNew else { return }
    }
    let peers = SyncMemory.peers(
      try SyncMemory.peers(of: store.log), meeting: side == .here ? names.other : names.log,
      at: names.date)
    values.merge(peers) { $1 }
    guard store.context.hasChanges else { return try store.log.keep(values) }
    try store.log.save(keeping: values)
  }
}

@available(*, unavailable) extension StoreSync: Sendable {}

extension WalkLog {
  /// Whether this store is locked before the other one.
  ///
  /// Of two stores on servers, two concurrent syncs in opposite directions must lock the same one
  /// first.
  /// A file of another store is locked before either is opened. Copies of a store share a UUID, so
  /// their servers are asked for the stores' locations. If one gives none, the URLs decide; both
  /// syncs must then spell them alike, or each may wait for the other until the timeout.
  fileprivate func isWrittenBefore(_ here: WalkLog, _ names: SyncNames) -> Bool {
    guard store.type == .postgreSQL, here.store.type == .postgreSQL else { return false }
    guard store.identifier == here.store.identifier else {
      return store.identifier < here.store.identifier
    }
    guard let own = coordinator.locationOnServer(of: store),
      let other = here.coordinator.locationOnServer(of: here.store), own != other
    else { return names.other < names.log }
    return own < other
  }

  /// Validates the inserted and changed objects, as a save does.
  ///
  /// - Throws: `ValidationError` for an object that cannot be saved.
  fileprivate func validateChanges() throws {
    context.processPendingChanges()
    for object in context.insertedObjects { try object.validateForInsert() }
    for object in context.updatedObjects { try object.validateForUpdate() }
  }

  /// Sets values stored beside the walks (`MO_KEPT`).
  func keep(_ values: [String: [UInt8]?]) throws {
    guard !values.isEmpty else { return }
    try coordinator.keep(values, in: store)
  }

  /// Saves the changed objects and sets values stored beside them, in one transaction.
  fileprivate func save(keeping values: [String: [UInt8]?]) throws {
    try coordinator.keep(values, in: store, with: { try save() })
  }
}
