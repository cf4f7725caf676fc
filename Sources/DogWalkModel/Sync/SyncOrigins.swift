import ManagedObjects
import SystemLibraries

/// The rounds of values without a record, derived from the store's undo log.
///
/// These are all values if the store was never synced, else those changed since the last record.
///
/// Each command is a round, and so is undoing or redoing it. The log of a copy of the store
/// contains the same rounds, so at their next sync, even by way of a third store, the two know
/// which of each other's values they have seen: a value that only one of them has changed or
/// deleted since is newer. If the store has no records, everything that existed before the first
/// command in the log belongs to one round. A store that knows a command has seen everything before
/// it, even if its own log no longer contains that (`implied(by:)`). A value that was undone or
/// redone is also identified by its earlier versions: for a store that has seen it like this, and
/// nothing since, it is unchanged. Changes by programs without an undo log get the round of this
/// sync.
struct SyncOrigins {
  /// A round in which an object was inserted or deleted.
  typealias Presence = (round: SyncRound, exists: Bool)

  /// The rounds that the store knows from its log, except those of recorded values.
  private(set) var known: Set<SyncRound> = []
  /// The rounds in which objects that no longer exist were deleted.
  private(set) var deleted: [SyncKey: (kind: SyncKind, round: SyncRound)] = [:]
  /// The changes of those objects before, and the rounds in which they were inserted and deleted.
  private(set) var before: [SyncKey: (changed: [SyncField: Stamp], presence: [Presence])] = [:]
  /// The rounds in which existing walks and dogs were inserted and deleted.
  private(set) var presence: [ManagedObjectID: [Presence]] = [:]

  let logged: LoggedChanges
  /// The unrecorded states of each command, by the command's index.
  private let states: [[SyncRound]]
  /// Whether the store has no records.
  let isFirst: Bool
  /// All objects that were inserted or changed, and walks that got or lost tags.
  private(set) var changedObjects: Set<ManagedObjectID> = []
  /// Whether the log contains everything that has changed since the last record.
  let isWhole: Bool
  /// Objects that were changed without an undo log, as the log of a copy shows.
  private var unlogged: Set<ManagedObjectID> = []
  /// The round of everything that existed before the log begins.
  private let baseRound: SyncRound
  var base: Stamp { Stamp(rounds: isFirst ? [baseRound] : nil, order: -1) }
  /// When objects were inserted, or last changed as a whole.
  private(set) var made: [ManagedObjectID: Stamp] = [:]
  /// When the objects' properties were changed.
  private(set) var changed: [ManagedObjectID: [String: Stamp]] = [:]
  /// Whether any walkers or tags were renamed or deleted, so that the former names of those that
  /// walks had are unknown.
  private(set) var (areWalkersRenamed, areTagsRenamed) = (false, false)
  /// Whether any tags were renamed or deleted, including those that have their former names again.
  private(set) var areTagNamesChanged = false
  /// When walkers and tags got their current names, if not when they were inserted.
  private(set) var renamed: [ManagedObjectID: Stamp] = [:]
  /// When walks got tags or lost them.
  private(set) var tagged: [ManagedObjectID: [ManagedObjectID: (stamp: Stamp, exists: Bool)]] = [:]
  /// The former name keys of walkers and tags.
  private(set) var formerNames: [ManagedObjectID: [String]] = [:]

  /// Reads a store's log; nil if it has no readable one.
  ///
  /// - Parameters:
  ///   - noted: the rounds that the store knew at its last record; nil if it has none.
  ///   - precedesLog: whether the log was emptied after that record, when nothing was unrecorded.
  init?(
    of log: WalkLog, since noted: Set<SyncRound>? = nil, precedesLog: Bool = false
  ) throws {
    func states(_ command: LoggedChanges.Command) -> [SyncRound] {
      noted.map { Self.states(of: command, since: $0) } ?? command.states
    }
    let names: Set = ["uuid", "nameKey"]
    guard
      let logged = try log.undoLog?.loggedChanges(keeping: names, of: { !states($0).isEmpty })
    else { return nil }
    self.logged = logged
    self.states = logged.commands.map(states)
    isFirst = noted == nil
    isWhole = Self.isWhole(
      logged.commands.map(\.id),
      new: zip(logged.commands, self.states).map { $0.states.count == $1.count },
      isBeginning: precedesLog)
    let identifier = log.store.identifier
    baseRound =
      logged.commands.first.map(Self.round(before:)) ?? Self.round(["before", identifier])
    known = Set(self.states.joined())
    if isFirst {
      known.insert(baseRound)
      for command in logged.commands { known.insert(Self.round(before: command)) }
    }
    for (order, change) in logged.changes.enumerated() {
      let states = self.states[change.command]
      // Done, undone, redone: every second state equals the last one.
      note(change, states, isUndone: states.count.isMultiple(of: 2), order)
    }
    for change in logged.changes where !change.before.isEmpty { noteName(change) }
    changedObjects = Set(made.keys).union(changed.keys).union(tagged.keys)
  }

