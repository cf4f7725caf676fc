import ManagedObjects

/// What the log tells of things: in which rounds they came, and their values were set.
extension SyncOrigins {
  /// Whether anything was changed that the log tells of.
  var isEmpty: Bool { logged.changes.isEmpty }

  /// Whether the log has something that was changed, though it may be as it was.
  func mentions(_ object: some NamedObject) -> Bool { changedObjects.contains(object.objectID) }

  /// The same of a walk, its walker, its track and the names of its tags.
  func mentions(_ walk: Walk) -> Bool {
    changedObjects.contains(walk.objectID)
      || walk.walker.map { changedObjects.contains($0.objectID) } ?? false
      || walk.track.map { changedObjects.contains($0.objectID) } ?? false
      || areTagsRenamed && walk.tags.contains { changedObjects.contains($0.objectID) }
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
  func fields(of id: ManagedObjectID) -> [SyncField: Stamp] {
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
