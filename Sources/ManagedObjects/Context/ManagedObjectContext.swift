import DataModel
import Synchronization

/// An object space in which managed objects are fetched and changed; `save()` stores the changes.
///
///     let context = container.viewContext
///     let walk = Walk(context: context)
///     walk.date = .now
///     try context.save()
///
/// Each row is represented by one object here: two fetches return the same instance. Unchanged
/// objects are referenced weakly and deallocated when they are not used elsewhere; changed ones are
/// retained until they are saved or rolled back. Not Sendable: a context and its objects stay in
/// one isolation, which the compiler enforces. Follows Core Data's `NSManagedObjectContext`.
public final class ManagedObjectContext {
  /// The coordinator whose stores this context reads and writes, through its parent if it has one.
  ///
  ///     context.persistentStoreCoordinator.persistentStores.count   // 1
  @exclusivity(unchecked) public private(set) var persistentStoreCoordinator:
    PersistentStoreCoordinator
  /// The context that this one reads from and saves into; nil if it uses the stores directly.
  ///
  ///     ManagedObjectContext(parent: context).parent === context   // true
  @exclusivity(unchecked) public private(set) var parent: ManagedObjectContext?
  /// The actor, queue or thread that may use the context; nil if the process does not check it.
  package var owner: ContextOwner?
  /// An object that CoreDataNames associates with a context: its queue.
  package var companion: AnyObject?
  /// The contexts whose parent this is, each until it is deallocated.
  let children = ContextChildren()
  /// The objects whose rows were copied to children, by the temporary keys that those rows refer
  /// to.
  ///
  /// nil for none.
  var objectsNamedByChildren: [Int64: Set<ManagedObject>]?

  // Fields that are accessed for every object have no exclusivity checks: no code that could access
  // them runs while they are being changed. See ManagedObject's fields.
  @exclusivity(unchecked) private(set) var entities: [ContextEntity] = []

  // An object may be in several of these; its state determines to which it really belongs.
  @exclusivity(unchecked) private(set) var pendingInserts: [ManagedObject] = []
  @exclusivity(unchecked) private(set) var pendingUpdates: [ManagedObject] = []
  private(set) var pendingDeletes: [ManagedObject] = []
  /// Objects that were about to be changed when their rows turned out to be missing.
  private(set) var objectsWithMissingRows: [ManagedObject] = []
  /// Objects whose rows were deleted elsewhere: the next save ends them without writing anything.
  private(set) var externallyDeletedObjects: [ManagedObject] = []
  /// Tables that find pending objects by a value, built on look-ups among many; empty until then.
  @exclusivity(unchecked) var unsavedValues: [UnsavedValues] = []
  /// A table that finds changed objects by the temporary keys they refer to; nil until needed.
  @exclusivity(unchecked) var temporaryEnds: TemporaryKeyIndex?
  /// The objects retained because `retainsRegisteredObjects` is set; nil while it is not.
  @exclusivity(unchecked) var retainedObjects: Set<ManagedObject>?
  /// Objects that have left the context, while their lists may keep each other alive.
  var detachedObjects: [WeakObject] = []
  /// The to-manys that may be part of a cycle; nil until first needed.
  var relationshipCycles: RelationshipCycles?

  /// Whether an object whose row is missing counts as deleted, with values that are nil or zero.
  ///
  ///     let fault = context.object(with: idOfDeleted)
  ///     fault.value(forKey: "name")   // nil, and fault.managedObjectContext is nil
  ///
  /// True by default. Otherwise reading such an object traps. Follows Core Data's
  /// `shouldDeleteInaccessibleFaults`.
  public var shouldDeleteInaccessibleFaults = true

  /// A name for the context, for debugging; a persistent history records it with each save.
  ///
  ///     context.name = "import"
  public var name: String?
  /// The author of this context's saves in a persistent history; nil for none.
  ///
  ///     context.transactionAuthor = "widget"   // so that the widget can tell its own saves from others'
  ///
  /// For a child, that of its topmost parent is used. Follows Core Data's `transactionAuthor`.
  public var transactionAuthor: String?

  /// The first error that prevented values from being read; nil if all could be read.
  ///
  ///     for walk in dog.walks { print(walk.date) }
  ///     if let error = context.faultingError { throw error }
  ///
  /// An accessor cannot throw. A value that a damaged or busy store does not return reads as
  /// missing (zero or empty if a value is required), and the first such error is kept here, until
  /// `rollback()` or `refreshAllObjects()` lets the values be read again. A `save()` throws it
  /// before anything is written. A fetch throws its own errors.
  ///
  /// A single value whose file is missing (`allowsExternalBinaryDataStorage`) is nil, and reading
  /// it sets this error; its object has all its other values, and can still be saved or deleted. If
  /// the object has been changed elsewhere since, the error is a `ConflictError`: after a refresh
  /// it has all values of one state.
  public package(set) var faultingError: (any Error)?
  /// The values that could not be read.
  var unreadValues: [UnreadValues] = []
  /// The state of fetches with batches and with prefetching; nil while there were none.
  var fetchBatching: FetchBatching?
  /// This context's position in the coordinator's log if it merges automatically; otherwise nil.
  @exclusivity(unchecked) var mergeReader: ChangeLogReader?
  /// Reads other processes' saves, if this context merges automatically and has no parent.
  var remoteChangePull: RemoteChangePull?
  /// Changes that were read there and could not be merged.
  var unmergedChanges: [ChangedObjectIDs] = []