  /// Returns the states of a command that are not recorded yet.
  ///
  /// A sync records its own changes itself.
  private static func states(
    of command: LoggedChanges.Command, since noted: Set<SyncRound>
  ) -> [SyncRound] {
    let last = command.states.lastIndex(where: noted.contains) ?? -1
    let isSync = command.name.hasPrefix(WalkLog.syncCommand)
    return Array(command.states[max(last + 1, isSync ? 1 : 0)...])
  }

  /// Whether a log reaches back to a recorded command, or to its beginning, without gaps since.
  ///
  /// - Parameters:
  ///   - ids: the IDs of its commands.
  ///   - new: which of them are not recorded at all.
  ///   - isBeginning: whether everything before the first command is recorded. A log that has lost
  ///     its oldest commands does not begin with that one, whose ID is 1.
  private static func isWhole(_ ids: [Int64], new: [Bool], isBeginning: Bool) -> Bool {
    guard let last = new.lastIndex(of: false) else {
      return isBeginning && ids.first == 1 && ids.last == Int64(ids.count)
    }
    return ids[ids.count - 1] &- ids[last] == ids.count - 1 - last
  }

  /// Returns all states of all commands in a store's log; empty if the log cannot be read.
  static func states(in log: WalkLog) throws -> Set<SyncRound> {
    let logged = try log.undoLog?.loggedChanges(keeping: [], of: { _ in false })
    return Set(logged?.commands.flatMap(\.states) ?? [])
  }

  /// Derives from a copy's log which objects were changed here without an undo log.
  ///
  /// A row that this log does not contain had the copy's `Z_OPT` when the two were one store; with
  /// a higher one it was changed since.
  mutating func learn(of copy: SyncOrigins, in log: WalkLog) throws {
    let seen = known.union(copy.implied(by: known))
    var counts: [ManagedObjectID: Int64] = [:]
    for change in copy.logged.changes where counts[change.object] == nil {
      guard !copy.logged.commands[change.command].states.contains(where: seen.contains)
      else { continue }
      counts[change.object] = change.countBefore
    }
    unlogged = try log.undoLog?.objects(changedSince: counts) ?? []
    unlogged.subtract(logged.changes.map(\.object))
  }

  func isChangedWithoutLog(_ id: ManagedObjectID) -> Bool {
    logged.changedSince.contains(id) || unlogged.contains(id)
  }

  /// Returns the further rounds that a store has seen if it knows some rounds of this store or its
  /// copies.
  ///
  /// A store that knows a command has seen everything before it, even if its own log begins with
  /// that command. O(commands).
  func implied(by known: Set<SyncRound>) -> Set<SyncRound> {
    func isSeen(_ command: LoggedChanges.Command) -> Bool {
      known.contains(Self.round(before: command)) || command.states.contains { known.contains($0) }
    }
    guard let last = logged.commands.lastIndex(where: isSeen) else { return [] }
    var implied: Set<SyncRound> = [baseRound]
    for (index, command) in logged.commands[...last].enumerated() {
      implied.insert(Self.round(before: command))
      // A known state implies the states before it.
      let seen = command.states.lastIndex { known.contains($0) } ?? -1
      implied.formUnion(command.states.prefix(seen + 1))
      guard index < last else { break }
      implied.formUnion(command.states.prefix(1))
      if let next = command.undoneBefore, next <= logged.commands[last].id {
        implied.formUnion(command.states)
      }
    }
    return implied
  }

  /// Returns a hash of texts; never 0.
  private static func round(_ parts: [String]) -> SyncRound {
    max(SyncField(.name).digest(of: parts.joined(separator: "\0").utf8), 1)
  }

  /// Returns the round of everything that existed before a command.
  private static func round(before command: LoggedChanges.Command) -> SyncRound {
    round(["before", "\(command.states.first ?? 0)"])
  }

  // MARK: Reading the log

  private mutating func note(
    _ change: LoggedChanges.Change, _ states: [SyncRound], isUndone: Bool, _ order: Int
  ) {
    let id = change.object
    guard let last = states.last else { return }
    if let name = change.before["nameKey"], id.entity.name != "Dog" {
      formerNames[id, default: []].append(String(decoding: name, as: UTF8.self))
    }
    notePresence(change, states)
    if let (key, kind) = Self.key(of: change) {
      deleted[key] = (kind, last)
      before[key] = (isFirst ? [:] : fields(of: id), presence.removeValue(forKey: id) ?? [])
    }
    if case .deleted = change.kind {
      // Its former values are not needed any more, except the names of tags.
      (made[id], changed[id], tagged[id], renamed[id]) = (nil, nil, nil, nil)
      return
    }
    guard !isUndone else { return noteUndone(change, states, last, order) }
    let command = logged.commands[change.command]
    // Before the first change it had the recorded value, or the one that it was inserted with.
    func stamp(after earlier: Stamp?) -> Stamp {
      var stamp = Stamp(rounds: [last], order: order)
      stamp.follow(states, isSame: true)
      stamp.isRedone = command.states.count > 2
      if !isFirst, let earlier { stamp.follow(earlier) }
      return stamp
    }
    switch change.kind {
    case .inserted:
      // What a sync brought is recorded as received, even if it was redone.
      let isNoted = !isFirst && command.name.hasPrefix(WalkLog.syncCommand)
      let rounds = isNoted ? nil : states.count > 1 ? [states[0], last] : [last]
      (made[id], changed[id], tagged[id]) = (Stamp(rounds: rounds, order: order), nil, nil)
      renamed[id] = nil
    case .updated(let names):
      for name in names { changed[id, default: [:]][name] = stamp(after: changed[id]?[name]) }
      if names.contains("nameKey") { renamed[id] = changed[id]?["nameKey"] }
    case .linked("tags", let tag):
      tagged[id, default: [:]][tag] = (stamp(after: tagged[id]?[tag]?.stamp), true)
    case .unlinked("tags", let tag):
      tagged[id, default: [:]][tag] = (stamp(after: tagged[id]?[tag]?.stamp), false)
    case .linked, .unlinked, .deleted: break
    }
  }

