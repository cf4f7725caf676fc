package import ManagedObjects
package import SystemLibraries

/// The dogs and walks of one store: the model behind the commands.
///
///     let log = try WalkLog(at: url, for: .writing)
///     let added = try log.add(WalkDraft(start: .now, utcOffset: 3600), to: ["Fido"])
///     added.walks[0].number   // 1
///
/// Each change is one transaction, on disk when the call returns. The errors are those of
/// `ManagedObjectContext.save()` and `fetch(_:)`.
package final class WalkLog {
  /// The access that a log is opened for.
  package enum Access: Sendable {
    /// Reading only, without changes to the store. A missing store reads as empty.
    case reading
    /// Changing existing objects; a missing store reads as empty.
    case changing
    /// Writing; a missing store is created, with its folders.
    case writing
  }

  /// The context of the dogs and walks.
  package let context: ManagedObjectContext
  /// Whether there is a store; without one the log is empty, and objects added to it are lost.
  package let hasStore: Bool
  /// Whether a change was committed, so that repeating the command would apply it twice.
  package var hasSaved = false
  /// The migration of a store of an older version; nil if none was necessary.
  package let migration: Migration?
  let container: PersistentContainer
  /// Dogs that were looked up by name, since a walk is probably recorded for them next.
  var namedDogs: [Dog] = []
  /// The names of dogs and walkers read since the last save; the next save inserts none of these
  /// names.
  private var seen = SeenNames()
  /// Whether the write lock is held, so that what is read now is unchanged until the save.
  private var isPerformingWriting = false
  /// The copy that is read in place of a store of an older version.
  let migratedCopy: MigratedCopy?

  /// Opens a store.
  ///
  /// A store of an older version is migrated before it is changed; for reading, a copy of it is
  /// migrated.
  ///
  /// - Parameters:
  ///   - url: the store's URL.
  ///   - access: the access that it is opened for.
  ///   - folder: the folder for a copy of a store on a server before that is migrated; the copy
  ///     of a file is placed beside it. If nil, a store on a server is not migrated.
  ///   - progress: called with the completed fraction of a migration, from 0 to 1.
  /// - Throws: `PersistentStoreError` if the file is not a store of this model, or cannot be
  ///   used; `StoreLocation.Failure` if its folder cannot be created; `MigrationError` and
  ///   `ValidationError` if it cannot be migrated.
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

  /// The result of opening a store.
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
    options.isShortLived = true
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

  /// The minimum number of commands that can be undone.
  private static let undoLimit = 1_000

  /// The undo log; nil if there is no store.
  var undoLog: StoreUndoLog? { coordinator.undoLog(of: store) }

  var coordinator: PersistentStoreCoordinator { container.persistentStoreCoordinator }
  var store: PersistentStore { container.persistentStore }

  /// Returns a new context that has read nothing yet.
  func anotherContext() -> ManagedObjectContext { container.newBackgroundContext() }

  /// Opens the store, and creates its folders if they turn out to be missing.
  private static func container(
    at url: URL, options: PersistentStoreOptions
  ) throws -> PersistentContainer {
    func open() throws -> PersistentContainer {
      let container = try PersistentContainer(
        name: "DogWalk", model: .dogWalk, storeURL: url, options: options)
      // A store with persistent history from an app can be opened, but only for reading.
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

  /// Checks that no fault failed to read its values.
  ///
  /// - Throws: `PersistentStoreError` if the store is damaged.
  package func checkEverythingRead() throws {
    if let error = context.faultingError { throw error }
  }

  // MARK: Dogs and walkers

  /// Returns all dogs, sorted by name.
  package func dogs() throws -> [Dog] {
    let dogs = try Dog.all(in: context)
    noteSeen { $0.insert(dogs) }
    return dogs
  }

  /// Returns the dog with a name, in any spelling; nil if there is none.
  package func dog(named name: String) throws -> Dog? {
    guard let dog = try Dog.find(named: name, in: context) else { return nil }
    namedDogs.append(dog)
    noteSeen { $0.insert(CollectionOfOne(dog)) }
    return dog
  }

  /// Returns all walkers, sorted by name.
  package func walkers() throws -> [Walker] {
    let walkers = try Walker.all(in: context)
    noteSeen { $0.insert(walkers) }
    return walkers
  }

  private func noteSeen(_ note: (inout SeenNames) -> Void) {
    if !isPerformingWriting { note(&seen) }
  }

  /// Returns the dog that was chosen as the current one; nil if none was, or if it was deleted.
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

  /// Chooses the current dog; the store's metadata keeps its number, which a renaming does not
  /// change.
  package func choose(_ dog: Dog) throws {
    try setChoice(dog.objectID.primaryKey.map { .integer($0) })
  }

  /// Saves within `performWriting` and chooses the current dog in the same transaction; nil leaves
  /// the choice unchanged.
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

  /// Returns walks, newest first; those with the same start by number.
  package func walks(_ query: WalkQuery) throws -> [Walk] {
    var request = query.request
    // Few of many match: a table scan finds them, rather than the index on the date.
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

  /// Returns the ongoing walks that began in a span of time, newest first.
  package func walksGoingOn(since earliest: Date, until latest: Date) throws -> [Walk] {
    var query = WalkQuery()
    query.earliest = earliest
    query.latest = latest
    query.isOngoing = true
    return try walks(query)
  }

  // MARK: Writing

  /// Deletes walks, in one transaction.
  package func delete(_ walks: [Walk]) throws {
    try performWriting {
      for walk in walks { context.delete(walk) }
      try save()
    }
  }

  /// Calls a closure that looks objects up and saves changes based on them, with the write lock
  /// held.
  ///
  /// - Parameter reads: the reads that the closure will probably make: see `ExpectedRead`.
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

  /// Saves all changes or none; every change of a command is saved by this method.
  ///
  /// - Throws: `ConflictError`, with the changes rolled back, if it would insert a dog or walker
  ///   with a name that this log has read since its last save, outside `performWriting`: another
  ///   process has renamed or deleted it.
  package func save() throws { try save(expecting: []) }

  /// Saves, and lets a store on a server make the next reads in the same round trip.
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
  /// Whether the walk has the given start and duration, so that recording it again would be a
  /// duplicate.
  package func isDuplicate(ofStart start: Date, _ duration: Double?) -> Bool {
    date == start && self.duration == duration
  }

  /// Sets the values of a draft.
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
