import ManagedObjects
import SystemLibraries

/// Applies each side's changes to the other.
extension StoreSync {
  /// Applies the planned changes in both contexts, without saving.
  ///
  /// - Throws: `PersistentStoreError` if a store cannot be read.
  mutating func apply() throws {
    // Objects that walks refer to are inserted before the walks and deleted after them.
    for kind in [SyncKind.dog, .walker, .tag] {
      for key in order where outcomes[key]?.record.kind == kind { try apply(key) }
    }
    let walks = walksInOrder()
    for start in stride(from: 0, to: walks.count, by: Self.walksAtOnce) {
      let keys = walks[start..<min(start + Self.walksAtOnce, walks.count)]
      try mine.hold(walksOf: keys)
      try others.hold(walksOf: keys)
      let goneHere = try mine.log.readWalks(
        numbered: mine.numbers(ofWalks: deleted(keys, on: .here)), in: before.here)
      let goneThere = try others.log.readWalks(
        numbered: others.numbers(ofWalks: deleted(keys, on: .there)), in: before.there)
      for key in keys { try apply(key) }
      withExtendedLifetime((goneHere, goneThere)) {}
    }
    try mine.hold(walksOf: [])
    try others.hold(walksOf: [])
    for kind in [SyncKind.dog, .walker, .tag] {
      for key in order where outcomes[key]?.record.kind == kind { try deleteNamed(key) }
    }
    for (side, keyPath) in [(SyncSide.here, \SyncReport.here), (.there, \SyncReport.there)] {
      report[keyPath: keyPath].changed.sort { $0.number < $1.number }
      report[keyPath: keyPath].deleted.sort { $0.number < $1.number }
      report[keyPath: keyPath].sortDogs()
      if try store(side).log.tags().areThere { report.tags = WalkTags(areThere: true) }
    }
    report.joinedDogs = report.joinedDogs.sorted(byName: \.self)
    report.sortConflicts()
    report.held += [before.here, before.there, mine, others]
  }

  /// Returns those of some walks that are deleted on a side.
  private func deleted(_ keys: ArraySlice<SyncKey>, on side: SyncSide) -> [SyncKey] {
    keys.filter {
      guard case .delete(side) = outcomes[$0]?.change else { return false }
      return true
    }
  }

  /// The number of walks read in one step.
  private static let walksAtOnce = 500

  /// Returns the keys of the walks; those to be inserted come last, the oldest first, so that
  /// numbers increase with time.
  private func walksInOrder() -> [SyncKey] {
    var there: [SyncKey] = []
    var made: [(date: Date, key: SyncKey)] = []
    for key in order {
      guard let outcome = outcomes[key], outcome.record.kind == .walk else { continue }
      switch outcome.change {
      case .make(let side), .keep(let side):
        if let date = store(side.other).date(ofWalk: key) { made.append((date, key)) }
      case .delete, nil: there.append(key)
      }
    }
    made.sort { ($0.date, $0.key) < ($1.date, $1.key) }
    return there + made.map(\.key)
  }

  private mutating func apply(_ key: SyncKey) throws {
    guard let outcome = outcomes[key] else { return }
    let isWalk = outcome.record.kind == .walk
    switch outcome.change {
    case .make(let side), .keep(let side):
      if isWalk {
        try makeWalk(key, on: side, outcome)
      } else {
        try makeNamed(key, outcome.record.kind, on: side)
      }
    case .delete(let side):
      if isWalk { try deleteWalk(key, on: side) }
    case nil:
      guard !outcome.taken.isEmpty else { return }
      isWalk ? try changeWalk(key, outcome) : try changeNamed(key, outcome)
    }
  }

  private mutating func note(_ side: SyncSide, _ body: (inout SyncReport.Changes) -> Void) {
    side == .here ? body(&report.here) : body(&report.there)
  }

  // MARK: Walks

  private mutating func makeWalk(
    _ key: SyncKey, on side: SyncSide, _ outcome: SyncMerge.Outcome
  ) throws {
    guard let source = try store(side.other).walk(of: key) else { return }
    let walk = store(side).makeWalk(of: key)
    for property in SyncProperty.allCases where property != .tags {
      try take(property, from: source, of: side.other, into: walk)
    }
    if store(side.other).keys.hasTags {
      for tag in source.tags { try set(tag, true, on: side, walk) }
    }
    if case .keep = outcome.change {
      note(side) { $0.kept.append(walk) }
    } else {
      note(side) { $0.added.append(walk) }
    }
  }

