public import DataModel
import Synchronization
public import SystemLibraries

/// The coordinator of a model's stores, shared by contexts.
///
///     let coordinator = PersistentStoreCoordinator(managedObjectModel: .dogWalk)
///     try coordinator.addPersistentStore(type: .sqlite, at: url)
///     let context = ManagedObjectContext(persistentStoreCoordinator: coordinator)
///
/// Sendable: any number of contexts in any isolation share it. They read a SQLite store
/// concurrently with each other and with a save; writers are serialised. Follows Core Data's
/// `NSPersistentStoreCoordinator`.
public final class PersistentStoreCoordinator: @unchecked Sendable {
  /// The model of all stores.
  public let managedObjectModel: ManagedObjectModel
  /// The main lock: held by writers, and by readers as long as it is not contended.
  let lock = Lock()
  /// Whether the lock has been contended: from then on, reads do not hold it.
  let isContended = Atomic(false)
  let listLock = Lock()
  // Guarded by the list lock, which is held only briefly. Stores are added and removed with both
  // locks held, so that either suffices to read these.
  private var stores: [any RowStore] = []
  private var allBindings: [EntityBinding] = []
  /// The part of the model that each store has.
  private var models: [(store: PersistentStoreIdentity, model: ManagedObjectModel)] = []
  private var madeChangeLog: ChangeLog?
  /// The sequences that wait for changes of the stores by other processes.
  let followers = RemoteChangeWaiters()
  /// The active `performReading` of each thread.
  var readings: [pthread_t: Reading] = [:]

  /// Creates a coordinator without stores.
  public init(managedObjectModel: ManagedObjectModel) {
    self.managedObjectModel = managedObjectModel
  }

  /// The stores that were added.
  public var persistentStores: [PersistentStore] { rowStores.map { $0 } }

  /// The same stores, as the protocol of their operations.
  var rowStores: [any RowStore] { listLock.withLock { stores } }

  /// Adds a store: opens its file, or creates one.
  ///
  ///     try coordinator.addPersistentStore(
  ///       type: .sqlite, configurationName: "Catalogue", at: url, options: readOnly)
  ///     try coordinator.addPersistentStore(type: .sqlite, configurationName: "Notes", at: otherURL)
  ///
  /// A file that is not a store of this model is left untouched. `url` is that of the file; nil for
  /// a store in memory. With a configuration the store holds its entities, and their whole entity
  /// hierarchies; without one, all entities. An entity may be in several stores: its objects are
  /// fetched from all of them, new ones go to the first that is not read-only, or to the one passed
  /// to `assign(_:to:)`.
  ///
  /// - Throws: `PersistentStoreError` with the reason; `unsupportedModel` if a relationship's
  ///   destination is not in the configuration, or the expression of a derived attribute is not
  ///   supported; `alreadyAdded` if this coordinator has the store, at this URL or, as a copy, at
  ///   another; `unknownStoreType` if the store type is unknown. Errors of a custom store are
  ///   passed on unchanged.
  /// - Precondition: a store that is a file has a URL; the model has the configuration.
  @discardableResult
  public func addPersistentStore(
    type: PersistentStore.StoreType, configurationName: String? = nil, at url: URL?,
    options: PersistentStoreOptions = PersistentStoreOptions()
  ) throws -> PersistentStore {
    guard let model = managedObjectModel.restricted(toConfiguration: configurationName) else {
      fatalError("The model has no configuration \(configurationName ?? "").")
    }
    if configurationName != nil, let relationship = model.relationshipToMissingEntity {
      throw PersistentStoreError.unsupportedModel(
        "\(relationship) refers to an entity outside the configuration \(configurationName ?? ""), and so in another store."
      )
    }
    return try lock.withLock {
      let store = try Self.makeStore(
        type, at: url, configuration: configurationName, model: model, options: options,
        offset: bindings.count)
      try exchange(nil, for: store, of: model)
      return store
    }
  }

  /// Adds a store, removes one, or replaces one, with the lock held.
  ///
  /// - Throws: `PersistentStoreError.alreadyAdded` if the new one was added already.
  func exchange(
    _ old: (any RowStore)?, for new: (any RowStore)?, of model: ManagedObjectModel? = nil
  ) throws {
    try listLock.withLock {
      if let new {
        if let url = new.url,
          stores.contains(where: { $0.identifier == new.identifier && $0 !== old })
        {
          throw PersistentStoreError.alreadyAdded(url)
        }
        stores.append(new)
        allBindings += new.bindings
        if let model { models.append((new.identity, model)) }
      }
      if let old {
        // Its bindings stay: contexts refer to entities by index.
        old.identity.noteRemoval()
        stores.removeAll { $0 === old }
      }
    }
    if old != nil { followers.tell() }
  }

