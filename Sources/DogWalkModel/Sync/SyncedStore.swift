import ManagedObjects
import SystemLibraries

/// One of two stores that are synced: what it holds now, beside what it noted before.
///
/// It knows no file: any store that a `WalkLog` opens will do.
final class SyncedStore {
  let log: WalkLog
  private let other: WalkLog?
  /// What it keeps of earlier syncs.
  var memory: SyncMemory
  /// What has changed since, as it is now, by its key.
  private(set) var items: [SyncKey: SyncItem] = [:]
  /// Walks that cannot be exchanged, since they have no dog or no date.
  private(set) var leftOut: [Int64] = []
  /// Their keys, which are passed over on both sides.
  private(set) var leftOutKeys: Set<SyncKey> = []
  /// Which records' things are there, by their positions.
  private(set) var isSeen: [Bool]
  /// The walks' numbers and dates; by their keys once one was looked for.
  private var walks: [(key: SyncKey, number: Int64, date: Date)] = []
  private var areWalksSorted = false
  /// Whether the store's walks have been read.
  private(set) var isRead = false

  private(set) var dogs: [SyncKey: Dog] = [:]
  /// The names of dogs that are another one by an earlier sync, and what that one is called.
  private(set) var absorbed: [(name: String, other: String)] = []
  private var walkers: [SyncKey: Walker] = [:]
  private var tags: [SyncKey: Tag] = [:]
  private(set) var keys: SyncKeys
  /// What its undo log tells of changes that were not noted.
  private(set) var origins: SyncOrigins?
  private var isLogRead = false
  /// What its undo log told at its first sync, which may have been noted since.
  private(set) var history: SyncOrigins?
  private(set) var rounds: [SyncKey: SyncOrigins.Rounds] = [:]

  var context: ManagedObjectContext { log.context }

  /// A store that nothing was read of yet.
  ///
  /// - Parameters:
  ///   - other: the store that it is synced with; nil where only its own standing is asked.
  ///   - history: what its undo log says, where this is its first sync and the log was read before.
  init(_ log: WalkLog, beside other: WalkLog?, history: SyncOrigins? = nil) throws {
    self.log = log
    self.other = other
    self.history = history
    memory = try SyncMemory(of: log)
    isSeen = Array(repeating: false, count: memory.index.count)
    keys = SyncKeys()
  }

  /// The same store, of which nothing was read yet.
  func anew(beside other: WalkLog) throws -> SyncedStore {
    let store = try SyncedStore(log, beside: other, history: history)
    store.absorbed = absorbed
    return store
  }

  // MARK: Reading

  /// Reads the dogs, walkers and tags; dogs that have no UUID get one, and dogs of one key become
  /// one.
  func readNames() throws {
    readAliases()
    try readLog()
    dogs = [:]
    keys = SyncKeys()
    for dog in try Dog.all(in: context) where !dog.isDeleted {
      let own = SyncKey(dog.identifier ?? UUID(of: dog))
      let key = memory.current(own)
      keys.dogs[dog.objectID] = key
      if let first = dogs[key] {
        absorb(dog, into: first)
      } else {
        dogs[key] = dog
      }
    }
    for (key, dog) in dogs where dog.identifier.map({ SyncKey($0) }) != key { dog.uuid = key.uuid }
    walkers = [:]
    for walker in try Walker.all(in: context) {
      let key = SyncKey(nameKey: NameKey.of(walker.name), of: .walker)
      walkers[key] = walker
      keys.walkers[walker.objectID] = key
    }
    tags = [:]
    for tag in try Tag.all(in: context) {
      let key = SyncKey(nameKey: NameKey.of(tag.name), of: .tag)
      tags[key] = tag
      keys.tags[tag.objectID] = key
    }
  }