  private mutating func deleteWalk(_ key: SyncKey, on side: SyncSide) throws {
    guard let walk = try store(side).walk(of: key) else { return }
    let context = side == .here ? before.here : before.there
    if let old = try context.existingObject(with: walk.objectID) as? Walk {
      // These objects may be deleted too; they are retained so that they can be named.
      if let dog = old.dog { hold(dog) }
      if let walker = old.walker { hold(walker) }
      for tag in old.tags { hold(tag) }
      note(side) { $0.deleted.append(old) }
    }
    store(side).context.delete(walk)
  }

  private mutating func hold(_ object: some NamedObject) {
    _ = object.name
    if held.insert(ObjectIdentifier(object)).inserted { report.held.append(object) }
  }

  private mutating func changeWalk(_ key: SyncKey, _ outcome: SyncMerge.Outcome) throws {
    guard let walk = try mine.walk(of: key), let other = try others.walk(of: key) else { return }
    for field in outcome.conflicts {
      guard let property = field.name else { continue }
      // A conflict of the start covers its UTC offset; one of the length covers whether it is
      // ongoing.
      if let whole = property.whole, outcome.conflicts.contains(SyncField(whole)) { continue }
      report.conflicts.append(
        .init(
          isFirst: outcome.isFirst, walk: walk, dogName: nil, property: property,
          mine: walk.syncValue(property),
          other: other.syncValue(property)))
    }
    for side in [SyncSide.here, .there] {
      let fields = outcome.taken.filter { $0.from == side.other }
      guard !fields.isEmpty else { continue }
      let (source, target) = side == .here ? (other, walk) : (walk, other)
      for (field, _) in fields {
        guard let property = field.name else { continue }
        if property == .tags {
          let from = store(side.other).tag(of: field)
          guard let tag = from ?? store(side).tag(of: field) else { continue }
          try set(tag, from.map { source.tags.contains($0) } ?? false, on: side, target)
        } else {
          try take(property, from: source, of: side.other, into: target)
        }
      }
      note(side) { $0.changed.append(target) }
    }
    if outcome.record.fingerprint == 0 {
      outcomes[key]?.record.fingerprint = mine.keys.fingerprint(of: walk)
    }
  }

  /// Copies a property from the other side's walk.
  private mutating func take(
    _ property: SyncProperty, from source: Walk, of side: SyncSide, into walk: Walk
  ) throws {
    let (from, to) = (store(side), store(side.other))
    switch property {
    case .dog:
      guard let dog = source.dog, let key = from.keys.dogs[dog.objectID] else { return }
      // A dog that was deleted on this side comes back with the walk.
      let isNew = to.dogs[key] == nil
      guard let own = try to.dog(of: key, like: dog) else { return }
      own.addToWalks(walk)
      if isNew { note(side.other) { $0.addedDogs.append(own.name) } }
    case .date: walk.date = source.date
    case .utcOffset: walk.utcOffset = source.utcOffset
    case .duration: walk.duration = source.duration
    case .distance: walk.distance = source.distance
    case .isOngoing: walk.isOngoing = source.isOngoing
    case .note: walk.note = source.note
    case .walker:
      walk.walker = try source.walker.flatMap { walker in
        try from.keys.walkers[walker.objectID].flatMap { try to.named($0, like: walker) }
      }
    case .peeCount: walk.peeCount = source.peeCount
    case .pooCount: walk.pooCount = source.pooCount
    case .track:
      // Another program may have given a track to several walks, of which it knows one; it may be
      // deleted with that one.
      let own = walk.track.flatMap { track in
        track.isDeleted || track.walk.map { $0 !== walk } ?? false ? nil : track
      }
      guard let points = source.track?.points else {
        if let own { to.context.delete(own) }
        walk.track = nil
        return
      }
      let copy = own ?? Track(context: to.context)
      copy.points = points
      walk.track = copy
    case .name, .target, .gap, .tags: return
    }
  }

