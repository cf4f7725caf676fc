import DataModel
import Synchronization

/// A place to work on objects: what is fetched, made, changed and deleted here stays here until
/// `save()`.
///
///     let context = container.viewContext
///     let walk = Walk(context: context)
///     walk.date = .now
///     try context.save()
///
/// One row is one object here: two fetches give the same instance. Unchanged objects are held
/// weakly and go when nobody uses them; changed ones are held until they are saved or rolled back.
/// Not Sendable: a context and its objects stay in one isolation, and the compiler says so. Follows
/// Core Data's `NSManagedObjectContext`.
public final class ManagedObjectContext {
  /// The coordinator whose stores this context reads and writes, through its parent if it has one.
  ///
  ///     context.persistentStoreCoordinator.persistentStores.count   // 1
  @exclusivity(unchecked) public private(set) var persistentStoreCoordinator:
    PersistentStoreCoordinator
  /// The context that this one reads from and saves into; nil for one that does so with the stores.
  ///
  ///     ManagedObjectContext(parent: context).parent === context   // true
  @exclusivity(unchecked) public private(set) var parent: ManagedObjectContext?
  /// Who may use it, where that is looked after; nil where nobody has asked.
  package var owner: ContextOwner?
  /// What CoreDataNames keeps beside a context: its queue.
  package var companion: AnyObject?
  /// The contexts whose parent this is, each as long as it lives.
  var children: [Unmanaged<ManagedObjectContext>] = []
  /// What children read who merge automatically.
  var childLog: ChangeLog?
  /// The objects whose rows children have, by the temporary keys to which they lead there; nil for
  /// none.
  var lentObjects: [Int64: Set<ManagedObject>]?

  // What is looked at for every object has no exclusivity checks: nothing that could reach it runs
  // while it is being changed. See ManagedObject's fields.
  @exclusivity(unchecked) private(set) var entities: [ContextEntity] = []

  // Objects may stand in several of these; their state says where they really belong.
  @exclusivity(unchecked) private(set) var pendingInserts: [ManagedObject] = []
  @exclusivity(unchecked) private(set) var pendingUpdates: [ManagedObject] = []
  private(set) var pendingDeletes: [ManagedObject] = []
  /// Objects that were to be changed when their rows turned out to be gone.
  private(set) var pendingLosses: [ManagedObject] = []
  /// Objects whose rows others have deleted: the next save ends them, and writes nothing for that.
  private(set) var lostObjects: [ManagedObject] = []
  /// What finds pending objects by a value, where that was asked of many; empty until then.
  @exclusivity(unchecked) var unsavedValues: [UnsavedValues] = []
  /// What finds changed objects by the temporary keys to which they lead; nil until it is needed.
  @exclusivity(unchecked) var temporaryEnds: TemporaryEnds?
  /// The objects that are held since `retainsRegisteredObjects` is set; nil while it is not.
  @exclusivity(unchecked) var retainedObjects: Set<ManagedObject>?

  /// Whether an object whose row turns out to be gone counts as deleted, its values nil or zero.
  ///
  ///     let fault = context.object(with: idOfDeleted)
  ///     fault.value(forKey: "name")   // nil, and fault.managedObjectContext is nil
  ///
  /// True at first. Otherwise reading such an object traps. Follows Core Data's
  /// `shouldDeleteInaccessibleFaults`.
  public var shouldDeleteInaccessibleFaults = true

  /// What the context is called, for people; a persistent history has it with each save.
  ///
  ///     context.name = "import"
  public var name: String?
  /// Who saves here, as a persistent history has it; nil for nobody in particular.
  ///
  ///     context.transactionAuthor = "widget"   // so that the widget can tell its own saves from others'
  ///
  /// Of a child, its topmost parent's counts. Follows Core Data's `transactionAuthor`.
  public var transactionAuthor: String?