  /// Reads what the undo log tells, once.
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
      origins = try SyncOrigins(of: log, since: memory.known)
      // What was changed and is as it was shows in no record, and others have met it in copies.
      memory.known.formUnion(origins?.known ?? [])
      if origins?.isEmpty == true { origins = nil }
    } else {
      // What an earlier version noted is in the log, too, and nothing says which of it.
      memory.known.formUnion(try SyncOrigins.states(in: log))
      memory.followsLog = true
    }
  }

  /// Gives all walks of a dog to another one, and deletes it.
  private func absorb(_ dog: Dog, into other: Dog) {
    absorbed.append((dog.name, other.name))
    for walk in dog.walks.array { other.addToWalks(walk) }
    if other.targetMinutes == nil { other.targetMinutes = dog.targetMinutes }
    if other.maximumGap == nil { other.maximumGap = dog.maximumGap }
    context.delete(dog)
  }

  /// Notes which dogs, walkers, tags and walks have changed.
  ///
  /// - Throws: `PersistentStoreError` where the store cannot be read.
  func read() throws {
    for (key, dog) in dogs { take(keys.item(of: dog, key), dog) }
    for (key, walker) in walkers { take(keys.item(of: walker, key, .walker), walker) }
    for (key, tag) in tags { take(keys.item(of: tag, key, .tag), tag) }
    try keys.readTracks(in: context)
    keys.hasTags = !tags.isEmpty
    walks.reserveCapacity(memory.index.count)
    // Keys of which nothing was noted.
    var taken: Set<SyncKey> = []
    try log.forEachStoredWalk { walk in
      let uuid = walk.identifier ?? UUID(of: walk)
      var key = SyncKey(uuid)
      var position = memory.position(of: key)
      var attempts: UInt64 = 0
      while position.map({ isSeen[$0] }) ?? !taken.insert(key).inserted {
        key = SyncKey(UUID(of: walk)).alternative(attempts)
        attempts += 1
        position = memory.position(of: key)
      }
      if walk.identifier.map({ SyncKey($0) }) != key { identified.append((walk.number, key.uuid)) }
      walks.append((key, walk.number, walk.start ?? .distantPast))
      guard walk.dog != nil, walk.start != nil else {
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
    // Only now, since a walk that is changed is held.
    for (number, uuid) in identified { try log.walk(numbered: number)?.uuid = uuid }
  }

  /// Walks that had no UUID of their own, and the one that each gets.
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

  /// What was noted of a thing, dogs by the keys that they have now; nil where nothing was.
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

  /// The keys that dogs had before they became one with another, by the key that they have now.
  private var keysBefore: [SyncKey: [SyncKey]] = [:]
  /// What stood for such dogs, as values of walks, and what stands for them now.
  private var digestsBefore: [SyncDigest: SyncDigest] = [:]

  /// Finds out what dogs were known by before; each time that more of them become one.
  private func readAliases() {
    keysBefore = [:]
    digestsBefore = [:]
    for alias in memory.aliases.keys.sorted() {
      let key = memory.current(alias)
      keysBefore[key, default: []].append(alias)
      digestsBefore[SyncKeys.digest(ofDog: alias)] = SyncKeys.digest(ofDog: key)
    }
  }

  // MARK: Things

  /// The walk of a key; nil where it is not there.
  func walk(of key: SyncKey) throws -> Walk? {
    if let made = made[key] { return made }
    return try position(of: key).flatMap { try log.walk(numbered: walks[$0].number) }
  }

  /// The date of a walk that was read, without reading it again.
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

  /// Reads the walks of some keys, with their tags and tracks, all at once; they are held until the
  /// next ones are.
  func hold(walksOf keys: some Sequence<SyncKey>) throws {
    held = []
    held = try log.readWalks(numbered: numbers(ofWalks: keys))
  }

  /// The numbers of the walks of some keys, of those that are there.
  func numbers(ofWalks keys: some Sequence<SyncKey>) -> [Int64] {
    keys.compactMap { position(of: $0).map { walks[$0].number } }
  }

  private var held: [Walk] = []

  /// Walks that were made here.
  private var made: [SyncKey: Walk] = [:]

  /// Makes a walk; it has no values yet.
  func makeWalk(of key: SyncKey) -> Walk {
    let walk = Walk(context: context)
    walk.uuid = key.uuid
    made[key] = walk
    return walk
  }

  /// The walker of a key; nil where nobody of that name is there.
  func walker(of key: SyncKey) -> Walker? { walkers[key] }

  /// The tag of a key; nil where it is not there.
  func tag(of key: SyncKey) -> Tag? { tags[key] }

  /// The tag whose element a field is; nil where it is not there.
  func tag(of field: SyncField) -> Tag? { tagsByElement[field.element] }

  private var tagsByElement: [UInt64: Tag] {
    if let readTagsByElement { return readTagsByElement }
    var tagsByElement: [UInt64: Tag] = [:]
    for (key, tag) in tags { tagsByElement[key.number] = tag }
    readTagsByElement = tagsByElement
    return tagsByElement
  }
  private var readTagsByElement: [UInt64: Tag]?

  /// The dog of a key, made like the other store's where it is not there.
  func dog(of key: SyncKey, like other: Dog?) throws -> Dog? {
    if let dog = dogs[key] { return dog }
    guard let other else { return nil }
    let dog = Dog(context: context)
    dog.uuid = key.uuid
    dog.name = other.name
    dog.nameKey = NameKey.of(other.name)
    dog.targetMinutes = other.targetMinutes
    dog.maximumGap = other.maximumGap
    dogs[key] = dog
    keys.dogs[dog.objectID] = key
    return dog
  }

  /// The walker or tag of a key, made like the other store's where it is not there.
  func named(_ key: SyncKey, like other: Walker?) throws -> Walker? {
    if let walker = walkers[key] { return walker }
    guard let other else { return nil }
    let walker = try Walker.findOrCreate(named: other.name, in: context)
    walkers[key] = walker
    keys.walkers[walker.objectID] = key
    return walker
  }

  /// The same of a tag.
  func named(_ key: SyncKey, like other: Tag?) throws -> Tag? {
    if let tag = tags[key] { return tag }
    guard let other else { return nil }
    let tag = try Tag.findOrCreate(named: other.name, in: context)
    tags[key] = tag
    keys.tags[tag.objectID] = key
    readTagsByElement = nil
    return tag
  }

  /// Notes that a dog is of a key now, or of none.
  func set(_ dog: Dog?, of key: SyncKey) {
    if let dog { keys.dogs[dog.objectID] = key }
    dogs[key] = dog
  }

  /// Takes a walker or a tag away, where no walk has it.
  func deleteNamed(_ key: SyncKey) throws -> Bool {
    if let walker = walkers[key] {
      guard try count("walker == %@", walker) == 0 else { return false }
      context.delete(walker)
      walkers[key] = nil
    } else if let tag = tags[key] {
      guard try count("ANY tags == %@", tag) == 0 else { return false }
      context.delete(tag)
      tags[key] = nil
      readTagsByElement = nil
    }
    return true
  }

  private func count(_ format: String, _ object: ManagedObject) throws -> Int {
    var request = Walk.fetchRequest()
    request.predicate = try FetchPredicate(format: format, object)
    return try context.count(for: request)
  }
}

@available(*, unavailable) extension SyncedStore: Sendable {}