  /// Whether a save validates its objects; false only for a migration before it is finished.
  var validatesBeforeSaving = true

  /// The observers of the context; nil while there are none.
  @exclusivity(unchecked) var observers: ContextObservers?
  /// The objects that change while `willSave` is being called; nil at other times.
  @exclusivity(unchecked) var touched: [ManagedObject]?
  /// Fetched objects on which `awakeFromFetch` is still to be called.
  @exclusivity(unchecked) var awakened: [ManagedObject] = []
  /// The merge policy if it is not `error`; otherwise nil.
  var chosenMergePolicy: MergePolicy?
  /// The values before the current event, if they differ from the stored ones; otherwise nil.
  @exclusivity(unchecked) var eventValues: EventValues?
  /// The objects passed to `detectConflicts(for:)` since the last save; nil for none.
  var conflictChecks: [ConflictCheck]?
  /// Records changes for the undo manager; nil while there is none.
  @exclusivity(unchecked) var changeRecorder: ChangeRecorder?

  /// Releases the lists of objects that are deallocated.
  private lazy var releases = ReleaseQueue(isShared: companion != nil)

  /// Creates a context.
  ///
  ///     let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
  ///     try coordinator.addPersistentStore(type: .sqlite, at: url)
  ///     let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
  public convenience init(persistentStoreCoordinator: PersistentStoreCoordinator) {
    self.init(persistentStoreCoordinator: persistentStoreCoordinator, parent: nil)
  }

  init(persistentStoreCoordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?) {
    self.persistentStoreCoordinator = persistentStoreCoordinator
    self.parent = parent
  }

  deinit {
    parent?.children.remove(self)
    for entity in entities { entity.context = nil }
    dropCircularLists()
  }

  /// Sets the coordinator, or the parent, of a context that has not been used yet.
  package func adopt(_ coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?) {
    require(
      entities.isEmpty && children.contexts.isEmpty,
      "The coordinator and the parent of a context must be set before it is used.")
    self.parent?.children.remove(self)
    persistentStoreCoordinator = coordinator
    self.parent = parent
    parent?.children.add(self)
    guard automaticallyMergesChangesFromParent else { return }
    automaticallyMergesChangesFromParent = false
    automaticallyMergesChangesFromParent = true
  }

  /// The origin that a persistent history records for saves.
  var transactionOrigin: TransactionOrigin {
    TransactionOrigin(author: transactionAuthor, contextName: name)
  }

  // MARK: Changes

  /// Whether there are changes to save.
  ///
  ///     if context.hasChanges { try context.save() }
  public var hasChanges: Bool {
    pendingInserts.contains(where: \.isInserted) || pendingUpdates.contains(where: \.isUpdated)
      || pendingDeletes.contains(where: \.isDeleted) || !objectsWithMissingRows.isEmpty
      || !externallyDeletedObjects.isEmpty
  }

  /// The objects that will get a row at the next save.
  ///
  ///     _ = Walk(context: context)
  ///     context.insertedObjects.count   // 1, until it is saved
  public var insertedObjects: Set<ManagedObject> { Set(pendingInserts.filter(\.isInserted)) }
  /// The objects with a row whose values or relationships were changed.
  ///
  ///     fido.name = "Rex"
  ///     context.updatedObjects   // [fido]
  public var updatedObjects: Set<ManagedObject> { Set(pendingUpdates.filter(\.isUpdated)) }
  /// An upper bound of the number of inserted or changed objects; O(1).
  var pendingCount: Int { pendingInserts.count + pendingUpdates.count }
  /// The objects whose rows the next save deletes.
  ///
  ///     context.delete(fido)      // and his walks, by the delete rule
  ///     context.deletedObjects   // fido and his walks
  ///
  /// Objects deleted elsewhere are included once that was merged.
  public var deletedObjects: Set<ManagedObject> {
    Set(pendingDeletes.filter(\.isDeleted) + externallyDeletedObjects)
  }

  /// Every object registered with this context, including faults.
  ///
  ///     let dogs = context.registeredObjects.compactMap { $0 as? Dog }   // no query
  ///
  /// Unchanged objects are included while they are referenced elsewhere, or
  /// `retainsRegisteredObjects` is set.
  public var registeredObjects: Set<ManagedObject> {
    var seen: Set<ObjectIdentifier> = []
    return Set(
      entities.filter { seen.insert(ObjectIdentifier($0.table)).inserted }.flatMap(\.table.objects))
  }

  func didInsert(_ object: ManagedObject) {
    checkCaller(object._entity.binding.name)
    object._entity.table.insert(object)
    retainedObjects?.insert(object)
    touched?.append(object)
    observers?.recordInsertion(object)
    changeRecorder?.didInsert(object)
    eventValues?.didInsert(object)
    guard object._state.isDisjoint(with: .listedAsInserted) else { return }
    object._state.insert(.listedAsInserted)
    pendingInserts.append(object)
  }