  /// The part of the model that a store holds.
  func model(of store: PersistentStore) -> ManagedObjectModel {
    let known = listLock.withLock { models.first { $0.store === store.identity } }
    return known?.model ?? managedObjectModel
  }

  /// The ID for a URI, or nil if this coordinator has no such store or entity.
  ///
  ///     guard let id = coordinator.managedObjectID(forURIRepresentation: uri) else { return }
  ///     let walk = try context.existingObject(with: id)
  ///
  /// Whether the row exists is not checked. Temporary IDs cannot be restored from their URIs.
  public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
    let text = uri.absoluteString
    // A custom reference object may contain slashes.
    let parts = text.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "x-coredata:", parts[1].isEmpty, parts[4].first == "p"
    else { return nil }
    let ofStore = bindings.filter { $0.store.identifier == parts[2] && !$0.store.isRemoved }
    // A URL escapes characters of a name other than ASCII letters.
    let entity =
      ofStore.first { $0.name == parts[3] } ?? ofStore.first { $0.nameInURIs == parts[3] }
    guard let entity else { return nil }
    let end = parts[4].dropFirst()
    if let references = entity.store.references {
      guard !entity.isAbstract, let reference = ReferenceObject(escaped: end.utf8) else {
        return nil
      }
      return ManagedObjectID(
        binding: entity, key: references.key(of: reference, entity: entity.index))
    }
    return Int64(end).flatMap { $0 > 0 ? ManagedObjectID(binding: entity, key: $0) : nil }
  }

  /// The ID of a row by its entity and primary key, or nil if the store has no such entity.
  ///
  ///     coordinator.managedObjectID(entityName: "Walk", primaryKey: 7, in: store)
  ///
  /// Whether the row exists is not checked.
  public func managedObjectID(
    entityName: String, primaryKey: Int64, in store: PersistentStore
  ) -> ManagedObjectID? {
    store.bindings.first { $0.name == entityName }.map { entity in
      let key = entity.store.references.map {
        $0.key(of: ReferenceObject(primaryKey), entity: entity.index)
      }
      return ManagedObjectID(binding: entity, key: key ?? primaryKey)
    }
  }

  // MARK: Saves

  /// The log of saves, created when first needed.
  var changeLog: ChangeLog {
    listLock.withLock {
      let log = madeChangeLog ?? ChangeLog()
      madeChangeLog = log
      return log
    }
  }

  /// The log of saves if it has readers.
  var readChangeLog: ChangeLog? {
    guard let log = listLock.withLock({ madeChangeLog }), log.hasReaders else { return nil }
    return log
  }

  deinit {
    madeChangeLog?.close()
    followers.tell()
  }

  // MARK: Locking

  /// Runs a body with the lock held, so that no other call uses a store.
  func locked<Result>(_ body: () throws -> Result) rethrows -> Result { try lock.withLock(body) }

  var bindings: [EntityBinding] { listLock.withLock { allBindings } }

  /// Whether a store is remote, so that several reads should be sent at once.
  var prefersPipelining: Bool { rowStores.contains { $0.transactions?.prefersPipelining ?? false } }

  // MARK: Writing

  /// Runs a body with the write locks of some stores held, up to the first save in it.
  ///
  /// - Parameter wanted: the stores; nil for all that can be written.
  func performWriting<Result>(
    to wanted: [PersistentStoreIdentity]? = nil, expecting reads: [ExpectedPlan] = [],
    _ body: () throws -> Result
  ) throws -> Result {
    refuseInReading()
    return try lock.withLock {
      var begun: [any TransactionalStore] = []
      let value: Result
      do {
        // In the order of a save, so that two processes do not deadlock.
        for store in rowStores.inCommitOrder({ $0 }).compactMap(\.transactions)
        where !store.isReadOnly && !store.isInTransaction
          && wanted?.contains(where: { $0 === store.identity }) != false
        {
          try store.beginWriting(expecting: reads)
          begun.append(store)
        }
        value = try body()
      } catch {
        // Saved changes stay saved, even if the body throws.
        _ = endWriting(to: begun)
        throw error
      }
      if let failure = endWriting(to: begun) { throw failure }
      return value
    }
  }

  /// Ends writing to some stores; returns the first error.
  private func endWriting(to stores: [any TransactionalStore]) -> (any Error)? {
    var failure: (any Error)?
    for store in stores {
      do { try store.endWriting() } catch { failure = failure ?? error }
    }
    return failure
  }

  /// Reserves keys for new rows of one entity hierarchy.
  func reserveKeys(for inserts: [SaveRequest.Insert], of root: EntityBinding) throws -> [Int64] {
    refuseInReading()
    return try lock.withLock { try store(of: root).reserveKeys(for: inserts, of: root) }
  }

  func save(
    _ request: SaveRequest, to identity: PersistentStoreIdentity?
  ) throws -> SaveResult {
    refuseInReading()
    return try lock.withLock {
      guard let identity else { return SaveResult(of: request) }
      return try store(identity).save(request) {}
    }
  }

  /// Runs a body that saves; the reads that are expected next are sent with the commit.
  func saving<Result>(
    expecting reads: [ExpectedPlan], _ body: () throws -> Result
  ) rethrows -> Result {
    try lock.withLock {
      let stores = rowStores.compactMap(\.transactions).filter(\.prefersPipelining)
      for store in stores { store.readsAfterSave = reads }
      defer { for store in stores { store.readsAfterSave = [] } }
      return try body()
    }
  }

  /// Notifies stores that are called at every save of one without changes.
  func saveNothing() throws {
    try lock.withLock {
      for store in rowStores where store.identity.isIncremental && !store.isReadOnly {
        _ = try store.save(SaveRequest()) {}
      }
    }
  }

  /// Updates all rows of a plan at once; nil if its store updates row by row.
  func update(
    _ plan: FetchPlan, _ values: [(slot: Int, value: Scalar?)], by origin: TransactionOrigin
  ) throws -> [BatchedRow]? {
    refuseInReading()
    return try lock.withLock {
      try store(of: plan.entity).batches?.update(plan, values, by: origin)
    }
  }

  /// Deletes all rows of a plan at once; nil if its store deletes row by row.
  func delete(_ plan: FetchPlan, by origin: TransactionOrigin) throws -> [BatchedRow]? {
    refuseInReading()
    return try lock.withLock { try store(of: plan.entity).batches?.delete(plan, by: origin) }
  }

  /// Saves into several stores: each one has done its work before the first commits.
  ///
  /// Incremental stores are an exception: their work is their commit, so they come first.
  ///
  /// - Returns: the result of each store, and the error of one that could not commit, or whose
  ///   commit a power failure may undo; the stores that did not commit have no result.
  /// - Throws: an error that occurred before any store committed.
  func save(
    _ requests: [(store: PersistentStoreIdentity, request: SaveRequest)]
  ) throws -> (results: [SaveResult?], error: (any Error)?) {
    refuseInReading()
    return try lock.withLock {
      let parts = requests.enumerated().map { index, part in
        (index: index, store: store(part.store), request: part.request)
      }
      let ordered = parts.inCommitOrder { $0.store }
      var results: [SaveResult?] = requests.map { _ in nil }
      func save(_ parts: ArraySlice<(index: Int, store: any RowStore, request: SaveRequest)>)
        throws
      {
        guard let part = parts.first else { return }
        results[part.index] = try part.store.save(part.request) { try save(parts.dropFirst()) }
      }
      do {
        try save(ordered[...])
        return (results, results.lazy.compactMap { $0?.uncertainty }.first)
      } catch {
        guard results.contains(where: { $0 != nil }) else { throw error }
        return (results, error)
      }
    }
  }

  /// Saves the changes of a batch in some stores.
  ///
  /// - Throws: the first error; if several stores were to commit, the first may have done so.
  func saveBatch(
    _ requests: [(store: PersistentStoreIdentity, request: SaveRequest)]
  ) throws {
    if let error = try save(requests).error { throw error }
  }

  /// The read-only stores.
  var readOnlyStores: [PersistentStoreIdentity] {
    listLock.withLock { stores.filter(\.isReadOnly).map(\.identity) }
  }

  func refuseInReading() {
    require(reading == nil, "Nothing can be saved in performReading.")
  }

  /// The store of an entity; to be called with one of the locks held.
  func store(of entity: EntityBinding) -> any RowStore { store(entity.store) }

  /// A store by its identity, likewise; for one that was removed, one that throws.
  private func store(_ identity: PersistentStoreIdentity) -> any RowStore {
    stores.first { $0.identity === identity } ?? RemovedStore(identity)
  }

  /// The operations of a store of this coordinator.
  func rowStore(_ store: PersistentStore) -> any RowStore {
    guard let found = rowStores.first(where: { $0 === store }) else {
      fatalError("The store belongs to another coordinator.")
    }
    return found
  }
}