  /// Adds a tag of either side to a walk, or removes it.
  private func set(_ tag: Tag, _ exists: Bool, on side: SyncSide, _ walk: Walk) throws {
    let key = SyncKey(nameKey: NameKey.of(tag.name), of: .tag)
    guard exists else {
      if let own = store(side).tag(of: key) { walk.tags.remove(own) }
      return
    }
    if let own = try store(side).named(key, like: tag) { walk.tags.insert(own) }
  }

  // MARK: Dogs, walkers, tags

  private mutating func makeNamed(_ key: SyncKey, _ kind: SyncKind, on side: SyncSide) throws {
    let (from, to) = (store(side.other), store(side))
    switch kind {
    case .dog:
      guard let dog = from.dogs[key], to.dogs[key] == nil else { return }
      _ = try to.dog(of: key, like: dog)
      note(side) { $0.addedDogs.append(dog.name) }
    case .walker: _ = try to.named(key, like: from.walker(of: key))
    case .tag: _ = try to.named(key, like: from.tag(of: key))
    case .walk: return
    }
  }

  private mutating func changeNamed(_ key: SyncKey, _ outcome: SyncMerge.Outcome) throws {
    if outcome.record.kind == .dog {
      changeDog(key, outcome)
      if outcome.record.fingerprint == 0, let dog = mine.dogs[key] {
        outcomes[key]?.record.fingerprint = mine.keys.item(of: dog, key).fingerprint
      }
    } else if let from = outcome.taken.first?.from {
      // Only the spelling of the name can differ.
      if let walker = store(from).walker(of: key) {
        store(from.other).walker(of: key)?.name = walker.name
      } else if let tag = store(from).tag(of: key) {
        store(from.other).tag(of: key)?.name = tag.name
      }
    }
  }

  /// Gives a dog the values that win, on both sides, and reports what changed.
  mutating func changeDog(_ key: SyncKey, _ outcome: SyncMerge.Outcome) {
    guard let dog = mine.dogs[key], let other = others.dogs[key] else { return }
    let old = (name: dog.name, values: outcome.conflicts.map { $0.name.flatMap(dog.syncValue) })
    let former = (here: dog.name, there: other.name)
    let new = outcome.conflicts.map { $0.name.flatMap(other.syncValue) }
    for (field, from) in outcome.taken {
      let (source, target) = from == .there ? (other, dog) : (dog, other)
      switch field.name {
      case .name:
        target.name = source.name
        target.nameKey = NameKey.of(source.name)
      case .target: target.targetMinutes = source.targetMinutes
      case .gap: target.maximumGap = source.maximumGap
      default: continue
      }
    }
    for side in [SyncSide.here, .there] where outcome.taken.contains(where: { $0.from != side }) {
      let name = side == .here ? former.here : former.there
      note(side) {
        $0.changedDogs.append(dog.name)
        if name != dog.name { $0.formerNames[dog.name] = name }
      }
    }
    for (index, field) in outcome.conflicts.enumerated() {
      guard let property = field.name else { continue }
      // A name that differs only in spelling is not worth reporting.
      if property == .name, NameKey.of(old.name) == NameKey.of(dog.name) { continue }
      report.conflicts.append(
        .init(
          isFirst: outcome.isFirst, walk: nil, dogName: dog.name, property: property,
          mine: old.values[index], other: new[index]))
    }
  }

  /// Deletes a dog, walker or tag that was deleted on the other side, unless a walk still refers to
  /// it.
  private mutating func deleteNamed(_ key: SyncKey) throws {
    guard let outcome = outcomes[key], case .delete(let side) = outcome.change else { return }
    let (from, to) = (store(side), store(side.other))
    let isGone: Bool
    if outcome.record.kind == .dog {
      guard let dog = from.dogs[key] else { return }
      isGone = try to.dogs[key] == nil && from.log.walkCount(of: dog) == 0
      if isGone {
        note(side) { $0.deletedDogs.append(dog.name) }
        from.set(nil, of: key)
        from.context.delete(dog)
      }
    } else {
      let isBack = to.walker(of: key) != nil || to.tag(of: key) != nil
      isGone = try !isBack && from.deleteNamed(key)
    }
    guard !isGone, let alive = deletedRecords[key] else { return }
    // The object stays, and is inserted again on the side that deleted it.
    outcomes[key]?.record = alive
    outcomes[key]?.change = .keep(side.other)
    try makeNamed(key, outcome.record.kind, on: side.other)
  }
}