  /// Records that a walker or a tag was renamed or deleted.
  private mutating func noteName(_ change: LoggedChanges.Change) {
    let isUndone = states[change.command].count.isMultiple(of: 2)
    // It came and went: no walk had it before or has it now.
    if isUndone, case .deleted = change.kind { return }
    switch change.object.entity.name {
    case "Walker": if !isUndone { areWalkersRenamed = true }
    case "Tag":
      areTagNamesChanged = true
      if !isUndone { areTagsRenamed = true }
    default: break
    }
  }

  /// Records that a walk or a dog was inserted or deleted.
  private mutating func notePresence(_ change: LoggedChanges.Change, _ states: [SyncRound]) {
    let id = change.object
    let exists: Bool
    switch (change.kind, id.entity.name) {
    case (.inserted, "Walk"), (.inserted, "Dog"): exists = true
    case (.deleted, "Walk"), (.deleted, "Dog"): exists = false
    default: return
    }
    // A sync records its own insertions and deletions itself.
    if !isFirst, logged.commands[change.command].name.hasPrefix(WalkLog.syncCommand) { return }
    let new: [Presence] = states.enumerated().map { index, state in
      (state, (states.count - 1 - index).isMultiple(of: 2) == exists)
    }
    // An object whose first event is a deletion existed when the log began.
    let isOfBase = isFirst && presence[id] == nil && new.first?.exists == false
    presence[id, default: isOfBase ? [(baseRound, true)] : []] += new
  }

  /// Records a value that an undo restored to its state before a command.
  ///
  /// For a store that has not seen the command, it still has its earlier rounds; and it is newer
  /// than the command.
  private mutating func noteUndone(
    _ change: LoggedChanges.Change, _ states: [SyncRound], _ round: SyncRound, _ order: Int
  ) {
    let id = change.object
    // A store that has seen the object's absence had nothing to change.
    func newer(_ stamp: Stamp) -> Stamp {
      var stamp = stamp
      stamp.rounds = stamp.rounds.map { $0 + [round] }
      return stamp
    }
    func asBefore(_ stamp: Stamp) -> Stamp {
      var stamp = stamp
      if let rounds = stamp.rounds { stamp.before.append((rounds, true)) }
      stamp.follow(states, isSame: false)
      stamp.order = order
      return stamp
    }
    let made = made[id] ?? base
    switch change.kind {
    case .inserted:
      self.made[id] = newer(made)
      changed[id] = changed[id]?.mapValues(newer)
      tagged[id] = tagged[id]?.mapValues { (newer($0.stamp), $0.exists) }
    case .updated(let names):
      for name in names { changed[id, default: [:]][name] = asBefore(changed[id]?[name] ?? made) }
      if names.contains("nameKey") { renamed[id] = renamed[id].map(newer) }
    case .linked("tags", let tag):
      tagged[id, default: [:]][tag] = (asBefore(tagged[id]?[tag]?.stamp ?? made), true)
    case .unlinked("tags", let tag):
      tagged[id, default: [:]][tag] = (asBefore(tagged[id]?[tag]?.stamp ?? made), false)
    case .linked, .unlinked, .deleted: break
    }
  }

  /// Returns the former key of an object that a change has deleted or renamed.
  private static func key(of change: LoggedChanges.Change) -> (SyncKey, SyncKind)? {
    let isGone = if case .deleted = change.kind { true } else { false }
    switch change.object.entity.name {
    case "Walk", "Dog":
      guard isGone else { return nil }
      let kind: SyncKind = change.object.entity.name == "Dog" ? .dog : .walk
      guard let uuid = change.before["uuid"], uuid.count == 16 else {
        return (SyncKey(UUID(of: change.object)), kind)
      }
      return (uuid.withUnsafeBytes { SyncKey($0) }, kind)
    case "Walker", "Tag":
      guard let name = change.before["nameKey"] else { return nil }
      let kind: SyncKind = change.object.entity.name == "Tag" ? .tag : .walker
      return (SyncKey(nameKey: String(decoding: name, as: UTF8.self), of: kind), kind)
    default: return nil
    }
  }
}
