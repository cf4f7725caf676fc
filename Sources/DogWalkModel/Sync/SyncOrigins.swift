import ManagedObjects
import SystemLibraries

/// The rounds in which the values of a store were set of which nothing was noted yet, by what its
/// undo log remembers: all of them where it has met no other store, else what was changed since.
///
/// Each command is a round, and so is taking it back, or doing it again. A copy of the store
/// remembers the same ones, so that at their next sync, be it by way of a third, the two know of
/// each other's values which of them they have met: what one alone has changed or deleted since is
/// newer. What was there before the first command that the log remembers is of one round, where
/// nothing was noted. Who knows a command has met all that was before it, though he may have
/// forgotten that (`implied(by:)`). What was taken back, or done again, is known by what it was
/// before, too: it is as it was to whoever has met it so, and nothing since. What somebody changed
/// who keeps no log gets the round of this sync.
struct SyncOrigins {
  /// In which round a thing came or went.
  typealias Presence = (round: SyncRound, isThere: Bool)

  /// The rounds that the store knows by its log, but for those of what was noted.
  private(set) var known: Set<SyncRound> = []
  /// When things were deleted that are not there any more.
  private(set) var deleted: [SyncKey: (kind: SyncKind, round: SyncRound)] = [:]
  /// What had been changed of them before, and when they had come and gone.
  private(set) var before: [SyncKey: (changed: [SyncField: Stamp], presence: [Presence])] = [:]
  /// When walks and dogs came and went, that are there.
  private(set) var presence: [ManagedObjectID: [Presence]] = [:]

  let logged: LoggedChanges
  /// The states of its commands that were not noted, by their indices.
  private let states: [[SyncRound]]
  /// Whether it is about a store of which nothing was noted.
  let isFirst: Bool
  /// All objects that were made or changed, and walks that got or lost tags.
  private(set) var changedObjects: Set<ManagedObjectID> = []
  /// Whether the log remembers all that has changed since something was noted.
  let isWhole: Bool
  /// Objects that somebody has changed without a log, as a copy's log tells.
  private var unlogged: Set<ManagedObjectID> = []
  /// That of what was there before the log begins.
  private let baseRound: SyncRound
  var base: Stamp { Stamp(rounds: isFirst ? [baseRound] : nil, order: -1) }
  /// When objects were made, or last were all changed.
  private(set) var made: [ManagedObjectID: Stamp] = [:]
  /// When their properties were changed.
  private(set) var changed: [ManagedObjectID: [String: Stamp]] = [:]
  /// Whether any walkers, or tags, have other names, or went.
  private(set) var (areWalkersRenamed, areTagsRenamed) = (false, false)
  /// When walks got tags, or lost them.
  private(set) var tagged: [ManagedObjectID: [ManagedObjectID: (stamp: Stamp, isThere: Bool)]] = [:]
  /// By which name keys walkers and tags were known before.
  private(set) var formerNames: [ManagedObjectID: [String]] = [:]