  /// Why values could not be read; nil where all could.
  ///
  ///     for walk in dog.walks { print(walk.date) }
  ///     if let error = context.faultingError { throw error }
  ///
  /// An accessor cannot throw. What a damaged or busy store does not give reads as missing (zero or
  /// empty where a value is required), and the first such error stands here, until `rollback()` or
  /// `refreshAllObjects()` lets the values be read again. A `save()` throws it before anything is
  /// written. A fetch throws its own errors.
  ///
  /// A single value whose file is missing (`allowsExternalBinaryDataStorage`) is nil, and the error
  /// stands here once it is read; its object has all its other values, and nothing keeps it from
  /// being saved or deleted. Where others have changed the object since, that is a `ConflictError`:
  /// refreshed, it has all values of one state.
  public package(set) var faultingError: (any Error)?
  /// What could not be read.
  var unreadValues: [UnreadValues] = []
  /// What fetches by the batch and with prefetching leave behind; nil while there were none.
  var fetchBatching: FetchBatching?
  /// Where this context stands in the coordinator's log, where it merges automatically; else nil.
  @exclusivity(unchecked) var mergeReader: ChangeLogReader?
  /// What takes other processes' saves, where this context merges automatically and has no parent.
  var remoteChangePull: RemoteChangePull?
  /// What was read there and could not be merged.
  var unmergedChanges: [ChangedObjectIDs] = []

  /// Whether a save asks its objects whether they are valid; false only of what a migration has not
  /// finished.
  var validatesBeforeSaving = true

  /// Who wants to hear of what happens here; nil while nobody does.
  @exclusivity(unchecked) var observers: ContextObservers?
  /// The objects that were changed while others are asked to prepare for a save; nil at other
  /// times.
  @exclusivity(unchecked) var touched: [ManagedObject]?
  /// Fetched objects that are still to be told so.
  @exclusivity(unchecked) var awakened: [ManagedObject] = []
  /// The merge policy, where it is another than to fail.
  var chosenMergePolicy: MergePolicy?
  /// What objects were before the current event, where that is not what the store has; else nil.
  @exclusivity(unchecked) var eventValues: EventValues?
  /// The objects passed to `detectConflicts(for:)` since the last save; nil for none.
  var conflictChecks: [ConflictCheck]?
  /// What notes changes for the undo manager; nil while there is none.
  @exclusivity(unchecked) var changeRecorder: ChangeRecorder?