  func didUpdate(_ object: ManagedObject) {
    touched?.append(object)
    observers?.note(object)
    guard object._state.isDisjoint(with: [.inserted, .updated, .deleted, .detached]) else { return }
    object._state.insert(.updated)
    guard object._state.isDisjoint(with: .listedAsUpdated) else { return }
    object._state.insert(.listedAsUpdated)
    pendingUpdates.append(object)
  }

  /// Marks an object as deleted.
  func markAsDeleted(_ object: ManagedObject) {
    touched?.append(object)
    observers?.note(object)
    eventValues?.willDelete(object)
    object._state.insert(.deleted)
    changeRecorder?.didDelete(object)
    guard object._state.isDisjoint(with: .listedAsDeleted) else { return }
    object._state.insert(.listedAsDeleted)
    pendingDeletes.append(object)
  }

  /// Marks an object as deleted whose row was deleted elsewhere; this is not undoable.
  func markDeletedExternally(_ object: ManagedObject) {
    dropPending(object)
    touched?.append(object)
    observers?.note(object)
    eventValues?.willDelete(object)
    object._state.formUnion([.deleted, .deletedExternally])
    externallyDeletedObjects.append(object)
  }

  /// Records that a deleted object is about to be restored.
  func willRestore(_ object: ManagedObject) {
    observers?.note(object)
    eventValues?.didInsert(object)
  }

  func recordMissingRow(_ object: ManagedObject) { objectsWithMissingRows.append(object) }

  /// Removes an object from the changes of the next save.
  func dropPending(_ object: ManagedObject) {
    forgetUnsavedValues()
    if object._state.contains(.listedAsUpdated) { pendingUpdates.remove(object) }
    if object._state.contains(.listedAsDeleted) { pendingDeletes.remove(object) }
    if object._state.isSuperset(of: [.deleted, .deletedExternally]) {
      externallyDeletedObjects.remove(object)
    }
    object._state.subtract([.listedAsUpdated, .listedAsDeleted])
    if !objectsWithMissingRows.isEmpty { objectsWithMissingRows.removeAll { $0 === object } }
  }

  func removeObjectsWithMissingRows(where isWanted: (ManagedObject) -> Bool) {
    objectsWithMissingRows.removeAll(where: isWanted)
  }

  func clearChanges() {
    conflictChecks = nil
    forgetUnsavedValues()
    // The parent of a child may still have to save objects with temporary keys.
    if parent == nil { objectsNamedByChildren = nil }
    objectsWithMissingRows.removeAll()
    externallyDeletedObjects.removeAll()
    for object in pendingInserts { object._state.remove(.listedAsInserted) }
    for object in pendingUpdates { object._state.remove(.listedAsUpdated) }
    for object in pendingDeletes { object._state.remove(.listedAsDeleted) }
    pendingInserts.removeAll()
    pendingUpdates.removeAll()
    pendingDeletes.removeAll()
  }

  /// Removes saved objects from the changes of the next save; the others stay.
  func dropSavedChanges() {
    forgetUnsavedValues()
    externallyDeletedObjects.removeAll()
    for object in pendingInserts where !object._state.contains(.inserted) {
      object._state.remove(.listedAsInserted)
    }
    for object in pendingUpdates where !object._state.contains(.updated) {
      object._state.remove(.listedAsUpdated)
    }
    for object in pendingDeletes where !object._state.contains(.deleted) {
      object._state.remove(.listedAsDeleted)
    }
    pendingInserts.removeAll { !$0._state.contains(.listedAsInserted) }
    pendingUpdates.removeAll { !$0._state.contains(.listedAsUpdated) }
    pendingDeletes.removeAll { !$0._state.contains(.listedAsDeleted) }
  }

  /// A key for an object without a row: negative, and never used twice in this process.
  static func nextTemporaryKey() -> Int64 {
    temporaryKeys.subtract(1, ordering: .relaxed).newValue
  }

  private static let temporaryKeys = Atomic<Int64>(0)

  /// Adds the entities of stores that were added since.
  func adoptStores() {
    let bindings = persistentStoreCoordinator.bindings
    require(
      !bindings.isEmpty || !persistentStoreCoordinator.persistentStores.isEmpty,
      "The coordinator has no store yet: add one before using a context.")
    for binding in bindings[entities.count...] {
      let references = binding.store.isIncremental ? binding.store.references : nil
      let table =
        binding.root < binding.index
        ? entities[binding.root].table
        : ObjectTable(references: references, isShared: companion != nil)
      entities.append(
        ContextEntity(binding: binding, table: table, context: self, releases: releases))
    }
  }
}

@available(*, unavailable) extension ManagedObjectContext: Sendable {}

extension [ManagedObject] {
  /// Removes an object, which it contains once at most.
  ///
  /// O(n), but quick enough to remove many one by one.
  fileprivate mutating func remove(_ object: ManagedObject) {
    // Comparing within the buffer retains no elements.
    guard let index = withUnsafeBufferPointer({ $0.firstIndex { $0 === object } }) else { return }
    remove(at: index)
  }
}
