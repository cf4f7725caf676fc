import ManagedObjects
import SystemLibraries

/// The rounds in which the values of a store were set that has met no other yet, by what its undo
/// log remembers.
///
/// Each command is a round, and so is taking it back, or doing it again. A copy of the store
/// remembers the same ones, so that at their first sync, be it by way of a third, the two know of
/// each other's values which of them they have met: what one alone has changed or deleted since is
/// newer. What was there before the first command that the log remembers is of one round. Who knows
/// a command has met all that was before it, though he may have forgotten that (`implied(by:)`).
/// What was taken back, or done again, is as it was before, to whoever has not met that. What
/// somebody changed who keeps no log gets the round of this sync, as changes do at later ones.
struct SyncOrigins {
  /// A round, and how late it was.
  private typealias Stamp = (round: SyncRound, order: Int)

  /// All rounds that the store knows.
  private(set) var known: Set<SyncRound>
  /// When things were deleted that are not there any more.
  private(set) var deleted: [SyncKey: (kind: SyncKind, round: SyncRound)] = [:]

  private let logged: LoggedChanges
  /// That of what was there before the log begins.
  private let base: Stamp
  /// When objects were made, or last were all changed.
  private var made: [ManagedObjectID: Stamp] = [:]
  /// When their properties were changed.
  private var changed: [ManagedObjectID: [String: Stamp]] = [:]
  /// When walks got tags, or lost them.
  private var tagged: [ManagedObjectID: [ManagedObjectID: (stamp: Stamp, isThere: Bool)]] = [:]
  /// By which name keys walkers and tags were known before.
  private var formerNames: [ManagedObjectID: [String]] = [:]

  /// Reads a store's log; nil where it has none that can be read.
  ///
  /// - Parameter met: the rounds that the store knows with which it is synced.
  init?(of log: WalkLog, meeting met: Set<SyncRound> = []) throws {
    guard let logged = try log.undoLog?.loggedChanges(keeping: ["uuid", "nameKey"]) else {
      return nil
    }
    self.logged = logged
    let identifier = log.store.identifier
    base = (
      logged.commands.first.map(Self.round(before:)) ?? Self.round(["before", identifier]), -1
    )
    known = [base.round]
    for command in logged.commands {
      known.formUnion(command.states)
      known.insert(Self.round(before: command))
    }
    let met = met.union(implied(by: met))
    let rounds = logged.commands.map { Self.round(of: $0, for: met) }
    for (order, change) in logged.changes.enumerated() {
      let last = (logged.commands[change.command].states.last ?? base.round, order)
      note(change, rounds[change.command].map { ($0, order) }, last)
    }
  }

