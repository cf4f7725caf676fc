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
  /// When something was set.
  struct Stamp {
    /// The rounds, nil for that of the sync.
    var rounds: [SyncRound]?
    /// How late it was.
    var order: Int
    /// The rounds in which it was set before, and whether it was then what it is now.
    var before: [(rounds: [SyncRound]?, isSame: Bool)] = []
    /// Whether these are all since something was noted.
    var isWhole = true
    /// Whether it was done again, at a time of which no order tells.
    var isRedone = false

    /// Notes that it was set, taken back, set again, and so on, in rounds of their own; it is now
    /// as the last one has left it.
    ///
    /// - Parameter isSame: whether it is so since the first of them.
    mutating func follow(_ states: [SyncRound], isSame: Bool) {
      for (index, state) in states.dropLast().enumerated() {
        before.append(([state], index.isMultiple(of: 2) == isSame))
      }
      rounds = [states[states.count - 1]]
    }

    /// Notes that it was something else in some rounds.
    mutating func follow(_ earlier: Stamp) {
      let others = earlier.before.map(\.rounds) + [earlier.rounds]
      before = others.map { ($0, false) } + before
      if !earlier.isWhole { isWhole = false }
    }

    /// The stamp of what is changed in two ways, as somebody's walks are by giving them to another
    /// one, and by giving that one another name: what it was in between only both tell.
    func joined(with other: Stamp) -> Stamp {
      let (first, last) = order < other.order ? (self, other) : (other, self)
      var joined = last
      joined.before = joined.before.map { ($0.rounds, false) }
      joined.follow(first)
      // Which of them was the last one nobody knows, and who knows one need not know the other.
      if first.isRedone { joined.rounds = nil }
      return joined
    }
  }

  /// In which round a thing came or went.
  typealias Presence = (round: SyncRound, isThere: Bool)

  /// The rounds that the store knows by its log, but for those of what was noted.
  private(set) var known: Set<SyncRound> = []
  /// When things were deleted that are not there any more.
  private(set) var deleted: [SyncKey: (kind: SyncKind, round: SyncRound)] = [:]
  /// What had been changed of them before, and when they had come and gone.
  private var before: [SyncKey: (changed: [SyncField: Stamp], presence: [Presence])] = [:]
  /// When walks and dogs came and went, that are there.
  private var presence: [ManagedObjectID: [Presence]] = [:]

  private let logged: LoggedChanges
  /// The states of its commands that were not noted, by their indices.
  private let states: [[SyncRound]]
  /// Whether it is about a store of which nothing was noted.
  private let isFirst: Bool
  /// All objects that were made or changed, and walks that got or lost tags.
  private var told: Set<ManagedObjectID> = []
  /// Whether the log remembers all that has changed since something was noted.
  private let isWhole: Bool
  /// Objects that somebody has changed without a log, as a copy's log tells.
  private var unlogged: Set<ManagedObjectID> = []
  /// That of what was there before the log begins.
  private let baseRound: SyncRound
  private var base: Stamp { Stamp(rounds: isFirst ? [baseRound] : nil, order: -1) }
  /// When objects were made, or last were all changed.
  private var made: [ManagedObjectID: Stamp] = [:]
  /// When their properties were changed.
  private var changed: [ManagedObjectID: [String: Stamp]] = [:]
  /// Whether any walkers, or tags, have other names, or went.
  private var (areWalkersRenamed, areTagsRenamed) = (false, false)
  /// When walks got tags, or lost them.
  private var tagged: [ManagedObjectID: [ManagedObjectID: (stamp: Stamp, isThere: Bool)]] = [:]
  /// By which name keys walkers and tags were known before.
  private var formerNames: [ManagedObjectID: [String]] = [:]

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
    told = Set(made.keys).union(changed.keys).union(tagged.keys)
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

  private func isChangedWithoutLog(_ id: ManagedObjectID) -> Bool {
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

  // MARK: What it says of things

  /// Whether anything was changed that the log tells of.
  var isEmpty: Bool { logged.changes.isEmpty }

  /// Whether the log tells of something that was changed, though it may be as it was.
  func tells(of object: some NamedObject) -> Bool { told.contains(object.objectID) }

  /// The same of a walk, its walker, its track and the names of its tags.
  func tells(of walk: Walk) -> Bool {
    told.contains(walk.objectID)
      || walk.walker.map { told.contains($0.objectID) } ?? false
      || walk.track.map { told.contains($0.objectID) } ?? false
      || areTagsRenamed && walk.tags.contains { told.contains($0.objectID) }
  }

  /// The rounds in which a thing's values were set; nil for the one of the sync that finds them.
  struct Rounds {
    /// Those in which it came.
    let made: [SyncRound]?
    /// Those of values that were changed since, or taken away.
    let changed: [SyncField: Stamp]
    /// Those in which it came and went since.
    var presence: [Presence] = []
  }

  /// Those of a thing that somebody has changed without a log: of what that tells, too, nobody
  /// knows what was last.
  private func unknown(_ changed: [SyncField: Stamp]) -> Rounds {
    Rounds(
      made: nil, changed: changed.mapValues { Stamp(rounds: nil, order: $0.order, isWhole: false) })
  }

  /// What was changed of a thing, but for the tags of walks.
  private func fields(of id: ManagedObjectID) -> [SyncField: Stamp] {
    var fields: [SyncField: Stamp] = [:]
    for (name, stamp) in changed[id] ?? [:] {
      guard let property = Self.properties[name] else { continue }
      fields[SyncField(property)] = stamp
      if !isWhole { fields[SyncField(property)]?.isWhole = false }
    }
    return fields
  }

  /// What had been changed of a thing before it was deleted.
  func rounds(ofDeleted key: SyncKey) -> Rounds {
    let (changed, presence) = before[key] ?? ([:], [])
    return Rounds(made: nil, changed: changed, presence: presence)
  }

  /// Those of a dog, a walker or a tag.
  func rounds(of object: some NamedObject) -> Rounds {
    let id = object.objectID
    let fields = fields(of: id)
    guard !isChangedWithoutLog(id) else { return unknown(fields) }
    // Known by its name, it came with that.
    let isNamed = object is Dog ? nil : changed[id]?["nameKey"]
    return Rounds(
      made: (isNamed ?? made[id] ?? base).rounds, changed: fields, presence: presence[id] ?? [])
  }

  /// Those of a walk.
  func rounds(of walk: Walk, _ keys: SyncKeys) -> Rounds {
    let id = walk.objectID
    let made = made[id] ?? base
    var fields = fields(of: id)
    // A name that a walker was given since is another walker.
    if areWalkersRenamed { fields[SyncField(.walker)]?.isWhole = false }
    if let named = walk.walker.flatMap({ named($0.objectID) }) {
      add(named, to: &fields[SyncField(.walker)], since: made)
    }
    if let track = walk.track?.objectID {
      let stamp =
        isChangedWithoutLog(track)
        ? Stamp(rounds: nil, order: .max) : changed[track]?["points"] ?? self.made[track]
      if let stamp { add(stamp, to: &fields[SyncField(.track)], since: made) }
    }
    for (field, stamp) in tagStamps(of: walk, since: made, keys) {
      fields[field] = stamp
      if areTagsRenamed || !isWhole { fields[field]?.isWhole = false }
    }
    guard !isChangedWithoutLog(id) else { return unknown(fields) }
    return Rounds(made: made.rounds, changed: fields, presence: presence[id] ?? [])
  }

  /// Adds what has changed a value in another way, since the thing was made.
  private func add(_ stamp: Stamp, to field: inout Stamp?, since made: Stamp) {
    guard stamp.order > made.order else {
      // It may have been done again after that.
      if stamp.isRedone, field == nil { field = Stamp(rounds: nil, order: made.order) }
      return
    }
    guard let own = field else {
      field = stamp
      return
    }
    // One change is not two.
    guard own.order != stamp.order else { return }
    field = own.joined(with: stamp)
    // Of a thing of which nothing was noted, nobody knows a value by what it was before.
    if isFirst { field?.before = (own.order < stamp.order ? stamp : own).before }
  }

  /// When a walk got its tags, and lost those that it had.
  private func tagStamps(
    of walk: Walk, since made: Stamp, _ keys: SyncKeys
  ) -> [SyncField: Stamp] {
    var stamps: [SyncField: Stamp] = [:]
    // Several tags may have had one name, one after the other.
    func set(_ field: SyncField, _ stamp: Stamp) {
      add(stamp, to: &stamps[field], since: base)
    }
    let id = walk.objectID
    for (tag, (stamp, isThere)) in tagged[id] ?? [:] {
      let key = keys.tags[tag]
      if let key { set(SyncField(.tags, element: key.number), stamp) }
      guard key == nil || !isThere else { continue }
      for name in formerNames[tag] ?? [] {
        set(Self.field(ofTag: name), stamp)
      }
    }
    guard keys.hasTags else { return stamps }
    for tag in walk.tags {
      guard let named = named(tag.objectID), let key = keys.tags[tag.objectID],
        named.order > made.order
      else { continue }
      set(SyncField(.tags, element: key.number), named)
      for name in formerNames[tag.objectID] ?? [] { set(Self.field(ofTag: name), named) }
    }
    return stamps
  }

  /// When a walker or a tag got the name that it has; nil where it always had it.
  private func named(_ id: ManagedObjectID) -> Stamp? {
    guard !isChangedWithoutLog(id) else { return Stamp(rounds: nil, order: .max) }
    return changed[id]?["nameKey"]
  }

  private static func field(ofTag nameKey: String) -> SyncField {
    SyncField(.tags, element: SyncKey(nameKey: nameKey, of: .tag).number)
  }

  /// The properties of dogs, walkers, tags and walks, but for tags, by their names in the model.
  private static let properties: [String: SyncProperty] = [
    "name": .name, "targetMinutes": .target, "maximumGap": .gap, "dog": .dog, "date": .date,
    "utcOffset": .utcOffset, "duration": .duration, "distance": .distance,
    "isOngoing": .isOngoing, "note": .note, "walker": .walker, "peeCount": .peeCount,
    "pooCount": .pooCount, "track": .track,
  ]
}
