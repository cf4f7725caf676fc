import ManagedObjects

/// The rounds that the log gives for an object's insertion and for its values.
extension SyncOrigins {
  /// Whether the log contains no changes.
  var isEmpty: Bool { logged.changes.isEmpty }

  /// Whether the log contains a change of an object, even if the values are the same again.
  func mentions(_ object: some NamedObject) -> Bool { changedObjects.contains(object.objectID) }

  /// Whether the log contains a change of a walk, its walker, its track, or the names of its tags.
  func mentions(_ walk: Walk) -> Bool {
    changedObjects.contains(walk.objectID)
      || walk.walker.map { changedObjects.contains($0.objectID) } ?? false
      || walk.track.map { changedObjects.contains($0.objectID) } ?? false
      || areTagNamesChanged && walk.tags.contains { changedObjects.contains($0.objectID) }
  }

  /// The rounds in which an object's values were set; nil stands for the round of the sync that
  /// finds them.
  struct Rounds {
    /// The rounds in which the object was inserted.
    let made: [SyncRound]?
    /// The stamps of values that were changed or removed since.
    let changed: [SyncField: Stamp]
    /// The rounds in which it was inserted and deleted since.
    var presence: [Presence] = []
  }

  /// Returns the rounds of an object that was also changed by a program without an undo log, so
  /// that the order of its changes is unknown.
  private func unknown(_ changed: [SyncField: Stamp]) -> Rounds {
    Rounds(
      made: nil, changed: changed.mapValues { Stamp(rounds: nil, order: $0.order, isWhole: false) })
  }

  /// Returns the logged changes of an object's properties, except tags of walks.
  func fields(of id: ManagedObjectID) -> [SyncField: Stamp] {
    var fields: [SyncField: Stamp] = [:]
    for (name, stamp) in changed[id] ?? [:] {
      guard let property = Self.properties[name] else { continue }
      fields[SyncField(property)] = stamp
      if !isWhole { fields[SyncField(property)]?.isWhole = false }
    }
    return fields
  }

  /// Returns the changes of an object before it was deleted.
  func rounds(ofDeleted key: SyncKey) -> Rounds {
    let (changed, presence) = before[key] ?? ([:], [])
    return Rounds(made: nil, changed: changed, presence: presence)
  }

  /// Returns the rounds of a dog, a walker or a tag.
  func rounds(of object: some NamedObject) -> Rounds {
    let id = object.objectID
    let fields = fields(of: id)
    guard !isChangedWithoutLog(id) else { return unknown(fields) }
    // A walker or tag is identified by its name, so it dates from when it got that name.
    let named = object is Dog ? nil : renamed[id]
    return Rounds(
      made: (named ?? made[id] ?? base).rounds, changed: fields, presence: presence[id] ?? [])
  }

  /// Returns the rounds of a walk.
  func rounds(of walk: Walk, _ keys: SyncKeys) -> Rounds {
    let id = walk.objectID
    let made = made[id] ?? base
    var fields = fields(of: id)
    // A walker that was renamed since counts as another walker.
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

  /// Adds another change that affected a value since the object was inserted.
  private func add(_ stamp: Stamp, to field: inout Stamp?, since made: Stamp) {
    guard stamp.order > made.order else {
      // It may have been redone after that.
      if stamp.isRedone, field == nil { field = Stamp(rounds: nil, order: made.order) }
      return
    }
    guard let own = field else {
      field = stamp
      return
    }
    // The same change is counted once.
    guard own.order != stamp.order else { return }
    field = own.joined(with: stamp)
    // For an object without a record, no store can know a value by an earlier version.
    if isFirst { field?.before = (own.order < stamp.order ? stamp : own).before }
  }

  /// Returns when a walk got its tags and when it lost former ones.
  private func tagStamps(
    of walk: Walk, since made: Stamp, _ keys: SyncKeys
  ) -> [SyncField: Stamp] {
    var stamps: [SyncField: Stamp] = [:]
    // Several tags may have had the same name at different times.
    func set(_ field: SyncField, _ stamp: Stamp) {
      add(stamp, to: &stamps[field], since: base)
    }
    let id = walk.objectID
    for (tag, (stamp, exists)) in tagged[id] ?? [:] {
      let key = keys.tags[tag]
      if let key { set(SyncField(.tags, element: key.number), stamp) }
      guard key == nil || !exists else { continue }
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

  /// Returns when a walker or a tag got its current name; nil if it always had it.
  private func named(_ id: ManagedObjectID) -> Stamp? {
    guard !isChangedWithoutLog(id) else { return Stamp(rounds: nil, order: .max) }
    return changed[id]?["nameKey"]
  }

  private static func field(ofTag nameKey: String) -> SyncField {
    SyncField(.tags, element: SyncKey(nameKey: nameKey, of: .tag).number)
  }

  /// The properties of dogs, walkers, tags and walks except tags, by their names in the model.
  private static let properties: [String: SyncProperty] = [
    "name": .name, "targetMinutes": .target, "maximumGap": .gap, "dog": .dog, "date": .date,
    "utcOffset": .utcOffset, "duration": .duration, "distance": .distance,
    "isOngoing": .isOngoing, "note": .note, "walker": .walker, "peeCount": .peeCount,
    "pooCount": .pooCount, "track": .track,
  ]
}
