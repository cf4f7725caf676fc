import ManagedObjects
import SystemLibraries

/// One of two stores that are synced: its current contents and its records.
///
/// It does not depend on files: any store that a `WalkLog` can open works.
final class SyncedStore {
  let log: WalkLog
  private let other: WalkLog?
  /// The store's records of earlier syncs.
  var memory: SyncMemory
  /// The current state of the objects changed since, by key.
  private(set) var items: [SyncKey: SyncItem] = [:]
  /// Walks that cannot be exchanged, because they have no dog or no date, or refer to an object
  /// without a name.
  private(set) var leftOut: [Int64] = []
  /// The number of those without a dog or a date.
  private(set) var incompleteCount = 0
  /// Dogs, walkers and tags without a name, which cannot be exchanged either.
  private(set) var nameless: [SyncKey: SyncKind] = [:]
  /// The keys of all these objects, which are skipped on both sides.
  private(set) var leftOutKeys: Set<SyncKey> = []
  /// Whether each record's object exists, by the record's position.
  private(set) var isSeen: [Bool]
  /// The walks' numbers and dates; sorted by key when the first one is looked up.
  private var walks: [(key: SyncKey, number: Int64, date: Date)] = []
  private var areWalksSorted = false
  /// Whether the store's walks have been read.
  private(set) var isRead = false

  var dogs: [SyncKey: Dog] = [:]
  /// Dogs that one of the stores has deleted, and that nevertheless become one with another dog.
  var joinedDeletedDogs: Set<SyncKey> = []
  /// The former names of dogs that an earlier sync merged into others, with the names of the
  /// others.
  private(set) var absorbed: [(name: String, other: String)] = []
  /// The targets and gaps of those dogs, if the others had their own.
  private(set) var droppedValues: [SyncReport.Conflict] = []
  var walkers: [SyncKey: Walker] = [:]
  var tags: [SyncKey: Tag] = [:]
  /// The tags by the elements of their fields, once one was looked up.
  var readTagsByElement: [UInt64: Tag]?
  var keys: SyncKeys
  private let keysWithoutUUID: NumberedKeys
  /// The unrecorded changes in its undo log.
  private(set) var origins: SyncOrigins?
  private var isLogRead = false
  /// The contents of its undo log at its first sync, which may have been recorded since.
  private(set) var history: SyncOrigins?
  private(set) var rounds: [SyncKey: SyncOrigins.Rounds] = [:]

  var context: ManagedObjectContext { log.context }

  /// Creates a store that has read nothing yet.
  ///
  /// - Parameters:
  ///   - other: the store that it is synced with; nil if only the number of changes is needed.
  ///   - history: the contents of its undo log, if this is its first sync and the log was read
  ///     before.
  init(_ log: WalkLog, beside other: WalkLog?, history: SyncOrigins? = nil) throws {
    self.log = log
    self.other = other
    self.history = history
    memory = try SyncMemory(of: log)
    isSeen = Array(repeating: false, count: memory.index.count)
    keys = SyncKeys()
    keysWithoutUUID = NumberedKeys(
      beside: other, isCopy: other?.store.identifier == log.store.identifier)
  }

  /// Returns the same store in a state in which nothing was read yet.
  func anew(beside other: WalkLog) throws -> SyncedStore {
    let store = try SyncedStore(log, beside: other, history: history)
    store.absorbed = absorbed
    store.droppedValues = droppedValues
    store.joinedDeletedDogs = joinedDeletedDogs
    return store
  }

  // MARK: Reading

  /// Reads the dogs, walkers and tags; dogs without a UUID get one, and dogs with the same key are
  /// merged.
  func readNames() throws {
    readAliases()
    try readLog()
    dogs = [:]
    keys = SyncKeys()
    nameless = [:]
    var sameDogs: [SyncKey: [(dog: Dog, key: SyncKey)]] = [:]
    for dog in try Dog.all(in: context) where !dog.isDeleted {
      let own = try self.key(of: dog)
      let key = memory.current(own)
      keys.dogs[dog.objectID] = key
      sameDogs[key, default: []].append((dog, own))
    }
    for (key, found) in sameDogs.sorted(by: { $0.key < $1.key }) {
      // The one that had this key before is the dog that other stores know.
      let dog = (found.first { $0.key == key } ?? found[0]).dog
      dogs[key] = dog
      if !dog.hasName { nameless[key] = .dog }
      for other in found where other.dog !== dog {
        absorb(other.dog, into: dog, keepsValues: !joinedDeletedDogs.contains(other.key))
      }
    }
    for (key, dog) in dogs where dog.identifier.map({ SyncKey($0) }) != key && dog.hasName {
      dog.uuid = key.uuid
    }
    walkers = [:]
    for walker in try Walker.all(in: context) {
      let key = self.key(of: walker, .walker)
      walkers[key] = walker
      keys.walkers[walker.objectID] = key
    }
    tags = [:]
    for tag in try Tag.all(in: context) {
      let key = self.key(of: tag, .tag)
      tags[key] = tag
      keys.tags[tag.objectID] = key
    }
  }