  /// What lets go of the lists of objects that end.
  private let releases = ReleaseQueue()

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
    parent?.removeChild(self)
    for entity in entities { entity.context = nil }
    dropCircularLists()
  }

  /// Gives a context that was not used yet the coordinator, or the parent, that it is to have.
  package func adopt(_ coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?) {
    require(
      entities.isEmpty && children.isEmpty,
      "A context gets its coordinator and its parent before it is used.")
    self.parent?.removeChild(self)
    persistentStoreCoordinator = coordinator
    self.parent = parent
    parent?.children.append(.passUnretained(self))
  }

  /// Who a persistent history says has saved.
  var transactionOrigin: TransactionOrigin {
    TransactionOrigin(author: transactionAuthor, contextName: name)
  }

  // MARK: Changes

  /// Whether there is anything to save.
  ///
  ///     if context.hasChanges { try context.save() }
  public var hasChanges: Bool {
    pendingInserts.contains(where: \.isInserted) || pendingUpdates.contains(where: \.isUpdated)
      || pendingDeletes.contains(where: \.isDeleted) || !pendingLosses.isEmpty
      || !lostObjects.isEmpty
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
  /// About how many objects are inserted or changed; takes no time.
  var pendingCount: Int { pendingInserts.count + pendingUpdates.count }
  /// The objects whose row goes at the next save.
  ///
  ///     context.delete(fido)      // and his walks, by the delete rule
  ///     context.deletedObjects   // fido and his walks
  ///
  /// Those that others have deleted are among them once that was merged.
  public var deletedObjects: Set<ManagedObject> {
    Set(pendingDeletes.filter(\.isDeleted) + lostObjects)
  }

  /// Every object that this context knows, faults too.
  ///
  ///     let dogs = context.registeredObjects.compactMap { $0 as? Dog }   // no query
  ///
  /// Unchanged ones are in it as long as somebody uses them, or `retainsRegisteredObjects` is set.
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
    observers?.noteArrival(object)
    changeRecorder?.didInsert(object)
    eventValues?.didInsert(object)
    guard object._state.isDisjoint(with: .listedAsInserted) else { return }
    object._state.insert(.listedAsInserted)
    pendingInserts.append(object)
  }

  func didUpdate(_ object: ManagedObject) {
    touched?.append(object)
    observers?.note(object)
    guard object._state.isDisjoint(with: [.inserted, .updated, .deleted, .gone]) else { return }
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

  /// Marks an object as deleted whose row others have deleted; what comes from them is not to be
  /// undone.
  func didLeaveStore(_ object: ManagedObject) {
    dropPending(object)
    touched?.append(object)
    observers?.note(object)
    eventValues?.willDelete(object)
    object._state.formUnion([.deleted, .leftStore])
    lostObjects.append(object)
  }

  /// Takes note that a deleted object is about to be there again.
  func willComeBack(_ object: ManagedObject) {
    observers?.note(object)
    eventValues?.didInsert(object)
  }

  func didLose(_ object: ManagedObject) { pendingLosses.append(object) }

  /// Takes an object out of what the next save has to do.
  func dropPending(_ object: ManagedObject) {
    forgetUnsavedValues()
    if object._state.contains(.listedAsUpdated) { pendingUpdates.removeAll { $0 === object } }
    if object._state.contains(.listedAsDeleted) { pendingDeletes.removeAll { $0 === object } }
    if object._state.isSuperset(of: [.deleted, .leftStore]) {
      lostObjects.removeAll { $0 === object }
    }
    object._state.subtract([.listedAsUpdated, .listedAsDeleted])
    pendingLosses.removeAll { $0 === object }
  }

  func dropLosses(where isWanted: (ManagedObject) -> Bool) {
    pendingLosses.removeAll(where: isWanted)
  }

  func clearChanges() {
    conflictChecks = nil
    forgetUnsavedValues()
    // Of a child its parent may still have to save what has temporary keys.
    if parent == nil { lentObjects = nil }
    pendingLosses.removeAll()
    lostObjects.removeAll()
    for object in pendingInserts { object._state.remove(.listedAsInserted) }
    for object in pendingUpdates { object._state.remove(.listedAsUpdated) }
    for object in pendingDeletes { object._state.remove(.listedAsDeleted) }
    pendingInserts.removeAll()
    pendingUpdates.removeAll()
    pendingDeletes.removeAll()
  }

  /// Takes what was saved out of what the next save has to do; the rest stays.
  func dropSavedChanges() {
    forgetUnsavedValues()
    lostObjects.removeAll()
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

  // MARK: Entities

  func binding(at index: Int) -> EntityBinding { contextEntity(at: index).binding }

  func contextEntity(at index: Int) -> ContextEntity {
    if index >= entities.count { adoptStores() }
    return entities[index]
  }

  func contextEntity(named name: String) -> ContextEntity {
    if entities.isEmpty { adoptStores() }
    if let entity = entities.first(where: { $0.binding.name == name }) {
      guard entity.binding.store.isRemoved else { return entity }
      // What is new goes to a store that is there, where there is one.
      adoptNewStores()
      return entities(named: name)[0]
    }
    fatalError("No store of this context has an entity \(name).")
  }

  func contextEntity(of type: ManagedObject.Type) -> ContextEntity {
    if entities.isEmpty { adoptStores() }
    // A few comparisons: models are small, and a dictionary by class costs 60 µs at first touch.
    guard let index = entities.firstIndex(where: { $0.objectClass == type }),
      !entities[(index + 1)...].contains(where: {
        $0.objectClass == type && $0.binding.name != entities[index].binding.name
      })
    else {
      fatalError("No entity of this context, or more than one, has the class \(type).")
    }
    guard entities[index].binding.store.isRemoved else { return entities[index] }
    return contextEntity(named: entities[index].binding.name)
  }

  /// Takes in the entities of stores that were added since, where there are any.
  func adoptNewStores() {
    if persistentStoreCoordinator.bindings.count > entities.count { adoptStores() }
  }

  /// Takes in the entities of stores that were added since.
  ///
  /// - Throws: `PersistentStoreError.noPersistentStore` where there is no store at all.
  func adoptStoresOrThrow() throws {
    adoptNewStores()
    guard !entities.isEmpty || !persistentStoreCoordinator.persistentStores.isEmpty else {
      throw PersistentStoreError.noPersistentStore
    }
  }

  /// Takes in the entities of stores that were added since.
  private func adoptStores() {
    let bindings = persistentStoreCoordinator.bindings
    require(
      !bindings.isEmpty || !persistentStoreCoordinator.persistentStores.isEmpty,
      "The coordinator has no store yet: add one before using a context.")
    for binding in bindings[entities.count...] {
      let references = binding.store.isIncremental ? binding.store.references : nil
      let table =
        binding.root < binding.index
        ? entities[binding.root].table : ObjectTable(references: references)
      entities.append(
        ContextEntity(binding: binding, table: table, context: self, releases: releases))
    }
  }
}

@available(*, unavailable) extension ManagedObjectContext: Sendable {}
