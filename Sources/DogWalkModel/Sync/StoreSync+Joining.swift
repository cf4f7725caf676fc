import ManagedObjects

/// Dogs that a sync makes one.
extension StoreSync {
  /// Merges dogs that would otherwise end up with the same name.
  ///
  /// A dog that is deleted gives its name away, unless it keeps walks (`deletedTwinsWithWalks`).
  mutating func joinDogs(_ round: SyncRound, _ othersRound: SyncRound) throws {
    var byName: [String: [SyncKey]] = [:]
    var dogOutcomes: [SyncKey: SyncMerge.Outcome] = [:]
    var deleted: [(key: SyncKey, name: String)] = []
    let merge = merge(knowing: round, othersRound)
    for key in Set(mine.dogs.keys).union(others.dogs.keys).sorted()
    where mine.nameless[key] == nil && others.nameless[key] == nil {
      guard
        let outcome = merge.outcome(
          try mine.recordOfDog(key, round), try others.recordOfDog(key, othersRound))
      else { continue }
      let side = outcome.taken.first { $0.field.name == .name }?.from ?? .here
      guard let dog = store(side).dogs[key] ?? store(side.other).dogs[key] else { continue }
      let name = NameKey.of(dog.name)
      if case .delete = outcome.change {
        guard joinedDeletedDogs.contains(key) else {
          deleted.append((key, name))
          continue
        }
      }
      dogOutcomes[key] = outcome
      byName[name, default: []].append(key)
    }
    deletedTwins = Set(deleted.lazy.filter { byName[$0.name] != nil }.map(\.key))
    let twins = byName.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
    guard !twins.isEmpty else { return }
    for key in twins.flatMap(\.value) {
      // Renamed first, they have one name on both sides.
      if let outcome = dogOutcomes[key] { changeDog(key, outcome) }
    }
    (mine.joinedDeletedDogs, others.joinedDeletedDogs) = (joinedDeletedDogs, joinedDeletedDogs)
    if mine.isRead {
      // Walks were read as those of separate dogs, which are merged now.
      let aliases = mine.memory.aliases
      mine = try mine.anew(beside: others.log)
      mine.memory.aliases = aliases
      try mine.readNames()
    }
    for (name, keys) in twins {
      let dogs = keys.compactMap { others.dogs[$0] } + keys.compactMap { mine.dogs[$0] }
      if let dog = dogs.first(where: { NameKey.of($0.name) == name }) {
        report.joinedDogs.append(dog.name)
      }
      for key in keys.dropFirst() {
        mine.memory.aliases[key] = keys[0]
        others.memory.aliases[key] = keys[0]
      }
    }
    try mine.readNames()
    try others.readNames()
  }

  /// Finds those of the deleted twins that walks will still refer to.
  mutating func findDeletedTwinsWithWalks() throws {
    guard !deletedTwins.isEmpty else { return }
    for store in [mine, others] {
      for number in store.leftOut {
        let dog = try store.log.walk(numbered: number)?.dog
        guard let key = dog.flatMap({ store.keys.dogs[$0.objectID] }) else { continue }
        if deletedTwins.contains(key) { deletedTwinsWithWalks.insert(key) }
      }
    }
    let digests = Dictionary(
      uniqueKeysWithValues: deletedTwins.map { (SyncKeys.digest(ofDog: $0), $0) })
    for outcome in outcomes.values where outcome.record.kind == .walk && outcome.record.isAlive {
      if let key = digests[outcome.record[SyncField(.dog)].digest] {
        deletedTwinsWithWalks.insert(key)
      }
    }
  }
}