  /// Returns the key of a walker or a tag, and records if it has no name.
  private func key(of object: some NamedObject, _ kind: SyncKind) -> SyncKey {
    guard !object.hasName else { return SyncKey(nameKey: NameKey.of(object.name), of: kind) }
    // The lookup key still tells which one it was.
    let key = SyncKey(nameKey: object.nameKey, of: kind)
    nameless[key] = kind
    return key
  }

  /// Reads the undo log, once.
  private func readLog() throws {
    guard !isLogRead else { return }
    isLogRead = true
    if memory.index.isEmpty, memory.known.isEmpty {
      origins = try SyncOrigins(of: log)
      if let other, other.store.identifier == log.store.identifier,
        let copy = try SyncOrigins(of: other)
      {
        try origins?.learn(of: copy, in: log)
      }
      memory.known = origins?.known ?? []
      history = origins
    } else if memory.followsLog {
      origins = try SyncOrigins(
        of: log, since: memory.known, precedesLog: memory.precedesLog)
      // Values that were changed and changed back appear in no record, but other stores may have
      // seen the changes in copies.
      memory.known.formUnion(origins?.known ?? [])
      if origins?.isEmpty == true { origins = nil }
    } else {
      // The log also contains what an earlier version recorded, and does not show which changes
      // that are.
      memory.known.formUnion(try SyncOrigins.states(in: log))
      memory.followsLog = true
    }
  }

  /// Moves all walks of a dog to another dog, and deletes it.
  ///
  /// - Parameter keepsValues: whether the other dog gets its target and gap if it has none; not
  ///   those of a dog that the other store has deleted.
  private func absorb(_ dog: Dog, into other: Dog, keepsValues: Bool) {
    absorbed.append((dog.name, other.name))
    for walk in dog.walks.array { other.addToWalks(walk) }
    if keepsValues {
      for property in [SyncProperty.target, .gap] {
        guard let value = dog.syncValue(property), let kept = other.syncValue(property),
          value != kept
        else { continue }
        droppedValues.append(
          .init(
            isFirst: false, walk: nil, dogName: other.name, property: property, mine: value,
            other: kept, isOfTwoDogs: true))
      }
      if other.targetMinutes == nil { other.targetMinutes = dog.targetMinutes }
      if other.maximumGap == nil { other.maximumGap = dog.maximumGap }
    }
    context.delete(dog)
  }

  /// Determines which dogs, walkers, tags and walks have changed.
  ///
  /// - Throws: `PersistentStoreError` if the store cannot be read.
  func read() throws {
    for key in nameless.keys {
      leftOutKeys.insert(key)
      if let position = memory.position(of: key) { isSeen[position] = true }
    }
    for (key, dog) in dogs where nameless[key] == nil { take(keys.item(of: dog, key), dog) }
    for (key, walker) in walkers where nameless[key] == nil {
      take(keys.item(of: walker, key, .walker), walker)
    }
    for (key, tag) in tags where nameless[key] == nil { take(keys.item(of: tag, key, .tag), tag) }
    try keys.readTracks(in: context)
    keys.hasTags = !tags.isEmpty
    walks.reserveCapacity(memory.index.count)
    // Keys without a record.
    var taken: Set<SyncKey> = []
    try log.forEachStoredWalk { walk in
      var key = try self.key(of: walk)
      var position = memory.position(of: key)
      var attempts: UInt64 = 0
      while position.map({ isSeen[$0] }) ?? !taken.insert(key).inserted {
        key = SyncKey(UUID(of: walk)).alternative(attempts)
        attempts += 1
        position = memory.position(of: key)
      }
      if walk.identifier.map({ SyncKey($0) }) != key { identified.append((walk.number, key.uuid)) }
      walks.append((key, walk.number, walk.start ?? .distantPast))
      let isComplete = walk.dog != nil && walk.start != nil
      guard isComplete, nameless.isEmpty || !refersToNameless(walk) else {
        if !isComplete { incompleteCount += 1 }
        leftOut.append(walk.number)
        leftOutKeys.insert(key)
        if let position { isSeen[position] = true }
        return
      }
      let fingerprint = keys.fingerprint(of: walk)
      if let position {
        isSeen[position] = true
        let entry = memory.index[position]
        if entry.isAlive, entry.fingerprint == fingerprint, origins?.mentions(walk) != true {
          return
        }
      }
      items[key] = keys.item(of: walk, key, fingerprint)
      if let origins { rounds[key] = origins.rounds(of: walk, keys) }
    }
    isRead = true
    // Done only now, since changed walks are retained by the context.
    for (number, uuid) in identified { try log.walk(numbered: number)?.uuid = uuid }
  }

