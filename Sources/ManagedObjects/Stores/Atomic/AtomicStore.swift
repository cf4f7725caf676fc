public import SystemLibraries
import DataModel

/// A custom store that is read as a whole when it is added, and written as a whole by each save.
///
///     final class NotesStore: AtomicStore, @unchecked Sendable {
///       override func loadMetadata() throws { metadata = try NotesFile(url).metadata() }
///       override func load() throws { addCacheNodes(try NotesFile(url).nodes(of: self)) }
///       override func save() throws { try NotesFile(url).write(metadata, cacheNodes) }
///     }
///
/// Nothing else is required: the library evaluates predicates, sorts, limits and dictionaries,
/// maintains inverse relationships, and handles delete rules, uniqueness and conflicts between
/// contexts. A store that several programs may have open also overrides `isOutdated()`, and
/// excludes other writers between `lock()` and `unlock()`; then conflicting saves are detected as
/// in any store. A store that can replace data of an older model version overrides `willMigrate()`.
/// See ``CustomStore`` for what applies to both classes. Derived attributes are not supported.
/// Follows Core Data's `NSAtomicStore`.
open class AtomicStore: CustomStore, @unchecked Sendable {
  /// The rows created from the nodes.
  private(set) lazy var rows = CacheNodeRows(self)

  // MARK: To be overridden

  /// Sets the store's ``CustomStore/metadata``, or leaves it empty if the store does not exist yet.
  ///
  /// In that case the library creates the metadata (a UUID, the model's version hashes) and saves
  /// an empty store immediately, unless `PersistentStoreOptions.createsFile` is false.
  open override func loadMetadata() throws { try super.loadMetadata() }

  /// Adds a node for every object, in the order in which they should be found.
  ///
  /// To-ones hold the ID of their destination; for a to-many and its inverse one side is enough,
  /// and if both are given they must agree.
  ///
  /// - Throws: any error.
  open func load() throws {}

  /// Writes the ``CustomStore/metadata`` and all ``cacheNodes`` atomically: if it throws, the
  /// stored data must be unchanged.
  ///
  /// - Throws: any error; the context's save rethrows it, and nothing has changed. Only after
  ///   `PersistentStoreError.uncertain` the objects count as saved: the data are written, but a
  ///   power failure may restore the old ones.
  open func save() throws {}

  /// The reference object for a new object.
  ///
  /// By default, one more than the highest number used in the object's entity hierarchy, including
  /// numbers given to objects that are not saved yet. To-ones of the snapshot may still have
  /// temporary IDs. If two processes give out the same reference before either saves, the second
  /// save throws a ``ConflictError``. Two new objects of one process must not get the same
  /// reference.
  open func newReferenceObject(for object: ManagedObjectSnapshot) throws -> ReferenceObject {
    try rows.nextNumber(of: object.objectID.binding.root)
  }

  /// Creates the node for a new object.
  open func newCacheNode(for object: ManagedObjectSnapshot) -> AtomicStoreCacheNode {
    AtomicStoreCacheNode(objectID: object.objectID)
  }

  /// Called when an object has changed, before ``save()``; called again with the old values if that
  /// throws.
  ///
  /// Override it for nodes that keep data of their own; `value(forKey:)` already returns the new
  /// values.
  open func updateCacheNode(_ node: AtomicStoreCacheNode, from object: ManagedObjectSnapshot) {}

  /// Called when objects were deleted, before ``save()``.
  open func willRemoveCacheNodes(_ nodes: [AtomicStoreCacheNode]) {}

  /// Whether another process has changed the store since it was loaded or saved; then it is
  /// reloaded.
  ///
  /// Called before each fetch and each save. False by default.
  open func isOutdated() throws -> Bool { false }

  /// The file or folder whose changes make the store ``isOutdated()``.
  ///
  /// For observers of remote changes (`PersistentStoreCoordinator.remoteChanges(of:)`): if it is
  /// nil, the default, the store is polled about once a second; otherwise only when the system
  /// reports a change there. Files whose names begin with a dot are ignored.
  open var watchedURL: URL? { nil }

