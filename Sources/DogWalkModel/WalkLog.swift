package import ManagedObjects
package import SystemLibraries

/// The walks and the dogs of one store: what the prompt asks and what it writes down.
///
///     let log = try WalkLog(at: url, for: .writing)
///     let added = try log.add(WalkDraft(start: .now, utcOffset: 3600), to: ["Fido"])
///     added.walks[0].number   // 1
///
/// Each change is one transaction, on the disk when the call returns. Errors are those of
/// `ManagedObjectContext.save()` and `fetch(_:)`.
package final class WalkLog {
  /// What a log is opened for.
  package enum Access: Sendable {
    /// To look: what is there stays as it is. A store that is not there reads as an empty one.
    case reading
    /// To change what is there; a store that is not there reads as an empty one.
    case changing
    /// To write; a store that is not there is made, with its folders.
    case writing
  }

  /// The context in which dogs and walks live.
  package let context: ManagedObjectContext
  /// Whether there is a store; without one the log is empty, and what is added to it gets lost.
  package let hasStore: Bool
  /// Whether something was changed and is on the disk, so that whoever does it again does it twice.
  package var hasSaved = false
  /// What was done to a store of an older version; nil where nothing was.
  package let migration: Migration?
  let container: PersistentContainer
  /// Dogs that were looked up by name: most likely something is written down of them next.
  var namedDogs: [Dog] = []
  /// The dogs and walkers read since the last save; the next save creates none of these names.
  private var seen = SeenNames()
  /// Whether nobody else writes now, so that what is read now stays so until the save.
  private var isPerformingWriting = false
  /// What is read instead of a store of an older version.
  let migratedCopy: MigratedCopy?

  /// Opens a store.
  ///
  /// One of an older version is migrated before it is changed; to be read, a copy of it is
  /// migrated.
  ///
  /// - Parameters:
  ///   - url: the store's file.
  ///   - access: what it is opened for.
  ///   - folder: where a copy of a store on a server is kept before that is migrated; one of a file
  ///     lies beside it. Where it is nil, no store on a server is migrated.
  ///   - progress: hears which part is done, from 0 to 1, where there is something to migrate.
  /// - Throws: `PersistentStoreError` where the file is no store of this model, or cannot be used;
  ///   `StoreLocation.Failure` where its folder cannot be made; `MigrationError` and
  ///   `ValidationError` where it cannot be migrated.
  package init(
    at url: URL, for access: Access, copyingServersTo folder: URL? = nil,
    migrating progress: @escaping (Double) -> Void = { _ in }
  ) throws {
    let opened = try Self.open(url, for: access, copyingServersTo: folder, migrating: progress)
    container = opened.container
    hasStore = opened.hasStore
    migration = opened.migration
    migratedCopy = opened.copy
    context = container.newBackgroundContext()
  }

  /// What came of opening a store.
  private typealias Opened = (
    container: PersistentContainer, hasStore: Bool, migration: Migration?, copy: MigratedCopy?
  )

  private static func open(
    _ url: URL, for access: Access, copyingServersTo folder: URL?,
    migrating progress: @escaping (Double) -> Void
  ) throws -> Opened {
    var options = PersistentStoreOptions()
    options.createsFile = access == .writing
    options.isReadOnly = access == .reading
    options.undoLogLimit = undoLimit
    options.isForOneCommand = true
    do {
      return (try container(at: url, options: options), true, nil, nil)
    } catch PersistentStoreError.fileNotFound where access != .writing {
      let empty = try PersistentContainer(name: "DogWalk", model: .dogWalk, storeURL: nil)
      return (empty, false, nil, nil)
    } catch let error as PersistentStoreError where error.isIncompatibleModel {
      guard let version = try ModelVersion(ofStoreAt: url) else { throw error }
      if access == .reading {
        let copy = try MigratedCopy(of: url, from: version, progress)
        return (try container(at: copy?.url ?? url, options: options), true, nil, copy)
      }
      var original = url
      if url.isPostgreSQL {
        guard let folder else { throw error }
        original = folder.appending(path: "server.sqlite")
      }
      let migration = try migrate(
        url, from: version, copyBeside: original, options: options, progress)
      return (try container(at: url, options: options), true, migration, nil)
    }
  }

  /// How many of the last commands can be taken back, at least.
  private static let undoLimit = 1_000

  /// The commands that can be taken back; nil where there is no store.
  var undoLog: StoreUndoLog? { coordinator.undoLog(of: store) }

  var coordinator: PersistentStoreCoordinator { container.persistentStoreCoordinator }
  var store: PersistentStore { container.persistentStore }

  /// A context that has read nothing yet.
  func anotherContext() -> ManagedObjectContext { container.newBackgroundContext() }

  /// Opens the store; makes its folders where it turns out that they are missing.
  private static func container(
    at url: URL, options: PersistentStoreOptions
  ) throws -> PersistentContainer {
    func open() throws -> PersistentContainer {
      let container = try PersistentContainer(
        name: "DogWalk", model: .dogWalk, storeURL: url, options: options)
      // One with a history of an app's is opened all the same, to be read.
      if container.persistentStore.isReadOnly, !options.isReadOnly {
        throw PersistentStoreError.cannotWrite(url, .persistentHistory)
      }
      return container
    }
    do {
      return try open()
    } catch PersistentStoreError.failed(_, let error) where error.isMissingFolder {
      try StoreLocation.makeFolder(for: url)
      return try open()
    }
  }

  /// Makes sure that everything could be read that was asked for.
  ///
  /// - Throws: `PersistentStoreError` where the store is damaged.
  package func checkEverythingRead() throws {
    if let error = context.faultingError { throw error }
  }

  // MARK: Dogs and walkers

  /// Every dog, by name.
  package func dogs() throws -> [Dog] {
    let dogs = try Dog.all(in: context)
    noteSeen { $0.insert(dogs) }
    return dogs
  }

  /// The dog of a name, in whatever spelling; nil where there is none.
  package func dog(named name: String) throws -> Dog? {
    guard let dog = try Dog.find(named: name, in: context) else { return nil }
    namedDogs.append(dog)
    noteSeen { $0.insert(CollectionOfOne(dog)) }
    return dog
  }

  /// Everybody who walked, by name.
  package func walkers() throws -> [Walker] {
    let walkers = try Walker.all(in: context)
    noteSeen { $0.insert(walkers) }
    return walkers
  }

  private func noteSeen(_ note: (inout SeenNames) -> Void) {
    if !isPerformingWriting { note(&seen) }
  }

  /// The dog that was chosen as the current one; nil where none was, or it is gone.
  package func chosenDog() throws -> Dog? {
    let dog: Dog? =
      switch try choice() {
      case .integer(let number)?: try object(Dog.self, numbered: number)
      // The format of the first versions.
      case .string(let key)?: try Dog.find(key: key, in: context)
      default: nil
      }
    if let dog { noteSeen { $0.insert(CollectionOfOne(dog)) } }
    return dog
  }

  /// Chooses the current dog; kept in the store's metadata, by its number, which no name changes.
  package func choose(_ dog: Dog) throws {
    try setChoice(dog.objectID.primaryKey.map { .integer($0) })
    hasSaved = true
  }

  /// Saves, in `performWriting`, and chooses the current dog in the same transaction; nil leaves
  /// that one as it is.
  func save(choosing dog: Dog?) throws {
    guard let dog else { return try save() }
    // An invalid dog is refused before the transaction has written anything.
    for object in context.updatedObjects { try object.validateForUpdate() }
    let before = try choice()
    try setChoice(dog.objectID.primaryKey.map { .integer($0) })
    do {
      try save()
    } catch {
      // `performWriting` commits the metadata even if the save fails.
      try? setChoice(before)
      throw error
    }
  }

  private func choice() throws -> PropertyList? {
    try coordinator.metadata(for: store)[Self.chosenDogKey]
  }

  private func setChoice(_ choice: PropertyList?) throws {
    try coordinator.setMetadata(choice, forKey: Self.chosenDogKey, of: store)
  }

  private static let chosenDogKey = "DogWalkCurrentDog"

  // MARK: Walks

  /// Walks, the newest first; those that began at the same moment by their numbers.
  package func walks(_ query: WalkQuery) throws -> [Walk] {
    var request = query.request
    // Few of many: they are found in the order of the table, and not looked up by their dates.
    if query.isOngoing, query.limit == nil, query.isWanted == nil {
      request.sortDescriptors = []
      return try context.fetch(request).sorted { ($1.date, $0.number) < ($0.date, $1.number) }
    }
    guard let isWanted = query.isWanted else {
      request.fetchLimit = query.limit ?? 0
      return try context.fetch(request)
    }
    let found = try context.fetch(request).lazy.filter(isWanted)
    return query.limit.map { Array(found.prefix($0)) } ?? Array(found)
  }

  /// The walks that are going on and began in a span of time, the newest first.
  package func walksGoingOn(since earliest: Date, until latest: Date) throws -> [Walk] {
    var query = WalkQuery()
    query.earliest = earliest
    query.latest = latest
    query.isOngoing = true
    return try walks(query)
  }

  // MARK: Writing

  /// Deletes walks, all or none.
  package func delete(_ walks: [Walk]) throws {
    try performWriting {
      for walk in walks { context.delete(walk) }
      try save()
    }
  }

  /// Runs a body that looks things up and saves what follows from them, with nobody writing
  /// between.
  ///
  /// - Parameter reads: what the body most likely reads: see `ExpectedRead`.
  package func performWriting<Result>(
    expecting reads: @autoclosure () throws -> [ExpectedRead] = [], _ body: () throws -> Result
  ) throws -> Result {
    try context.performWriting(expecting: reads()) {
      let isPart = isPerformingWriting
      isPerformingWriting = true
      defer { isPerformingWriting = isPart }
      return try body()
    }
  }

  /// Saves what was changed, all or none: the one way in which a command's changes reach the disk.
  ///
  /// - Throws: `ConflictError`, with the changes rolled back, where it would insert a dog or walker
  ///   of a name that this log has read since its last save, before `performWriting`: others have
  ///   renamed or deleted it.
  package func save() throws { try save(expecting: []) }

  /// Saves, and has a store on a server read with it what is read next.
  func save(expecting reads: [ExpectedRead]) throws {
    if !seen.isEmpty, let object = context.insertedObjects.first(where: seen.contains) {
      context.rollback()
      throw ConflictError(objectIDs: [object.objectID])
    }
    let hasChanges = context.hasChanges
    try context.save(expecting: reads)
    if hasChanges { hasSaved = true }
    seen = SeenNames()
  }
}

@available(*, unavailable) extension WalkLog: Sendable {}

extension Walk {
  /// Whether it began at a moment and lasted as long: whoever writes that down again is mistaken.
  package func isTwin(from start: Date, _ duration: Double?) -> Bool {
    date == start && self.duration == duration
  }

  /// Takes over what a draft says.
  func write(_ draft: WalkDraft, _ names: inout WalkNames) throws {
    date = draft.start
    utcOffset = Int32(draft.utcOffset)
    duration = draft.duration
    distance = draft.distance
    note = draft.note
    walker = try names.walker(named: draft.walker)
    if !draft.tags.isEmpty { tags = try names.tags(named: draft.tags) }
    if let track = draft.track { trackPoints = track }
    peeCount = draft.peeCount.map { Int16(clamping: $0) }
    pooCount = draft.pooCount.map { Int16(clamping: $0) }
    isOngoing = draft.isOngoing
    uuid = .random()
  }
}