  /// Whether a walk has a dog, a walker or a tag without a name.
  private func refersToNameless(_ walk: Walk) -> Bool {
    walk.dog?.hasName == false || walk.walker?.hasName == false
      || walk.tags.contains { !$0.hasName }
  }

  /// Returns the key of a dog.
  private func key(of dog: Dog) throws -> SyncKey {
    if let identifier = dog.identifier { return SyncKey(identifier) }
    return try keysWithoutUUID.key(of: dog, NumberedKeys.contents(of: dog)) {
      isUnknown($0, dog.objectID)
    }
  }

  /// Returns the key of a walk.
  private func key(of walk: Walk) throws -> SyncKey {
    if let identifier = walk.identifier { return SyncKey(identifier) }
    return try keysWithoutUUID.key(of: walk, NumberedKeys.contents(of: walk)) {
      isUnknown($0, walk.objectID)
    }
  }

  /// Whether a key has no record, and the log does not mention its object.
  private func isUnknown(_ key: SyncKey, _ id: ManagedObjectID) -> Bool {
    memory.position(of: key) == nil && origins?.changedObjects.contains(id) != true
  }

  /// Walks without a UUID of their own, each with the UUID that it gets.
  private var identified: [(number: Int64, uuid: UUID)] = []

  private func take(_ item: SyncItem, _ object: some NamedObject) {
    if let position = memory.position(of: item.key) {
      isSeen[position] = true
      let entry = memory.index[position]
      if entry.isAlive, entry.fingerprint == item.fingerprint, origins?.mentions(object) != true {
        return
      }
    }
    items[item.key] = item
    if let origins { rounds[item.key] = origins.rounds(of: object) }
  }

  /// Returns the record of an object, for dogs by their current key; nil if there is none.
  func record(of key: SyncKey) throws -> SyncRecord? {
    var found = try memory.record(of: key)
    if found == nil, let alias = keysBefore[key]?.first(where: { memory.position(of: $0) != nil }) {
      found = try memory.record(of: alias)?.known(by: key)
    }
    guard !digestsBefore.isEmpty, found?.kind == .walk,
      let index = found?.values.firstIndex(where: { $0.field.name == .dog }),
      let digest = found.flatMap({ digestsBefore[$0.values[index].digest] })
    else { return found }
    found?.values[index].digest = digest
    return found
  }

  /// The former keys of merged dogs, by their current key.
  private var keysBefore: [SyncKey: [SyncKey]] = [:]
  /// The digests of such dogs as the values of walks, each with the current digest.
  private var digestsBefore: [SyncDigest: SyncDigest] = [:]

  /// Reads the former keys of dogs; called whenever more of them are merged.
  private func readAliases() {
    keysBefore = [:]
    digestsBefore = [:]
    for alias in memory.aliases.keys.sorted() {
      let key = memory.current(alias)
      keysBefore[key, default: []].append(alias)
      digestsBefore[SyncKeys.digest(ofDog: alias)] = SyncKeys.digest(ofDog: key)
    }
  }

  // MARK: Objects

  /// Returns the walk with a key; nil if it does not exist.
  func walk(of key: SyncKey) throws -> Walk? {
    if let made = made[key] { return made }
    return try position(of: key).flatMap { try log.walk(numbered: walks[$0].number) }
  }

  /// Returns the date of a walk that was read, without fetching the walk.
  func date(ofWalk key: SyncKey) -> Date? { position(of: key).map { walks[$0].date } }

  private func position(of key: SyncKey) -> Int? {
    if !areWalksSorted {
      walks.sort { $0.key < $1.key }
      areWalksSorted = true
    }
    var (low, high) = (0, walks.count)
    while low < high {
      let middle = (low + high) / 2
      if walks[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < walks.count && walks[low].key == key ? low : nil
  }

  /// Fetches the walks with some keys, with their tags and tracks, in a batch; they are retained
  /// until the next call.
  func hold(walksOf keys: some Sequence<SyncKey>) throws {
    held = []
    held = try log.readWalks(numbered: numbers(ofWalks: keys))
  }

  /// Returns the numbers of the walks with some keys, of those that exist.
  func numbers(ofWalks keys: some Sequence<SyncKey>) -> [Int64] {
    keys.compactMap { position(of: $0).map { walks[$0].number } }
  }

  private var held: [Walk] = []

  /// Walks that were inserted here.
  private var made: [SyncKey: Walk] = [:]

  /// Inserts a walk without values.
  func makeWalk(of key: SyncKey) -> Walk {
    let walk = Walk(context: context)
    walk.uuid = key.uuid
    made[key] = walk
    return walk
  }
}

@available(*, unavailable) extension SyncedStore: Sendable {}