  /// Reads a store's log; nil where it has none that can be read.
  ///
  /// - Parameter noted: the rounds that the store knew when something was last noted; nil where
  ///   nothing was.
  init?(of log: WalkLog, since noted: Set<SyncRound>? = nil) throws {
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
      new: zip(logged.commands, self.states).map { $0.states.count == $1.count })
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
      // Done, taken back, done again: every second state is as the last one is.
      note(change, states, isUndone: states.count.isMultiple(of: 2), order)
    }
    for change in logged.changes where !change.before.isEmpty {
      if change.object.entity.name == "Walker" { areWalkersRenamed = true }
      if change.object.entity.name == "Tag" { areTagsRenamed = true }
    }
    changedObjects = Set(made.keys).union(changed.keys).union(tagged.keys)
  }

  /// The states of a command that were not noted when something last was.
  ///
  /// A sync notes what it does itself.
  private static func states(
    of command: LoggedChanges.Command, since noted: Set<SyncRound>
  ) -> [SyncRound] {
    let last = command.states.lastIndex(where: noted.contains) ?? -1
    let isSync = command.name.hasPrefix(WalkLog.syncCommand)
    return Array(command.states[max(last + 1, isSync ? 1 : 0)...])
  }

  /// Whether a log goes back to a command that was noted, and has lost none since.
  ///
  /// - Parameters:
  ///   - ids: the numbers of its commands.
  ///   - new: which of them were not noted at all.
  private static func isWhole(_ ids: [Int64], new: [Bool]) -> Bool {
    guard let last = new.lastIndex(of: false) else { return false }
    return ids[ids.count - 1] &- ids[last] == ids.count - 1 - last
  }

  /// All states of all commands in a store's log; none where that cannot be read.
  static func states(in log: WalkLog) throws -> Set<SyncRound> {
    let logged = try log.undoLog?.loggedChanges(keeping: [], of: { _ in false })
    return Set(logged?.commands.flatMap(\.states) ?? [])
  }

  /// Learns from a copy's log what somebody has changed here without a log.
  ///
  /// A row that this log does not mention was at the copy's count when both were one; with a higher
  /// one it was changed.
  mutating func learn(of copy: SyncOrigins, in log: WalkLog) throws {
    let met = known.union(copy.implied(by: known))
    var counts: [ManagedObjectID: Int64] = [:]
    for change in copy.logged.changes where counts[change.object] == nil {
      guard !copy.logged.commands[change.command].states.contains(where: met.contains)
      else { continue }
      counts[change.object] = change.countBefore
    }
    unlogged = try log.undoLog?.objects(changedSince: counts) ?? []
    unlogged.subtract(logged.changes.map(\.object))
  }

  func isChangedWithoutLog(_ id: ManagedObjectID) -> Bool {
    logged.changedSince.contains(id) || unlogged.contains(id)
  }

  /// What somebody has met besides, who knows some rounds of this store's or its copies'.
  ///
  /// Whoever remembers a command has met what was done before it, even where his log begins with
  /// it. O(commands).
  func implied(by known: Set<SyncRound>) -> Set<SyncRound> {
    func isMet(_ command: LoggedChanges.Command) -> Bool {
      known.contains(Self.round(before: command)) || command.states.contains { known.contains($0) }
    }
    guard let last = logged.commands.lastIndex(where: isMet) else { return [] }
    var implied: Set<SyncRound> = [baseRound]
    for (index, command) in logged.commands[...last].enumerated() {
      implied.insert(Self.round(before: command))
      // A state that somebody knows was after those before it.
      let met = command.states.lastIndex { known.contains($0) } ?? -1
      implied.formUnion(command.states.prefix(met + 1))
      guard index < last else { break }
      implied.formUnion(command.states.prefix(1))
      if let next = command.undoneBefore, next <= logged.commands[last].id {
        implied.formUnion(command.states)
      }
    }
    return implied
  }

  /// A number made of texts; never 0.
  private static func round(_ parts: [String]) -> SyncRound {
    max(SyncField(.name).digest(of: parts.joined(separator: "\0").utf8), 1)
  }

  /// The round of all that was there before a command.
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
      // What it had is not needed any more, but for the names of tags.
      (made[id], changed[id], tagged[id]) = (nil, nil, nil)
      return
    }
    guard !isUndone else { return noteUndone(change, states, last, order) }
    let command = logged.commands[change.command]
    // Before the first of all it was what was noted, or came with the rest.
    func stamp(after earlier: Stamp?) -> Stamp {
      var stamp = Stamp(rounds: [last], order: order)
      stamp.follow(states, isSame: true)
      stamp.isRedone = command.states.count > 2
      if !isFirst, let earlier { stamp.follow(earlier) }
      return stamp
    }
    switch change.kind {
    case .inserted:
      // What a sync brought is noted as it was brought, also where that was done again.
      let isNoted = !isFirst && command.name.hasPrefix(WalkLog.syncCommand)
      let rounds = isNoted ? nil : states.count > 1 ? [states[0], last] : [last]
      (made[id], changed[id], tagged[id]) = (Stamp(rounds: rounds, order: order), nil, nil)
    case .updated(let names):
      for name in names { changed[id, default: [:]][name] = stamp(after: changed[id]?[name]) }
    case .linked("tags", let tag):
      tagged[id, default: [:]][tag] = (stamp(after: tagged[id]?[tag]?.stamp), true)
    case .unlinked("tags", let tag):
      tagged[id, default: [:]][tag] = (stamp(after: tagged[id]?[tag]?.stamp), false)
    case .linked, .unlinked, .deleted: break
    }
  }

  /// Notes that a walk or a dog has come or gone.
  private mutating func notePresence(_ change: LoggedChanges.Change, _ states: [SyncRound]) {
    let id = change.object
    let isThere: Bool
    switch (change.kind, id.entity.name) {
    case (.inserted, "Walk"), (.inserted, "Dog"): isThere = true
    case (.deleted, "Walk"), (.deleted, "Dog"): isThere = false
    default: return
    }
    // What a sync brings it notes itself.
    if !isFirst, logged.commands[change.command].name.hasPrefix(WalkLog.syncCommand) { return }
    let new: [Presence] = states.enumerated().map { index, state in
      (state, (states.count - 1 - index).isMultiple(of: 2) == isThere)
    }
    // What goes first was there when the log began.
    let isOfBase = isFirst && presence[id] == nil && new.first?.isThere == false
    presence[id, default: isOfBase ? [(baseRound, true)] : []] += new
  }

  /// Notes what is as it was before a command, as that was taken back.
  ///
  /// Of the rounds of before still, to whoever has not met the command; and newer than it.
  private mutating func noteUndone(
    _ change: LoggedChanges.Change, _ states: [SyncRound], _ round: SyncRound, _ order: Int
  ) {
    let id = change.object
    // Who has met that it was gone had nothing to change.
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
      tagged[id] = tagged[id]?.mapValues { (newer($0.stamp), $0.isThere) }
    case .updated(let names):
      for name in names { changed[id, default: [:]][name] = asBefore(changed[id]?[name] ?? made) }
    case .linked("tags", let tag):
      tagged[id, default: [:]][tag] = (asBefore(tagged[id]?[tag]?.stamp ?? made), true)
    case .unlinked("tags", let tag):
      tagged[id, default: [:]][tag] = (asBefore(tagged[id]?[tag]?.stamp ?? made), false)
    case .linked, .unlinked, .deleted: break
    }
  }

  /// By which key a thing was known that a change has taken away, or given another name.
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