  /// The round of what a command has made of values, to somebody who has met some rounds; nil where
  /// all is to him as it was before the command.
  private static func round(
    of command: LoggedChanges.Command, for met: Set<SyncRound>
  ) -> SyncRound? {
    let states = command.states
    // Done, taken back, done again: every second state is as the last one is.
    let isDone = !states.count.isMultiple(of: 2)
    guard let last = states.lastIndex(where: { met.contains($0) }) else {
      return isDone ? states.first : nil
    }
    return last.isMultiple(of: 2) == isDone ? states[last] : states.last
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
    var implied: Set<SyncRound> = [base.round]
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

  /// - Parameters:
  ///   - stamp: when it was; nil where all is as it was before.
  ///   - last: when it last came to be so, for what is not there any more.
  private mutating func note(_ change: LoggedChanges.Change, _ stamp: Stamp?, _ last: Stamp) {
    let id = change.object
    if case .deleted = change.kind {
      // What it had is not needed any more, but for the names of tags.
      (made[id], changed[id], tagged[id]) = (nil, nil, nil)
    }
    if let name = change.before["nameKey"], id.entity.name != "Dog" {
      formerNames[id, default: []].append(String(decoding: name, as: UTF8.self))
    }
    if let (key, kind) = Self.key(of: change) { deleted[key] = (kind, (stamp ?? last).round) }
    guard let stamp else { return }
    switch change.kind {
    case .inserted: (made[id], changed[id], tagged[id]) = (stamp, nil, nil)
    case .updated(let names): for name in names { changed[id, default: [:]][name] = stamp }
    case .linked("tags", let tag): tagged[id, default: [:]][tag] = (stamp, true)
    case .unlinked("tags", let tag): tagged[id, default: [:]][tag] = (stamp, false)
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

  /// The rounds in which a thing's values were set; nil for the one of the sync that finds them.
  struct Rounds {
    /// That in which it came.
    fileprivate let made: SyncRound?
    /// Those of values that were changed since, or taken away.
    fileprivate let changed: [SyncField: SyncRound?]

    /// Those of a thing that was changed without a log.
    fileprivate static let unknown = Rounds(made: nil, changed: [:])
  }

  /// Those of a dog, a walker or a tag.
  func rounds(of object: some NamedObject) -> Rounds {
    let id = object.objectID
    guard !logged.changedSince.contains(id) else { return .unknown }
    var fields: [SyncField: SyncRound?] = [:]
    for (name, stamp) in changed[id] ?? [:] {
      if let property = Self.properties[name] { fields[SyncField(property)] = stamp.round }
    }
    // Known by its name, it came with that.
    let isNamed = object is Dog ? nil : changed[id]?["nameKey"]
    return Rounds(made: (isNamed ?? made[id] ?? base).round, changed: fields)
  }

  /// Those of a walk.
  func rounds(of walk: Walk, _ keys: SyncKeys) -> Rounds {
    let id = walk.objectID
    guard !logged.changedSince.contains(id) else { return .unknown }
    let made = made[id] ?? base
    var fields: [SyncField: SyncRound?] = [:]
    for (name, stamp) in changed[id] ?? [:] {
      if let property = Self.properties[name] { fields[SyncField(property)] = stamp.round }
    }
    // A name that a walker was given since is another walker.
    if let named = walk.walker.flatMap({ named($0.objectID) }),
      named.order > (changed[id]?["walker"] ?? made).order
    {
      fields[SyncField(.walker)] = .some(named.round)
    }
    if let track = walk.track?.objectID {
      let stamp = changed[track]?["points"] ?? self.made[track] ?? base
      if logged.changedSince.contains(track) {
        fields[SyncField(.track)] = .some(nil)
      } else if stamp.order > (changed[id]?["track"] ?? made).order {
        fields[SyncField(.track)] = stamp.round
      }
    }
    for (field, stamp) in tagStamps(of: walk, since: made, keys) {
      fields[field] = .some(stamp.round)
    }
    return Rounds(made: made.round, changed: fields)
  }

  /// When a walk got its tags, and lost those that it had.
  private func tagStamps(
    of walk: Walk, since made: Stamp, _ keys: SyncKeys
  ) -> [SyncField: (round: SyncRound?, order: Int)] {
    var stamps: [SyncField: (round: SyncRound?, order: Int)] = [:]
    // Several tags may have had one name, one after the other.
    func set(_ field: SyncField, _ stamp: (round: SyncRound?, order: Int)) {
      if stamp.order > stamps[field]?.order ?? -1 { stamps[field] = stamp }
    }
    let id = walk.objectID
    for (tag, (stamp, isThere)) in tagged[id] ?? [:] {
      let key = keys.tags[tag]
      if let key { set(SyncField(.tags, element: key.number), (stamp.round, stamp.order)) }
      guard key == nil || !isThere else { continue }
      for name in formerNames[tag] ?? [] {
        set(Self.field(ofTag: name), (stamp.round, stamp.order))
      }
    }
    guard keys.hasTags else { return stamps }
    for tag in walk.tags {
      guard let named = named(tag.objectID), let key = keys.tags[tag.objectID],
        named.order > (tagged[id]?[tag.objectID]?.stamp ?? made).order
      else { continue }
      set(SyncField(.tags, element: key.number), named)
      for name in formerNames[tag.objectID] ?? [] { set(Self.field(ofTag: name), named) }
    }
    return stamps
  }

  /// When a walker or a tag got the name that it has; nil where it always had it.
  private func named(_ id: ManagedObjectID) -> (round: SyncRound?, order: Int)? {
    guard !logged.changedSince.contains(id) else { return (nil, .max) }
    return changed[id]?["nameKey"].map { ($0.round, $0.order) }
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

extension SyncItem {
  /// The record of a thing of which nothing was noted yet.
  ///
  /// - Parameter round: that of the sync that notes it.
  func record(_ rounds: SyncOrigins.Rounds, _ round: SyncRound) -> SyncRecord {
    let made = SyncRounds([rounds.made ?? round])
    var changed = rounds.changed.mapValues { SyncRounds([$0 ?? round]) }
    var values = digests.map { field, digest in
      SyncRecord.Value(
        field: field, digest: digest, rounds: changed.removeValue(forKey: field) ?? made)
    }
    // What is left has no value any more.
    values += changed.map { SyncRecord.Value(field: $0, digest: 0, rounds: $1) }
    return SyncRecord(
      key: key, kind: kind, isAlive: true, fingerprint: fingerprint, rounds: made, values: values
    ).tidied()
  }
}