  /// Prepares to continue at another URL with the same store; the caller has checked the UUID
  /// there.
  ///
  /// For `PersistentStoreCoordinator.setURL(_:for:)`. Throws by default.
  ///
  /// - Returns: a closure that switches to the URL; the next `isOutdated()` should then return
  ///   true.
  /// - Throws: `PersistentStoreError.unsupportedOperation`; then nothing has changed.
  open func moving(to url: URL) throws -> () -> Void {
    throw PersistentStoreError.unsupportedOperation(type, "change its URL")
  }

  /// Acquires the write lock: waits until no other process saves, and excludes them until
  /// ``unlock()``.
  ///
  /// - Throws: `PersistentStoreError.busy` after waiting too long.
  open func lock() throws {}

  /// Releases the write lock.
  open func unlock() {}

  /// Prepares for a ``save()`` that replaces all stored data, which belong to another version of
  /// the model.
  ///
  /// A store that overrides this, and has version hashes in its metadata, is migrated when it is
  /// opened with `PersistentStoreOptions.migratesAutomatically`. The store that receives the call
  /// has loaded only its metadata, and is between ``lock()`` and ``unlock()``; every object is new
  /// to it and gets its node from ``newCacheNode(for:)``, and whatever else is stored must be
  /// removed. A store whose `save()` rewrites everything anyway can override this method with an
  /// empty body. Meanwhile another instance of the class, with the old model, loads the existing
  /// data read-only. They are copied to a temporary SQLite store, which is migrated as usual, and
  /// from there into this store. The UUID and the application's metadata are kept, and, if all
  /// mappings are inferred, the reference objects too. The class's `replacePersistentStore` makes a
  /// backup.
  ///
  /// Throws by default, since a store that writes only changes would leave old data behind.
  ///
  /// - Throws: `PersistentStoreError.unsupportedOperation`; then the store is unchanged.
  open func willMigrate() throws {
    throw PersistentStoreError.unsupportedOperation(
      type, "be migrated to another version of the model")
  }

  // MARK: Nodes

  /// The nodes of all objects, in the order in which they were added.
  ///
  /// Nodes that do not exist yet are created.
  public var cacheNodes: [AtomicStoreCacheNode] { rows.allNodes }

  /// Adds nodes while the store loads.
  ///
  /// For many objects, an ``AtomicStoreTable`` is faster.
  ///
  /// - Precondition: their IDs belong to this store, and no ID occurs twice.
  public func addCacheNodes(_ nodes: some Sequence<AtomicStoreCacheNode>) { rows.add(nodes) }

  /// The node of an object; nil if the object does not exist.
  public func cacheNode(for objectID: ManagedObjectID) -> AtomicStoreCacheNode? {
    objectID.binding.store === identity ? rows.node(of: objectID.key) : nil
  }

  // MARK: Opening

  override func prepare() throws {
    try refuseDerivedAttributes()
    try loadMetadata()
    if metadata[StoredMetadata.uuidKey] == nil { try make() }
    try adoptMetadata()
    rows.contents = try rows.load(previous: nil)
  }

  /// Creates a store without objects, unless another process has created one in the meantime.
  private func make() throws {
    guard storeDescription.options.createsFile, !isReadOnly else {
      throw PersistentStoreError.fileNotFound(urlForErrors)
    }
    try lock()
    defer { unlock() }
    metadata = [:]
    try loadMetadata()
    guard metadata[StoredMetadata.uuidKey] == nil else { return }
    metadata = StoredMetadata.modelMetadata(managedObjectModel)
    metadata[StoredMetadata.uuidKey] = .string(Self.identifierForNewStore(at: url))
    try adoptMetadata()
    try save()
  }

  override var rowStore: any RowStore { self }

  override var traces: ChangeDetection {
    watchedURL.map { ChangeDetection(fileOrFolder: $0) } ?? .store
  }

  override func changeCount() throws -> Int64 { try rows.changeCount() }
}
